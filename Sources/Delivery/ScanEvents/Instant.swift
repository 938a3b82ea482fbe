public import FoundationEssentials
internal import Glibc

/// Conversions to the stored and written forms of a time: whole milliseconds since 1970, and RFC 3339 in UTC.
extension Date {
    private static let style = Date.ISO8601FormatStyle()

    /// The time in milliseconds since 1970, rounded down but tolerant of binary rounding errors.
    package var milliseconds: Int64 {
        let exact = timeIntervalSince1970 * 1000
        return Int64(max(-1e17, min(1e17, (exact + 0.002).rounded(.down))))
    }

    /// Creates a time from milliseconds since 1970.
    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The day in the machine's time zone, as `2026-11-21`.
    package var localDay: String {
        var seconds = time_t(max(-1e11, min(1e11, timeIntervalSince1970.rounded(.down))))
        var parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }

    /// The time as `2026-11-21T11:08:04.123Z`.
    public var rfc3339: String {
        // The style truncates a binary fraction, which is a millisecond short one time in three.
        let milliseconds = milliseconds
        let fraction = (milliseconds % 1000 + 1000) % 1000
        let seconds = Date(milliseconds: milliseconds - fraction).formatted(Self.style)
        return seconds.dropLast() + "." + String(1000 + fraction).dropFirst() + "Z"
    }

    /// Parses an RFC 3339 time, with or without a fraction of a second; `nil` if it is not one.
    ///
    /// The time is truncated to milliseconds.
    public init?(rfc3339 text: String) {
        var seconds = text
        var milliseconds: Int64 = 0
        if let point = text.firstIndex(of: ".") {
            let digits = text[text.index(after: point)...].prefix { ("0"..."9").contains($0) }
            guard !digits.isEmpty else { return nil }
            milliseconds = Int64((digits + "00").prefix(3)) ?? 0
            seconds = String(text[..<point] + text[digits.endIndex...])
        }
        guard let date = try? Date(seconds, strategy: Self.style) else { return nil }
        self.init(milliseconds: date.milliseconds + milliseconds)
    }
}

extension Duration {
    /// The duration in whole milliseconds, rounded down.
    package var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
