/// What is wrong with a configuration, from wherever it came: all of it is said at once.
struct ConfigurationProblems: Sendable {
    /// Where a value stands; they are told in this order.
    enum Origin: Comparable, Sendable {
        case commandLine
        case environment
        /// A line of the file, counted from 1; 0 for the file as a whole.
        case line(Int)
    }

    private var all: [(origin: Origin, sentence: String)] = []

    /// Whether nothing is wrong.
    var isEmpty: Bool { all.isEmpty }

    /// Notes a sentence; the same one counts once.
    mutating func add(_ origin: Origin, _ sentence: String) {
        if !all.contains(where: { $0.origin == origin && $0.sentence == sentence }) { all.append((origin, sentence)) }
    }

    /// Notes all that another list has.
    mutating func add(_ others: ConfigurationProblems) {
        for other in others.all { add(other.origin, other.sentence) }
    }

    /// All of it, a line each, in the order of the places.
    var error: ConfigurationError {
        let sorted = all.enumerated().sorted { ($0.element.origin, $0.offset) < ($1.element.origin, $1.offset) }
        return ConfigurationError(Redaction.withoutSecrets(sorted.map(\.element.sentence).joined(separator: "\n")))
    }
}

/// Takes out of a sentence what may be secret.
public enum Redaction {
    /// The text without the user and password of a URL, and without a secret of Standard Webhooks.
    ///
    /// For values that are repeated because they stand in the wrong place: nobody knows what is in them.
    public static func withoutSecrets(_ text: String) -> String {
        text.replacing(/[^\s"]*:[^\s"]*@/, with: "...@").replacing(/whsec_[A-Za-z0-9+\/=_-]+/, with: "whsec_...")
    }
}
