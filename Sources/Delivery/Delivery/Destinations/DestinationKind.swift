/// A kind of destination: its name, its keys in the configuration, and how one is made from them.
///
/// The configuration, its documentation and the programs' help ask a list of these; none of them knows a kind by name.
public struct DestinationKind: Sendable {
    /// Makes the sink of a destination, whose attempts may take `timeout`, with the clients that all sinks share.
    public typealias SinkMaker =
        @Sendable (_ clients: SharedClients, _ timeout: Duration) throws(ConfigurationError) -> any Sink

    /// What `type` says in the configuration, such as `http`.
    public let name: String
    /// What it does with an event, a clause in Markdown.
    public let summary: String
    /// The keys of its own.
    public let keys: [DestinationKey]
    /// Whether it has standard output for itself.
    public let writesStandardOutput: Bool
    /// The most attempts at the same time, whatever the configuration says: 1 where events have to come in their order.
    public let maximumConcurrency: Int
    /// Reads and checks its keys, and reports what is wrong; nil where no sink can be made of them.
    let read: @Sendable (inout DestinationValues) -> SinkMaker?

    /// A kind of destination.
    ///
    /// - Parameters:
    ///   - name: what `type` says, a plain word in lower case.
    ///   - summary: what it does with an event, a clause in Markdown.
    ///   - keys: the keys of its own; other kinds may have keys of the same names.
    ///   - writesStandardOutput: whether the end of whoever reads standard output ends the program.
    ///   - maximumConcurrency: the most attempts at the same time; 1 where events have to come in their order.
    ///   - read: reads and checks the keys, and reports what is wrong; nil where no sink can be made of them.
    public init(
        name: String, summary: String, keys: [DestinationKey], writesStandardOutput: Bool = false,
        maximumConcurrency: Int = 256, read: @escaping @Sendable (_ values: inout DestinationValues) -> SinkMaker?
    ) {
        self.name = name
        self.summary = summary
        self.keys = keys
        self.writesStandardOutput = writesStandardOutput
        self.maximumConcurrency = maximumConcurrency
        self.read = read
    }
}

extension [DestinationKind] {
    /// "http, stdout or command".
    var names: String {
        let names = map(\.name)
        return names.dropLast().joined(separator: ", ") + (count > 1 ? " or " : "") + (names.last ?? "")
    }

    /// The forms of all keys, by their names.
    var forms: [String: ConfigurationSchema.Form] {
        let keys = DestinationKey.common + flatMap(\.keys)
        return Dictionary(keys.map { ($0.name, $0.form) }) { first, _ in first }
    }

    /// The keys that mean nothing to a kind, and the kinds that each belongs to.
    func meaningless(for kind: DestinationKind) -> [(name: String, belongsTo: String)] {
        let known = Set((DestinationKey.common + kind.keys).map(\.name))
        return forms.keys.filter { !known.contains($0) }.sorted().map { name in
            (name, filter { $0.keys.contains { $0.name == name } }.map(\.name).joined(separator: " or "))
        }
    }
}
