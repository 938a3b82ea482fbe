/// Formats figures.
enum Format {
    /// A time in milliseconds, with about three digits.
    static func milliseconds(_ value: Double) -> String {
        if value >= 100 { return fixed(value, 0) }
        if value >= 10 { return fixed(value, 1) }
        if value >= 1 { return fixed(value, 2) }
        if value > 0, value < 0.0001 { return "<0.0001" }
        return fixed(value, value >= 0.1 || value == 0 ? 3 : 4)
    }

    /// A ratio such as 1.34.
    static func ratio(_ value: Double?) -> String {
        value.map { fixed($0, $0 >= 100 ? 0 : $0 >= 10 ? 1 : 2) } ?? "-"
    }

    /// A share such as 3.1 %.
    static func percent(_ value: Double?) -> String {
        value.map { fixed($0 * 100, 1) + " %" } ?? "-"
    }

    /// A change such as +3.1 %.
    static func change(_ ratio: Double) -> String {
        let share = fixed(abs(ratio - 1) * 100, 1)
        return (ratio < 1 ? "-" : "+") + share + " %"
    }

    /// "found of expected (misread)", as in 98 of 98 (0).
    static func score(_ score: Score?) -> String {
        score.map { "\($0.found) of \($0.expected)" + ($0.misread > 0 ? " (\($0.misread))" : "") } ?? "-"
    }

    /// A number with a fixed number of decimals.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite else { return "-" }
        var factor = 1.0
        for _ in 0..<digits { factor *= 10 }
        let whole = (abs(value) * factor).rounded()
        let sign = value < 0 && whole > 0 ? "-" : ""
        guard whole < 9e15 else { return "\(value)" }
        let number = "\(Int(whole))"
        guard digits > 0 else { return sign + number }
        let padded = String(repeating: "0", count: max(0, digits + 1 - number.count)) + number
        return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
    }

    /// A whole number with commas between groups of three digits.
    static func grouped(_ value: Int) -> String {
        var digits = Array("\(abs(value))")
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (value < 0 ? "-" : "") + String(digits)
    }
}
