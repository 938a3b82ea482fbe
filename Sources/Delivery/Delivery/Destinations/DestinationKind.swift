/// A kind of destination: its name, its configuration keys, and how to create one.
///
/// The configuration, its documentation and the programs' help use a list of these and know no kind by name.
public struct DestinationKind: Sendable {
    /// Creates the sink of a destination.
    ///
    /// `timeout` limits each attempt; all sinks share `clients`.
    public typealias SinkMaker =
        @Sendable (_ clients: SharedClients, _ timeout: Duration) throws(ConfigurationError) -> any Sink

    /// The value of `type` in the configuration, such as `http`.
    public let name: String
    /// A clause in Markdown that says what it does with an event.
    public let summary: String
    /// The keys specific to this kind.
    public let keys: [DestinationKey]
    /// Indicates whether it needs standard output for itself.
    public let writesStandardOutput: Bool
    /// The limit of concurrent attempts, which overrides the configuration; 1 if events must arrive in order.
    public let maximumConcurrency: Int
    /// Reads and validates the keys and reports problems; `nil` if no sink can be created.
    let read: @Sendable (inout DestinationValues) -> SinkMaker?

    /// Creates a kind of destination.
    ///
    /// - Parameters:
    ///   - name: the value of `type`, a plain word in lower case.
    ///   - summary: a clause in Markdown that says what it does with an event.
    ///   - keys: the keys specific to this kind; other kinds may have keys with the same names.
    ///   - writesStandardOutput: if true, the program ends when the reader of its standard output does.
    ///   - maximumConcurrency: the limit of concurrent attempts; 1 if events must arrive in order.
    ///   - read: reads and validates the keys and reports problems; `nil` if no sink can be created.
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
    /// The names as a phrase: "http, stdout or command".
    var names: String {
        let names = map(\.name)
        return names.dropLast().joined(separator: ", ") + (count > 1 ? " or " : "") + (names.last ?? "")
    }

    /// The forms of all keys, by their names.
    var forms: [String: ConfigurationSchema.Form] {
        let keys = DestinationKey.common + flatMap(\.keys)
        return Dictionary(keys.map { ($0.name, $0.form) }) { first, _ in first }
    }

    /// The keys that do not apply to a kind, each with the kinds that it belongs to.
    func meaningless(for kind: DestinationKind) -> [(name: String, belongsTo: String)] {
        let known = Set((DestinationKey.common + kind.keys).map(\.name))
        return forms.keys.filter { !known.contains($0) }.sorted().map { name in
            (name, filter { $0.keys.contains { $0.name == name } }.map(\.name).joined(separator: " or "))
        }
    }
}
