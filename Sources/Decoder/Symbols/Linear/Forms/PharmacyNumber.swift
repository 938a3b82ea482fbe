internal import BarcodeCore

/// PZN, the number of a German medicine: a hyphen and seven or eight digits of Code 39, the last a check digit.
enum PharmacyNumber {
    /// Returns the seven or eight digits; `nil` if the message is not a PZN.
    static func digits(of message: [UInt8]) -> [UInt8]? {
        let digits = Array(message.dropFirst())
        guard message.first == UInt8(ascii: "-"), digits.count == 7 || digits.count == 8,
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return CheckDigit.isPharmacyNumber(digits) ? digits : nil
    }
}
