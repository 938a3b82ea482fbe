internal import BarcodeCore

/// Reads Telepen from its narrow and wide elements.
///
/// A character has 16 modules: eight bits, the lowest first, of even parity, in pairs of a bar and a space. Source:
/// AIM Europe, Uniform Symbology Specification Telepen (1991).
enum Telepen {
    /// The start character, an underscore, and the stop character, z, whose last space is the quiet zone; 1 is a
    /// wide element.
    private static let start = (bits: 0b0000_0000_0011, size: 12)
    private static let stop = (bits: 0b110_0000_0000, size: 11)
    private static let modules: Float = 16
    /// The largest number of elements of a character: eight narrow bars and spaces.
    private static let largestSize = 16
    /// The required quiet zone, in modules; the standard asks for ten.
    private static let quietZone: Float = 5
    /// The largest ratio of the widths of neighboring characters.
    private static let largestStretch: Float = 1.3
    /// The smallest ratio of a wide element to the widest narrow one of the start character.
    private static let leastRatio: Float = 1.3
    /// The length of the shortest message.
    private static let fewest = 2

    /// Returns the symbols on the line, in its direction.
    static func read(_ line: BarElements) -> [LineReading] {
        line.symbols(ofAtLeast: start.size + stop.size + (fewest + 1) * 6) { read(line, from: $0) }
    }

    /// Indicates whether elements may be a start character: ten narrow ones, then a wide bar and a wide space.
    private static func mayStart(_ line: BarElements, _ start: Int) -> Bool {
        var (bar, space): (Float, Float) = (0, 0)
        for place in stride(from: start, to: start + 10, by: 2) {
            bar = max(bar, line.widths[place])
            space = max(space, line.widths[place + 1])
        }
        return line.widths[start + 10] >= leastRatio * bar && line.widths[start + 11] >= leastRatio * space
    }

    private static func read(_ line: BarElements, from first: Int) -> (LineReading, end: Int)? {
        // This check comes first because most candidates fail here.
        guard mayStart(line, first) else { return nil }
        var module = line.width(first..<first + start.size) / modules
        guard line.space(before: first) >= quietZone * module,
            var widths = TwoWidths(line, characters: [first], size: start.size),
            widths.bits(line, first, count: start.size) == start.bits
        else { return nil }
        var values: [UInt8] = []
        var (before, place) = (first, first + start.size)
        while place + stop.size <= line.widths.count {
            // Measured on the character before and the certain part of this one; if they have only one width, the
            // last known widths.
            let known = min(place + 6, line.widths.count)
            if let near = TwoWidths(line, characters: [before], size: (known - before) / 2 * 2) { widths = near }
            let isEnd = line.space(at: place + stop.size) >= quietZone * module
            if isEnd, widths.bits(line, place, count: stop.size) == stop.bits {
                guard let bytes = message(values) else { return nil }
                let reading = LineReading(
                    symbology: .telepen, bytes: bytes, range: line.place(of: first..<place + stop.size),
                    isReversed: line.isReversed, modifier: 0, modules: 16 * (values.count + 2))
                return (reading, place + stop.size + 1)
            }
            guard let (value, size) = character(line, at: place, widths) else { return nil }
            let next = line.width(place..<place + size) / modules
            guard max(next, module) <= largestStretch * min(next, module) else { return nil }
            module = next
            values.append(value)
            (before, place) = (place, place + size)
        }
        return nil
    }

    /// Returns the character at an index without its parity bit, and its number of elements; `nil` if it is invalid.
    private static func character(_ line: BarElements, at start: Int, _ widths: TwoWidths) -> (UInt8, size: Int)? {
        var (bits, count) = (0, 0)
        var place = start
        // A wide space after a narrow bar begins a row of ones between two zeros, and the next one ends it.
        var isInside = false
        while count < 8, place < start + largestSize, let pair = widths.bits(line, place, count: 2) {
            let (more, length) =
                switch pair {
                case 0b00: (0b1, 1)
                case 0b01: (isInside ? 0b10 : 0b01, 2)
                case 0b10: (0b00, 2)
                default: (0b010, 3)
                }
            if pair == 0b01 { isInside.toggle() }
            bits = bits << length | more
            count += length
            place += 2
        }
        guard count == 8, !isInside, bits.nonzeroBitCount % 2 == 0 else { return nil }
        // The first bit is the lowest.
        let value = (0..<7).reduce(0) { $0 | (bits >> (7 - $1) & 1) << $1 }
        return (UInt8(value), place - start)
    }

    /// Returns the characters without the check character, which makes their sum a multiple of 127; `nil` if it does
    /// not.
    private static func message(_ values: [UInt8]) -> [UInt8]? {
        guard values.count > fewest, let check = values.last else { return nil }
        let sum = values.dropLast().reduce(0) { $0 + Int($1) }
        return (127 - sum % 127) % 127 == Int(check) ? values.dropLast() : nil
    }
}
