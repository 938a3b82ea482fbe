/// A GS1 date: a day, or a month without a day.
public struct GS1Date: Sendable, Hashable {
    /// The year with its century.
    public var year: Int
    /// The month, 1 to 12.
    public var month: Int
    /// The day, 1 to 31; `nil` for day 00, which names the month alone.
    ///
    /// An expiry date then means its last day.
    public var day: Int?

    /// Parses six digits YYMMDD or eight digits YYYYMMDD; `nil` for an invalid date.
    ///
    /// - Parameters:
    ///   - digits: the six or eight digits.
    ///   - currentYear: a two-digit year stands for the year from at most 49 years before to at most 50 years after
    ///     it.
    /// - Source: GS1 General Specifications, 7.12.
    public init?(_ digits: String, currentYear: Int) {
        let bytes = Array(digits.utf8)
        guard bytes.count == 6 || bytes.count == 8, bytes.allSatisfy(GS1Characters.isDigit) else { return nil }
        let yearDigits = bytes.count - 4
        year = GS1Check.number(bytes.prefix(yearDigits))
        if yearDigits == 2 {
            let difference = year - currentYear % 100
            let century = currentYear / 100 + (difference >= 51 ? -1 : difference <= -50 ? 1 : 0)
            year += 100 * century
        }
        month = GS1Check.number(bytes[yearDigits..<yearDigits + 2])
        let number = GS1Check.number(bytes[(yearDigits + 2)...])
        guard (1...12).contains(month), number <= Self.days(in: month, of: year) else { return nil }
        day = number == 0 ? nil : number
    }

    /// The date in ISO 8601, `2026-11-30` or `2026-11`.
    public var description: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let years = String(repeating: "0", count: max(0, 4 - String(year).utf8.count)) + String(year)
        return "\(years)-\(two(month))" + (day.map { "-" + two($0) } ?? "")
    }

    /// Returns the number of days of a month.
    static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func problem(
        _ part: ArraySlice<UInt8>, hasCentury: Bool, allowsDayZero: Bool
    ) -> GS1Check.Problem? {
        let digits = Array(part)
        let yearDigits = hasCentury ? 4 : 2
        guard digits.count == yearDigits + 4, digits.allSatisfy(GS1Characters.isDigit) else {
            return GS1Check.Problem(code: .badDate, message: "a date of \(yearDigits + 4) digits is expected here")
        }
        let month = GS1Check.number(digits[yearDigits..<yearDigits + 2])
        let day = GS1Check.number(digits[(yearDigits + 2)...])
        guard (1...12).contains(month) else {
            return GS1Check.Problem(code: .badDate, message: "the month \(month) does not exist")
        }
        // For two-digit years the century does not matter: of 1900, 2000 and 2100, only 2000, which 00 stands for,
        // is a leap year.
        let year = GS1Check.number(digits.prefix(yearDigits)) + (hasCentury ? 0 : 2000)
        guard day <= days(in: month, of: year), day > 0 || allowsDayZero else {
            return GS1Check.Problem(code: .badDate, message: "month \(month) has no day \(day)")
        }
        return nil
    }
}

extension GS1Date: CustomStringConvertible {}
