internal import ScanEvents

/// A configuration key of a destination.
public struct DestinationKey: Sendable, Hashable {
    /// The key, as in `url`.
    public let name: String
    /// The form of its value.
    public let form: ConfigurationSchema.Form
    /// The default value, in Markdown; empty if the key is required or has no default.
    public let fallback: String
    /// The meaning of the key, in Markdown.
    public let meaning: String

    /// Creates a key with a single value or a list of values.
    public init(_ name: String, _ meaning: String, form: ConfigurationSchema.Form = .scalar, fallback: String = "") {
        self.name = name
        self.form = form
        self.fallback = fallback
        self.meaning = meaning
    }

    /// The keys common to all kinds of destination.
    public static let common: [DestinationKey] = [
        DestinationKey("type", "the kind of destination"),
        DestinationKey(
            "form",
            "`standard`, `cloudevents`, `event`, `envelope`, `template`; for `http` also `form`, `multipart`, "
                + "see [forms](events.md#forms)",
            fallback: "`standard`"),
        DestinationKey("template", "your own JSON, see [forms](events.md#forms)"),
        DestinationKey(
            "content", "`true` adds `content` to the event: what its message says, see [content.md](content.md)",
            fallback: "`false`"),
        DestinationKey("formats", "a list: only these symbologies", form: .list, fallback: "all"),
        DestinationKey(
            "sources",
            "a list: only these kinds: \(ScanSource.Kind.all.map { "`\($0.rawValue)`" }.joined(separator: ", "))",
            form: .list,
            fallback: "all"),
        DestinationKey(
            "textMatches", "only texts that contain a match of this Swift regular expression", fallback: "all"),
        DestinationKey(
            "contentMatches",
            "a list: only messages that match one of these: a kind of content (`gs1`), a field that exists "
                + "(`gs1.10`), or one that contains a match of a regular expression (`gs1.01=^0950`)",
            form: .list, fallback: "all"),
        DestinationKey(
            "parts",
            "`false` leaves out the single symbols of a message that is spread over several; the whole message is an "
                + "event of its own, see [events.md](events.md)", fallback: "`true`"),
        DestinationKey("concurrency", "concurrent attempts, 1 to 256", fallback: "8"),
        DestinationKey(
            "timeoutSeconds",
            "the limit for an attempt including the response, or for writing a line to standard output. A command "
                + "and all its child processes then get SIGTERM, and those still running after 2 s, or once the "
                + "command has exited, get SIGKILL", fallback: "15"),
        DestinationKey(
            "retryAfterSeconds",
            "a list of at least one delay, each used after one failed attempt. When all are used and one more "
                + "attempt fails, the event is dead; so there are at least two attempts", form: .list,
            fallback: "the schedule below"),
    ]
}
