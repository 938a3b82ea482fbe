/// PZN, the number of a German medicine: a hyphen and seven or eight digits of Code 39, the last a check digit.
///
/// Source: Informationsstelle für Arzneispezialitäten, "Technische Hinweise zur PZN-Codierung": the sum of the digits, each
/// times its place, modulo 11; those of the older seven digits count from 2.
enum PharmacyNumber {
    /// The seven or eight digits; nil for a message that is no PZN.
    static func digits(of message: [UInt8]) -> [UInt8]? {
        let digits = Array(message.dropFirst())
        guard message.first == UInt8(ascii: "-"), digits.count == 7 || digits.count == 8,
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let first = 9 - digits.count
        let sum = digits.dropLast().enumerated().reduce(0) { $0 + Int($1.element - 0x30) * ($1.offset + first) }
        return sum % 11 == Int(digits[digits.count - 1] - 0x30) ? digits : nil
    }
}
