/// The problems of a configuration from all its sources, which are reported together.
struct ConfigurationProblems: Sendable {
    /// The source of a value.
    ///
    /// Problems are sorted in this order.
    enum Origin: Comparable, Sendable {
        case commandLine
        case environment
        /// A line of the file, counted from 1; 0 for the file as a whole.
        case line(Int)
    }

    private var all: [(origin: Origin, sentence: String)] = []

    /// Indicates whether there are no problems.
    var isEmpty: Bool { all.isEmpty }

    /// Adds a problem.
    ///
    /// Duplicates are ignored.
    mutating func add(_ origin: Origin, _ sentence: String) {
        if !all.contains(where: { $0.origin == origin && $0.sentence == sentence }) { all.append((origin, sentence)) }
    }

    /// Adds all problems of another list.
    mutating func add(_ others: ConfigurationProblems) {
        for other in others.all { add(other.origin, other.sentence) }
    }

    /// All problems as one error, one a line, sorted by origin.
    var error: ConfigurationError {
        let sorted = all.enumerated().sorted { ($0.element.origin, $0.offset) < ($1.element.origin, $1.offset) }
        return ConfigurationError(Redaction.withoutSecrets(sorted.map(\.element.sentence).joined(separator: "\n")))
    }
}

/// Removes secrets from text that is shown to people.
public enum Redaction {
    /// Returns the text without the user and password of a URL and without Standard Webhooks secrets.
    ///
    /// For messages that repeat a misplaced value, because it could hold anything.
    public static func withoutSecrets(_ text: String) -> String {
        text.replacing(/[^\s"]*:[^\s"]*@/, with: "...@").replacing(/whsec_[A-Za-z0-9+\/=_-]+/, with: "whsec_...")
    }
}
