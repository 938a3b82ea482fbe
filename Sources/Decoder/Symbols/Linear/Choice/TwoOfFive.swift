internal import BarcodeCore

/// Reads the kinds of 2 of 5 whose digits are not interleaved, from their narrow and wide elements.
///
/// They have no check digit and short start and stop patterns, so they are read only if they are requested
/// explicitly. Sources: AIM Europe, Uniform Symbology Specification Industrial 2 of 5; Nieaf Matrix 2 of 5; IATA
/// Resolution 606 and its 2 of 5.
struct TwoOfFive {
    let symbology: Symbology
    /// True if spaces carry data too; if not, a digit is five bars separated by narrow spaces.
    let usesSpaces: Bool
    /// The elements of the start and the stop pattern as bits, 1 for a wide element.
    let start: (bits: Int, size: Int)
    let stop: (bits: Int, size: Int)
    /// The number of digits of the shortest message; higher if the start and stop patterns occur in any bars.
    let fewest: Int

    /// All supported kinds.
    static let all = [
        TwoOfFive(
            symbology: .industrial2of5, usesSpaces: false, start: (0b101000, 6), stop: (0b10001, 5), fewest: 4),
        TwoOfFive(symbology: .iata2of5, usesSpaces: false, start: (0b0000, 4), stop: (0b100, 3), fewest: 6),
        TwoOfFive(symbology: .matrix2of5, usesSpaces: true, start: (0b100000, 6), stop: (0b10000, 5), fewest: 4),
        TwoOfFive(symbology: .dataLogic2of5, usesSpaces: true, start: (0b0000, 4), stop: (0b100, 3), fewest: 6),
    ]

    /// The required quiet zone, in narrow elements.
    private static let quietZone: Float = 5
    /// The largest space between two digits, in narrow elements.
    private static let widestGap: Float = 2
    /// The largest ratio of the widths of neighboring digits.
    private static let largestStretch: Float = 1.3

    /// The number of elements from one digit to the next, and of a digit without the space behind it.
    private var step: Int { usesSpaces ? 6 : 10 }
    private var size: Int { step - 1 }

    /// Returns the symbols on the line, in its direction.
    func read(_ line: BarElements) -> [LineReading] {
        var place = 0
        while place + start.size + fewest * step + stop.size <= line.widths.count {
            if let reading = read(line, from: place) { return [reading] }
            place += 2
        }
        return []
    }

    private func read(_ line: BarElements, from first: Int) -> LineReading? {
        let firstDigit = first + start.size
        // A digit is 9 to 16 narrow elements wide. This check comes first because most candidates fail here.
        guard line.space(before: first) >= Self.quietZone / 16 * line.width(firstDigit..<firstDigit + size),
            let widths = TwoWidths(line, characters: [firstDigit, firstDigit + step], size: size),
            widths.bits(line, first, count: start.size) == start.bits,
            line.space(before: first) >= Self.quietZone * widths.narrow
        else { return nil }
        var bytes: [UInt8] = []
        var (place, last, width) = (firstDigit, widths, line.width(firstDigit..<firstDigit + size))
        while let (bits, widths) = TwoWidths.bits(line, at: place, first: firstDigit, size: size, stride: step),
            let digit = digit(bits), line.space(at: place + size) <= Self.widestGap * widths.narrow
        {
            let next = line.width(place..<place + size)
            guard max(next, width) <= Self.largestStretch * min(next, width) else { return nil }
            (width, last) = (next, widths)
            bytes.append(0x30 + digit)
            place += step
        }
        guard bytes.count >= fewest, last.bits(line, place, count: stop.size) == stop.bits,
            line.space(at: place + stop.size) >= Self.quietZone * last.narrow
        else { return nil }
        return LineReading(
            symbology: symbology, bytes: bytes, range: line.place(of: first..<place + stop.size),
            isReversed: line.isReversed)
    }

    /// Returns the digit of some elements, two of five of which are wide; `nil` if it is not a digit.
    private func digit(_ bits: Int) -> UInt8? {
        guard !usesSpaces else { return ITFDecoder.digits[bits] }
        var bars = 0
        for place in stride(from: size - 1, through: 0, by: -2) { bars = bars * 2 + bits >> place & 1 }
        // If only bars carry data, all spaces must be narrow.
        return bits & 0b010101010 == 0 ? ITFDecoder.digits[bars] : nil
    }
}
