internal import FoundationEssentials
internal import ScanEvents

/// The header field `Retry-After` of RFC 9110, section 10.2.3: seconds or a date.
enum RetryAfter {
    /// The time to wait; `nil` if the text is neither.
    ///
    /// Zero for a date in the past.
    ///
    /// - Parameter now: the time to count a date from: the response's own `Date` if it has one, so that a wrong
    ///   clock on either side does no harm.
    static func parse(_ text: String, now: Date) -> Duration? {
        if let seconds = Int64(text), seconds >= 0 {
            return .seconds(min(seconds, 1_000_000_000))
        }
        guard let date = httpDate(text) else { return nil }
        return .milliseconds(max(0, date.milliseconds - now.milliseconds))
    }

    /// Parses a date like `Sun, 06 Nov 1994 08:49:37 GMT`, the only format that may still be sent.
    static func httpDate(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT" else { return nil }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard let day = Int(parts[1]), let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3])
        else { return nil }
        let twoDigits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let date = Date(rfc3339: "\(year)-\(twoDigits(month + 1))-\(twoDigits(day))T\(parts[4])Z")
        // The parser accepts hour 25 as an hour of the next day.
        return date?.rfc3339.contains("T\(parts[4]).") == true ? date : nil
    }
}
