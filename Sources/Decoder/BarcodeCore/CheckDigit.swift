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
