/// The numbers of articles, cartons and places that end in a check digit: EAN, UPC and all other keys of GS1.
package enum ArticleNumber {
    /// How long a number is that names an article: GTIN-8, GTIN-12, GTIN-13 and GTIN-14.
    package static let lengths: Set<Int> = [8, 12, 13, 14]

    /// The check digit that belongs behind digits; nil where one of them is none, or there are none.
    package static func checkDigit(of digits: Substring) -> Character? {
        let bytes = Array(digits.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy(GS1Characters.isDigit) else { return nil }
        return Character(String(GS1Check.checkDigit(bytes[...])))
    }
}
