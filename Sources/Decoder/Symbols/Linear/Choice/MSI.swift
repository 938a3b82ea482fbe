internal import BarcodeCore

/// Reads MSI, in which each bit is a bar and a space of three modules together.
///
/// Most symbols have check digits. They remain part of the message because their kind is a private agreement. MSI is
/// read only if it is requested explicitly. Source: MSI Data Corporation's specification, as described in AIM's "The
/// Bar Code Book" (Palmer).
enum MSI {
    /// The modules of a bit, and the modules required of the quiet zone; the specification has twelve.
    private static let modules: Float = 3
    private static let quietZone: Float = 5
    /// The largest ratio of the widths of neighboring bits.
    private static let largestStretch: Float = 1.3
    /// The number of digits of the shortest message.
    private static let fewest = 3

    /// Returns the symbols on the line, in its direction.
    static func read(_ line: BarElements) -> [LineReading] {
        var place = 0
        // A start bit, four bits a digit, a stop bit and a bar.
        while place + 5 + fewest * 8 <= line.widths.count {
            if let reading = read(line, from: place) { return [reading] }
            place += 2
        }
        return []
    }

    private static func read(_ line: BarElements, from first: Int) -> LineReading? {
        var width = line.width(first..<first + 2)
        // The start bit is 1.
        guard line.space(before: first) >= quietZone / modules * width, line.widths[first] > width / 2 else {
            return nil
        }
        var bits: [Bool] = []
        var place = first + 2
        while place + 2 < line.widths.count {
            let next = line.width(place..<place + 2)
            guard max(next, width) <= largestStretch * min(next, width) else { break }
            bits.append(line.widths[place] > next / 2)
            width = next
            place += 2
        }
        // The stop bit is 0, followed by a narrow bar.
        guard bits.popLast() == false, bits.count % 4 == 0, bits.count >= 4 * fewest, line.widths[place] <= width / 2,
            line.space(at: place + 1) >= quietZone / modules * width
        else { return nil }
        let digits = stride(from: 0, to: bits.count, by: 4).map { start in
            bits[start..<start + 4].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }
        }
        guard digits.allSatisfy({ $0 <= 9 }) else { return nil }
        return LineReading(
            symbology: .msi, bytes: digits.map { UInt8(0x30 + $0) }, range: line.place(of: first..<place + 1),
            isReversed: line.isReversed, modifier: hasCheckDigit(digits) ? 0 : nil)
    }

    /// True if the last digit is the usual modulo 10 check digit of the others (Luhn): from the right every other
    /// digit is doubled, and two digits of a product are added.
    static func hasCheckDigit(_ digits: [Int]) -> Bool {
        let sum = digits.reversed().enumerated().reduce(0) {
            let digit = $1.element
            return $0 + ($1.offset % 2 == 0 ? digit : digit * 2 / 10 + digit * 2 % 10)
        }
        return sum % 10 == 0
    }
}
