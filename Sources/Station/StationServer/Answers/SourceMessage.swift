/// What codes come from, as it is sent: whether it can be read, where it is, and what its kind has besides.
struct SourceMessage<Details: Encodable & Sendable>: Encodable, Sendable {
    /// Whether it can be read.
    var status: String
    /// Why it cannot be read; null where it can.
    var problem: String?
    /// Its device file; null where there is none.
    var path: String?
    /// What stands beside these in the same object.
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
