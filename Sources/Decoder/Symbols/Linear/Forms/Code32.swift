/// Code 32, the number of an Italian medicine: nine digits, the last a check digit, as six characters of Code 39.
///
/// Source: Decreto del Ministro della Sanità 10.06.1983 and its annexes, "Codice a barre farmaceutico": the number
/// in base 32, with the digits and all letters except vowels, and printed with a leading A.
enum Code32 {
    private static let characters = Array("0123456789BCDFGHJKLMNPQRSTUVWXYZ".utf8)
    private static let size = 6
    private static let digitCount = 9

    /// Returns the number as printed, an A and nine digits; `nil` if the characters are not a Code 32.
    static func number(of message: [UInt8]) -> [UInt8]? {
        guard message.count == size else { return nil }
        var value = 0
        for byte in message {
            guard let digit = characters.firstIndex(of: byte) else { return nil }
            value = value * characters.count + digit
        }
        let text = String(value)
        guard text.utf8.count <= digitCount else { return nil }
        let digits = Array(String(repeating: "0", count: digitCount - text.utf8.count).utf8) + text.utf8
        return hasCheckDigit(digits) ? [UInt8(ascii: "A")] + digits : nil
    }

    /// Checks a sum modulo 10: digits count once and twice in turn, and the two digits of a product are added.
    private static func hasCheckDigit(_ digits: [UInt8]) -> Bool {
        let sum = digits.dropLast().enumerated().reduce(0) { sum, item in
            let digit = Int(item.element - 0x30)
            guard item.offset % 2 == 1 else { return sum + digit }
            return sum + digit * 2 / 10 + digit * 2 % 10
        }
        return digits.last.map { sum % 10 == Int($0 - 0x30) } ?? false
    }

    /// Indicates whether a message is more likely a Code 32 than six other characters.
    ///
    /// One in ten random messages in its alphabet has a correct check digit. The numbers of medicines begin with 0,
    /// those for animals with 1, other goods of a pharmacy with 9. Only four in a hundred numbers have fewer than
    /// two letters. These conditions leave plain numbers and most names as they are.
    static func isLikely(_ message: [UInt8]) -> Bool {
        guard let number = number(of: message) else { return false }
        return message.count { $0 >= UInt8(ascii: "A") } >= 2 && Array("019".utf8).contains(number[1])
    }
}
