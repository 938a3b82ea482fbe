internal import BarcodeCore

/// Converts the numbers of a book, ISBN-13 and ISBN-10, to and from the EAN-13 printed for them.
enum BookNumber {
    /// Indicates whether the 13 digits of an EAN are an ISBN.
    ///
    /// Source: the prefixes 978 and 979, without 979-0, which is that of printed music (ISO 2108, ISO 10957).
    static func isISBN13(_ digits: [UInt8]) -> Bool {
        digits.starts(with: "978".utf8) || digits.starts(with: "979".utf8) && digits[3] != 0x30
    }

    /// Returns the ISBN-10 for the 13 digits of an EAN; `nil` if they do not begin with 978.
    ///
    /// Source: ISO 2108: the nine digits after 978, and their check character.
    static func isbn10(ofEAN13 digits: [UInt8]) -> [UInt8]? {
        guard digits.count == 13, digits.starts(with: "978".utf8) else { return nil }
        let number = digits[3..<12]
        return number + [CheckDigit.modulo11(of: number)]
    }

    /// Returns the thirteen digits of the EAN for an ISBN of ten characters; `nil` if it is not one.
    ///
    /// Source: ISO 2108: 978, the nine digits without their check character, and the check digit of an EAN.
    static func ean13(ofISBN10 isbn: [UInt8]) -> [UInt8]? {
        guard isbn.count == 10, isbn.dropLast().allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let digits = Array("978".utf8) + isbn.dropLast()
        return digits + [CheckDigit.gs1(of: digits)]
    }
}
