internal import BarcodeCore

/// The number that the four characters of a DataBar symbol encode.
///
/// Source: ISO/IEC 24724, 5.2.2 to 5.2.4.
enum DataBarNumber {
    private static let innerCount = 1597
    private static let pairCount = 4_537_077
    /// Added to the number of a symbol with a composite component.
    private static let linkage = 10_000_000_000_000
    private static let modulus = 79

    /// True if the checksum of the four characters' widths matches the finder patterns.
    ///
    /// - Parameters:
    ///   - outer: the values of the outer characters, left half first.
    ///   - inner: the values of the inner characters, left half first.
    ///   - finders: the numbers of the finder patterns, left half first.
    static func isChecked(outer: (Int, Int), inner: (Int, Int), finders: (Int, Int)) -> Bool {
        var sum = 0
        for (place, item) in [
            (outer.0, DataBarCharacterSet.outer), (inner.0, .inner), (outer.1, .outer), (inner.1, .inner),
        ].enumerated() {
            guard let widths = item.1.elements(of: item.0) else { return false }
            for (element, width) in widths.enumerated() {
                sum += width * DataBarTally.power(3, 8 * place + element, modulo: modulus)
            }
        }
        // 79 of the 81 pairs of finder patterns are used.
        var check = 9 * finders.0 + finders.1
        if check == 8 || check == 72 { return false }
        if check > 72 { check -= 1 }
        if check > 8 { check -= 1 }
        return sum % modulus == check
    }

    /// Returns the element string: application identifier 01 and fourteen digits; `nil` for a number that is too
    /// large.
    ///
    /// - Returns: the element string, and whether the symbol has a composite component.
    static func message(outer: (Int, Int), inner: (Int, Int)) -> (bytes: [UInt8], isLinked: Bool)? {
        var number = (innerCount * outer.0 + inner.0) * pairCount + innerCount * outer.1 + inner.1
        let isLinked = number >= linkage
        if isLinked { number -= linkage }
        guard number < linkage else { return nil }
        let digits = String(number)
        let padding = String(repeating: "0", count: 13 - digits.count)
        return (Array("01".utf8) + checked(Array(padding.utf8) + digits.utf8), isLinked)
    }

    /// Returns thirteen digits followed by the check digit of a GTIN.
    static func checked(_ digits: [UInt8]) -> [UInt8] {
        digits + [CheckDigit.gs1(of: digits)]
    }
}
