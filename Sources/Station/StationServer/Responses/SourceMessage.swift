/// A source of codes, as sent to clients: its status, its device file, and details that depend on its kind.
struct SourceMessage<Details: Encodable & Sendable>: Encodable, Sendable {
    /// The status, by name.
    var status: String
    /// The reason why it cannot be read; null if it can.
    var problem: String?
    /// Its device file; null if there is none.
    var path: String?
    /// More fields, encoded in the same object.
    var details: Details

    private enum Key: String, CodingKey { case status, problem, path }

    init(_ status: some RawRepresentable<String>, problem: String?, path: String?, details: Details) {
        (self.status, self.problem, self.path, self.details) = (status.rawValue, problem, path, details)
    }

    func encode(to encoder: any Encoder) throws {
        try details.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(status, forKey: .status)
        try container.encode(problem, forKey: .problem)
        try container.encode(path, forKey: .path)
    }
}
