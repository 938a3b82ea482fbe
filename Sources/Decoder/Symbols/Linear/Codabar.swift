internal import BarcodeCore

/// Reads Codabar from its narrow and wide elements; the start and stop characters remain part of the message.
///
/// Source: EN 798 (AIM USS-Codabar).
enum Codabar {
    private static let characters = Array("0123456789-$:/.+ABCD".utf8)
    // Bars and spaces alternate, 1 is a wide element; the last four are the start and stop characters.
    static let patterns = [
        0b0000011, 0b0000110, 0b0001001, 0b1100000, 0b0010010, 0b1000010, 0b0100001, 0b0100100, 0b0110000, 0b1001000,
        0b0001100, 0b0011000, 0b1000101, 0b1010001, 0b1010100, 0b0010101, 0b0011010, 0b0101001, 0b0001011, 0b0001110,
    ]
    private static let starts = 16
    private static let numbers = Dictionary(uniqueKeysWithValues: patterns.enumerated().map { ($1, $0) })
    /// The number of elements of a character; a space of up to ``widestGap`` narrow elements separates two
    /// characters.
    private static let size = 7
    private static let widestGap: Float = 5.3
    /// The required quiet zone, in narrow elements; the standard has ten, but frames and trimmed labels leave less.
    private static let quietZone: Float = 5
    /// The same for a symbol of at least ``long`` characters, inside which no start character appears by chance.
    private static let longQuietZone: Float = 1.5
    private static let long = 9
    /// The smallest ratio of a wide to a narrow element, before they are measured together.
    private static let leastRatio: Float = 1.15
    /// The length of the shortest message, with start and stop characters.
    private static let fewest = 5

    /// Returns the symbols on the line, in its direction.
    static func read(_ line: BarElements) -> [LineReading] {
        line.symbols(ofAtLeast: size * fewest + fewest - 1) { read(line, from: $0) }
    }

    /// True if the elements may be a start character: one bar is wider than the other three, and two spaces are
    /// wider than the third, in the positions of a start character.
    ///
    /// Hardly any other elements match.
    private static func mayStart(_ line: BarElements, _ start: Int) -> Bool {
        // In all start characters the middle one of the three spaces is wide; the last one is narrow in B alone.
        let (first, middle, last) = (line.widths[start + 1], line.widths[start + 3], line.widths[start + 5])
        let least = leastRatio * min(first, last)
        guard middle >= least, max(first, last) >= least else { return false }
        var (widest, second): (Float, Float) = (0, 0)
        var widestBar = 0
        for bar in 0..<4 {
            let width = line.widths[start + 2 * bar]
            if width > widest {
                (widest, second) = (width, widest)
                widestBar = bar
            } else {
                second = max(second, width)
            }
        }
        return widest >= leastRatio * second && (first <= last ? widestBar > 0 : widestBar == 3)
    }

    private static func read(_ line: BarElements, from start: Int) -> (LineReading, end: Int)? {
        // The older kind of Codabar makes all characters equally wide, so that each has its own widths of narrow and
        // wide elements.
        func character(at place: Int) -> (number: Int, narrow: Float)? {
            for isAlone in [false, true] {
                if let (bits, widths) = TwoWidths.bits(
                    line, at: place, first: start, size: size, stride: size + 1, isAlone: isAlone),
                    let number = numbers[bits], place > start || number >= starts
                {
                    return (number, widths.narrow)
                }
            }
            return nil
        }
        // A character is 9 to 14 narrow elements wide. This check comes first because most candidates fail here.
        guard line.isClear(before: start, quiet: longQuietZone, module: line.width(start..<start + size) / 14),
            mayStart(line, start), let first = character(at: start)
        else { return nil }
        var bytes = [characters[first.number]]
        var place = start + size
        while place + size < line.widths.count {
            guard let (number, narrow) = character(at: place + 1), line.widths[place] <= widestGap * narrow else {
                return nil
            }
            place += 1 + size
            bytes.append(characters[number])
            if number >= starts {
                let quiet = min(line.space(before: start) / first.narrow, line.space(at: place) / narrow)
                let isLong = bytes.count >= long
                guard isLong || bytes.count >= fewest && quiet >= quietZone,
                    line.isClear(before: start, quiet: longQuietZone, module: first.narrow),
                    line.isClear(at: place, quiet: longQuietZone, module: narrow)
                else { return nil }
                let reading = LineReading(
                    symbology: .codabar, bytes: bytes, range: line.place(of: start..<place),
                    isReversed: line.isReversed, quiet: quiet,
                    modules: line.modules(start..<place, narrow: (first.narrow, narrow)))
                return (reading, place + 1)
            }
        }
        return nil
    }
}
