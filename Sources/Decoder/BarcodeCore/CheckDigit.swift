/// The check digits that several symbologies and several kinds of content share.
///
/// Digits are ASCII bytes; the caller has made sure that they are digits.
package enum CheckDigit {
    /// The check digit of a GTIN or another GS1 key.
    ///
    /// The weights are 3 and 1 in turn, from the right. Source: GS1 General Specifications, 7.9.1.
    ///
    /// - Parameter digits: the digits before it.
    package static func gs1(of digits: some BidirectionalCollection<UInt8>) -> UInt8 {
        var sum = 0
        var weight = 3
        for digit in digits.reversed() {
            sum += Int(digit - 0x30) * weight
            weight = 4 - weight
        }
        return 0x30 + UInt8((10 - sum % 10) % 10)
    }

    /// Indicates whether the last digit is the check digit of the GS1 key before it.
    package static func isGS1Key(_ digits: some BidirectionalCollection<UInt8>) -> Bool {
        digits.last.map { $0 == gs1(of: digits.dropLast()) } ?? false
    }

    /// The check character of an ISBN-10 or an ISSN; `X` stands for 10.
    ///
    /// With the digits, weighted from their number plus one down to 2, it makes a sum that is a multiple of 11. Source:
    /// ISO 2108:1992 and ISO 3297.
    ///
    /// - Parameter digits: the digits before it.
    package static func modulo11(of digits: some Collection<UInt8>) -> UInt8 {
        let sum = zip(digits, (2...digits.count + 1).reversed()).reduce(0) { $0 + Int($1.0 - 0x30) * $1.1 }
        let check = (11 - sum % 11) % 11
        return check == 10 ? UInt8(ascii: "X") : UInt8(0x30 + check)
    }

    /// Indicates whether the last of seven or eight digits is the check digit of a PZN.
    ///
    /// It is the sum of the other digits modulo 11, each weighted by its position; the weights end with 7. Source:
    /// Informationsstelle für Arzneispezialitäten, "Technische Hinweise zur PZN-Codierung".
    package static func isPharmacyNumber(_ digits: some BidirectionalCollection<UInt8>) -> Bool {
        guard let last = digits.last else { return false }
        let first = 9 - digits.count
        let sum = digits.dropLast().enumerated().reduce(0) { $0 + Int($1.element - 0x30) * ($1.offset + first) }
        return sum % 11 == Int(last - 0x30)
    }
}
