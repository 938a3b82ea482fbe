internal import BarcodeCore

/// The GS1 keys with a check digit for articles, cartons and locations: EAN, UPC and others.
package enum ArticleNumber {
    /// The lengths of an article number: GTIN-8, GTIN-12, GTIN-13 and GTIN-14.
    package static let lengths: Set<Int> = [8, 12, 13, 14]

    /// Returns the check digit for some digits; `nil` if there are none, or if a character is not a digit.
    package static func checkDigit(of digits: Substring) -> Character? {
        let bytes = Array(digits.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy(GS1Characters.isDigit) else { return nil }
        return Character(Unicode.Scalar(CheckDigit.gs1(of: bytes)))
    }

    /// Returns the twelve digits that the eight of a UPC-E stand for (GS1 General Specifications, 5.2.2.4.2).
    ///
    /// The check digit stays last. `nil` for anything but eight digits that begin with 0 or 1.
    package static func expanded(upcE digits: String) -> String? {
        let d = Array(digits)
        guard d.count == 8, d.allSatisfy({ $0.isASCII && $0.isNumber }), d[0] == "0" || d[0] == "1" else { return nil }
        let middle: [Character] =
            switch d[6] {
            case "0", "1", "2": [d[1], d[2], d[6]] + "0000" + [d[3], d[4], d[5]]
            case "3": [d[1], d[2], d[3]] + "00000" + [d[4], d[5]]
            case "4": [d[1], d[2], d[3], d[4]] + "00000" + [d[5]]
            default: [d[1], d[2], d[3], d[4], d[5]] + "0000" + [d[6]]
            }
        return String([d[0]] + middle + [d[7]])
    }
}
