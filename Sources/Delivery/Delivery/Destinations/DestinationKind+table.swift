extension DestinationKind {
    /// The kinds of destination that every program supports.
    public static let all: [DestinationKind] = [.http, .standardOutput, .command, .file, .mqtt, .postgreSQL, .keyboard]
}
