internal import BarcodeCore

/// Reads Interleaved 2 of 5 from its narrow and wide elements.
///
/// Source: ISO/IEC 16390.
enum ITFDecoder {
    // A bit for each of the five elements of a digit, 1 for a wide one.
    static let digits: [Int: UInt8] = [
        0b00110: 0, 0b10001: 1, 0b01001: 2, 0b11000: 3, 0b00101: 4, 0b10100: 5, 0b01100: 6, 0b00011: 7, 0b10010: 8,
        0b01010: 9,
    ]
    /// The number of elements of a pair of digits, one in the bars and the other in the spaces.
    private static let pairSize = 10
    /// The required quiet zone in narrow elements, on at least one side; the standard asks for ten.
    ///
    /// The other side may have ``leastQuietZone``.
    ///
    /// A wide space has up to three, and a fold or a smear makes it wider. A smaller limit would let a message begin
    /// in the middle of a symbol.
    private static let quietZone: Float = 6
    private static let leastQuietZone: Float = 5
    /// The number of digits of the shortest message: two would be found in any row of bars.
    private static let fewest = 6
    /// The largest ratio of the widths of neighboring pairs; a steep view has 1.3.
    private static let largestStretch: Float = 1.35

    /// Returns the width of a narrow element of an ITF, in pixels, from its outline.
    ///
    /// Its start and stop patterns are about nine narrow elements wide, and each two digits sixteen.
    static func narrowElement(of symbol: Symbol) -> Double {
        symbol.corners.topLeft.distance(to: symbol.corners.topRight) / Double(9 + 8 * symbol.bytes.count)
    }

    /// Returns the symbols on the line, in its direction.
    static func read(_ line: BarElements) -> [LineReading] {
        line.symbols(ofAtLeast: 7 + fewest * 5) { read(line, from: $0) }
    }

    private static func read(_ line: BarElements, from start: Int) -> (LineReading, end: Int)? {
        // The start pattern is four narrow elements, by the threshold of the first pair behind it.
        let firstPair = start + 4
        // A pair is 14 to 18 narrow elements wide. This check comes first because most candidates fail here.
        guard line.space(before: start) >= leastQuietZone / 18 * line.width(firstPair..<firstPair + pairSize),
            let widths = TwoWidths(line, characters: [firstPair], size: pairSize),
            widths.bits(line, start, count: 4) == 0, line.space(before: start) >= leastQuietZone * widths.narrow
        else { return nil }
        var bytes: [UInt8] = []
        var place = firstPair
        var size: Float?
        var last = widths
        while let (bits, widths) = TwoWidths.bits(line, at: place, first: firstPair, size: pairSize, stride: pairSize),
            let (one, two) = pair(bits)
        {
            let width = line.width(place..<place + pairSize)
            if let size, max(size, width) > largestStretch * min(size, width) { return nil }
            size = width
            last = widths
            bytes += [0x30 + one, 0x30 + two]
            place += pairSize
        }
        guard bytes.count >= fewest, place + 3 <= line.widths.count, last.bits(line, place, count: 3) == 0b100 else {
            return nil
        }
        let quiet = (line.space(before: start) / widths.narrow, line.space(at: place + 3) / last.narrow)
        guard min(quiet.0, quiet.1) >= leastQuietZone, max(quiet.0, quiet.1) >= quietZone
        else { return nil }
        let reading = LineReading(
            symbology: .itf, bytes: bytes, range: line.place(of: start..<place + 3), isReversed: line.isReversed,
            quiet: min(quiet.0, quiet.1),
            modules: line.modules(start..<place + 3, narrow: (widths.narrow, last.narrow)))
        return (reading, place + 4)
    }

    /// Returns the digit of the bars and that of the spaces among ten elements; `nil` if one of them is not a digit.
    private static func pair(_ bits: Int) -> (UInt8, UInt8)? {
        var (bars, spaces) = (0, 0)
        for place in 0..<5 {
            bars = bars * 2 + (bits >> (9 - 2 * place)) & 1
            spaces = spaces * 2 + (bits >> (8 - 2 * place)) & 1
        }
        guard let one = digits[bars], let two = digits[spaces] else { return nil }
        return (one, two)
    }
}
