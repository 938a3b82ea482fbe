extension DestinationKind {
    /// The kinds of destination that every program has.
    public static let all: [DestinationKind] = [.http, .standardOutput, .command, .file, .mqtt, .postgreSQL, .keyboard]
}
