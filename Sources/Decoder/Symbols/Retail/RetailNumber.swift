internal import BarcodeCore

/// Decodes the digits and sets of an EAN or UPC symbol into its number.
///
/// Source: ISO/IEC 15420, tables 3 to 6.
enum RetailNumber {
    /// Indicates whether characters are the fourteen digits of a GTIN with its check digit.
    static func isGTIN14(_ bytes: [UInt8]) -> Bool {
        bytes.count == 14 && bytes.allSatisfy({ (0x30...0x39).contains($0) }) && CheckDigit.isGS1Key(bytes)
    }

    /// Returns the 13 or 8 ASCII digits; `nil` if the sets or the check digit are wrong.
    ///
    /// - Parameter parity: the digits of set B as bits, the leftmost in the highest bit.
    static func bytes(_ symbology: Symbology, _ digits: [Int], parity: Int) -> [UInt8]? {
        switch symbology {
        case .ean13:
            guard let first = EANLayout.parities.firstIndex(of: parity) else { return nil }
            let number = ascii([first] + digits)
            return CheckDigit.isGS1Key(number) ? number : nil
        case .ean8:
            let number = ascii(digits)
            return CheckDigit.isGS1Key(number) ? number : nil
        default:
            // Only number system 0 is assigned (GS1 General Specifications). The sets of system 1 are those of the
            // left halves of EAN-13 symbols.
            guard let check = EANLayout.upceParities.firstIndex(of: ~parity & 63) else { return nil }
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
