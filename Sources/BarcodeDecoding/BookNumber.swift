/// The older number of a book and the EAN-13 that is printed for it.
enum BookNumber {
    /// The thirteen digits of the EAN that an ISBN of ten characters stands for; nil for anything else.
    ///
    /// Source: ISO 2108: 978, the nine digits without their check character, and the check digit of an EAN.
    static func ean13(ofISBN10 isbn: [UInt8]) -> [UInt8]? {
        guard isbn.count == 10, isbn.dropLast().allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let digits = Array("978".utf8) + isbn.dropLast()
        let sum = digits.enumerated().reduce(0) { $0 + Int($1.element - 0x30) * ($1.offset % 2 == 0 ? 1 : 3) }
        return digits + [UInt8(0x30 + (10 - sum % 10) % 10)]
    }
}
