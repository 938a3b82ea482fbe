internal import BarcodeCore

/// The number that the digits of an EAN or UPC symbol are, with what their sets say.
///
/// Source: ISO/IEC 15420, tables 3 to 6.
enum RetailNumber {
    /// Which left digits are of set B for each first digit of an EAN-13, the leftmost in the highest of six bits.
    private static let parities = [
        0b000000, 0b001011, 0b001101, 0b001110, 0b010011, 0b011001, 0b011100, 0b010101, 0b010110, 0b011010,
    ]
    /// Which digits of a UPC-E of number system 1 are of set B for each check digit; of system 0 it is the others.
    private static let upceParities = [
        0b000111, 0b001011, 0b001101, 0b001110, 0b010011, 0b011001, 0b011100, 0b010101, 0b010110, 0b011010,
    ]

    /// Whether characters are the fourteen digits of a GTIN with its check digit.
    static func isGTIN14(_ bytes: [UInt8]) -> Bool {
        bytes.count == 14 && bytes.allSatisfy({ (0x30...0x39).contains($0) }) && CheckDigit.isGS1Key(bytes)
    }

    /// The digits in ASCII, 13 or 8 of them; nil where sets or check digit are wrong.
    ///
    /// - Parameter parity: which of the left digits are of set B, the leftmost in the highest bit.
    static func bytes(_ symbology: Symbology, _ digits: [Int], parity: Int) -> [UInt8]? {
        switch symbology {
        case .ean13:
            guard let first = parities.firstIndex(of: parity) else { return nil }
            let number = ascii([first] + digits)
            return CheckDigit.isGS1Key(number) ? number : nil
        case .ean8:
            let number = ascii(digits)
            return CheckDigit.isGS1Key(number) ? number : nil
        default:
            // Only number system 0 is assigned (GS1 General Specifications), and no part of an EAN-13 has its sets: the left
            // half of each has those of system 1.
            guard let check = upceParities.firstIndex(of: ~parity & 63) else { return nil }
            let all = [0] + digits + [check]
            // The last digit says where the zeros of the long form stand, and so the weights of the others.
            let last = digits[5]
            let weights =
                switch last {
                case 0...2: [3, 1, 3, 3, 1, 3, 1, 1]
                case 3: [3, 1, 3, 1, 1, 3, 0, 1]
                case 4: [3, 1, 3, 1, 3, 3, 0, 1]
                default: [3, 1, 3, 1, 3, 1, 3, 1]
                }
            return zip(all, weights).reduce(0) { $0 + $1.0 * $1.1 } % 10 == 0 ? ascii(all) : nil
        }
    }

    private static func ascii(_ digits: [Int]) -> [UInt8] { digits.map { UInt8(0x30 + $0) } }
}
