internal import ScanEvents

/// A key that a destination may have in the configuration.
public struct DestinationKey: Sendable, Hashable {
    /// The key, as in `url`.
    public let name: String
    /// The form of its value.
    public let form: ConfigurationSchema.Form
    /// What counts where the key is missing, in Markdown; empty where it must be there, or where nothing counts then.
    public let fallback: String
    /// What it says, in Markdown.
    public let meaning: String

    /// A key with one value, or with a list of them.
    public init(_ name: String, _ meaning: String, form: ConfigurationSchema.Form = .scalar, fallback: String = "") {
        self.name = name
        self.form = form
        self.fallback = fallback
        self.meaning = meaning
    }

    /// The keys of every destination, whatever its kind.
    public static let common: [DestinationKey] = [
        DestinationKey("type", "the kind of destination"),
        DestinationKey(
            "form", "`standard`, `cloudevents`, `event`, `envelope`, `template`, see below", fallback: "`standard`"),
        DestinationKey("template", "JSON of your own shape, see below"),
        DestinationKey("formats", "only these symbologies, a list", form: .list, fallback: "all"),
        DestinationKey(
            "sources",
            "only these kinds of source: \(ScanSource.Kind.all.map { "`\($0.rawValue)`" }.joined(separator: ", "))",
            form: .list,
            fallback: "all"),
        DestinationKey(
            "textMatches", "only texts in which this regular expression (of Swift) occurs", fallback: "all"),
        DestinationKey("concurrency", "attempts at the same time, 1 to 256", fallback: "8"),
        DestinationKey(
            "timeoutSeconds",
            "for an attempt, the answer included, or until standard output has taken the line. A command gets SIGTERM "
                + "then, with all that it has started, and 2 s later, or once it has ended itself, what is left of "
                + "them SIGKILL", fallback: "15"),
        DestinationKey(
            "retryAfterSeconds",
            "the waits after failed attempts, a list of one at least; after one attempt more the event is dead. So "
                + "two attempts are the fewest", form: .list, fallback: "the schedule below"),
    ]
}
