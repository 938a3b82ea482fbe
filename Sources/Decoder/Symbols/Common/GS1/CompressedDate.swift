/// A date in one number: year, month and day (ISO/IEC 24724, 7.2.5.4.4; ISO/IEC 24723, 5.3.1).
package enum CompressedDate {
    /// The number of encodable dates; used as a value, it means that an optional date is missing.
    package static let count = 100 * 12 * 32

    /// Returns the six digits of the year, the month and the day; `nil` for a number out of range.
    package static func digits(_ number: Int) -> [UInt8]? {
        guard (0..<count).contains(number) else { return nil }
        let parts = [number / 384, number / 32 % 12 + 1, number % 32]
        return parts.flatMap { (part: Int) -> [UInt8] in
            [0x30 + UInt8(truncatingIfNeeded: part / 10), 0x30 + UInt8(truncatingIfNeeded: part % 10)]
        }
    }
}
