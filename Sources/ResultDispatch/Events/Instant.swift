internal import FoundationEssentials

/// Points in time as they are stored and written: whole milliseconds since 1970, and RFC 3339 in UTC.
extension Date {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The time in milliseconds since 1970, rounded down.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000 + 0.0005).rounded(.down)) }

    /// The time that many milliseconds after the beginning of 1970.
    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The same time without what is finer than a millisecond.
    var wholeMilliseconds: Date { Date(milliseconds: milliseconds) }

    /// The time as `2026-11-21T11:08:04.123Z`.
    var rfc3339: String { formatted(Self.style) }

    /// The time that an RFC 3339 text tells, with or without a fraction of a second; nil where it is none.
    init?(rfc3339 text: String) {
        guard
            let date = (try? Date(text, strategy: Self.style))
                ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
        else { return nil }
        self = date.wholeMilliseconds
    }
}
