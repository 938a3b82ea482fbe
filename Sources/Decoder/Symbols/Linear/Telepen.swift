internal import BarcodeCore

/// Reads Telepen from its narrow and wide elements.
///
/// A character is 16 modules: eight bits, the lowest first, of even parity, in pairs of a bar and a space. Source: AIM Europe,
/// Uniform Symbology Specification Telepen (1991).
enum Telepen {
    /// The start character, an underscore, and the stop character, z, whose last space is the quiet zone; 1 for wide.
    private static let start = (bits: 0b0000_0000_0011, size: 12)
    private static let stop = (bits: 0b110_0000_0000, size: 11)
    private static let modules: Float = 16
    /// Elements of a character at most: eight narrow bars and spaces.
    private static let largestSize = 16
    /// Modules of quiet zone, of which the standard asks for ten.
    private static let quietZone: Float = 5
    /// How much the width of a character may differ from the one before, as a factor.
    private static let largestStretch: Float = 1.3
    /// How much wider a wide element is than the widest narrow one of the start character, at least.
    private static let leastRatio: Float = 1.3
    /// Characters of the shortest message.
    private static let fewest = 2

    /// The symbols that the line shows, in its direction.
    static func read(_ line: BarElements) -> [LineReading] {
        line.symbols(ofAtLeast: start.size + stop.size + (fewest + 1) * 6) { read(line, from: $0) }
    }

    /// Whether the elements at a place may be a start character: ten narrow ones, then a wide bar and a wide space.
    private static func mayStart(_ line: BarElements, _ start: Int) -> Bool {
        var (bar, space): (Float, Float) = (0, 0)
        for place in stride(from: start, to: start + 10, by: 2) {
            bar = max(bar, line.widths[place])
            space = max(space, line.widths[place + 1])
        }
        return line.widths[start + 10] >= leastRatio * bar && line.widths[start + 11] >= leastRatio * space
    }

    private static func read(_ line: BarElements, from first: Int) -> (LineReading, end: Int)? {
        // This is asked first because most places fail here.
        guard mayStart(line, first) else { return nil }
        var module = line.width(first..<first + start.size) / modules
        guard line.space(before: first) >= quietZone * module,
            var widths = TwoWidths(line, characters: [first], size: start.size),
            widths.bits(line, first, count: start.size) == start.bits
        else { return nil }
        var values: [UInt8] = []
        var (before, place) = (first, first + start.size)
        while place + stop.size <= line.widths.count {
            // The character before and what is surely of this one; where they show only one width, what was known.
            let known = min(place + 6, line.widths.count)
            if let near = TwoWidths(line, characters: [before], size: (known - before) / 2 * 2) { widths = near }
            let isEnd = line.space(at: place + stop.size) >= quietZone * module
            if isEnd, widths.bits(line, place, count: stop.size) == stop.bits {
                guard let bytes = message(values) else { return nil }
                let reading = LineReading(
                    symbology: .telepen, bytes: bytes, range: line.place(of: first..<place + stop.size),
                    isReversed: line.isReversed, modifier: 0)
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

    /// The eight bits of the character at a place without their parity, and how many elements it has.
    private static func character(_ line: BarElements, at start: Int, _ widths: TwoWidths) -> (UInt8, size: Int)? {
        var (bits, count) = (0, 0)
        var place = start
        // A wide space behind a narrow bar begins, and the next one ends, a row of ones between two zeros.
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
        // The bit that was read first is the lowest.
        let value = (0..<7).reduce(0) { $0 | (bits >> (7 - $1) & 1) << $1 }
        return (UInt8(value), place - start)
    }

    /// The characters without the last one, which makes their sum a multiple of 127; nil where it does not.
    private static func message(_ values: [UInt8]) -> [UInt8]? {
        guard values.count > fewest, let check = values.last else { return nil }
        let sum = values.dropLast().reduce(0) { $0 + Int($1) }
        return (127 - sum % 127) % 127 == Int(check) ? values.dropLast() : nil
    }
}
