internal import BarcodeCore

/// Reads Code 39 from its narrow and wide elements.
///
/// A check character remains part of the message, because the symbol does not tell whether it has one;
/// ``LinearForm`` removes it on request. Source: ISO/IEC 16388.
enum Code39 {
    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".utf8)
    // Bars and spaces alternate, 1 is a wide element; the last pattern is the start and stop character.
    static let patterns = [
        0b000110100, 0b100100001, 0b001100001, 0b101100000, 0b000110001, 0b100110000, 0b001110000, 0b000100101,
        0b100100100, 0b001100100, 0b100001001, 0b001001001, 0b101001000, 0b000011001, 0b100011000, 0b001011000,
        0b000001101, 0b100001100, 0b001001100, 0b000011100, 0b100000011, 0b001000011, 0b101000010, 0b000010011,
        0b100010010, 0b001010010, 0b000000111, 0b100000110, 0b001000110, 0b000010110, 0b110000001, 0b011000001,
        0b111000000, 0b010010001, 0b110010000, 0b011010000, 0b010000101, 0b110000100, 0b011000100, 0b010101000,
        0b010100010, 0b010001010, 0b000101010, 0b010010100,
    ]
    private static let bound = 43
    private static let numbers = Dictionary(uniqueKeysWithValues: patterns.enumerated().map { ($1, $0) })
    /// The number of elements of a character; a space of up to ``widestGap`` narrow elements separates two
    /// characters.
    private static let size = 9
    private static let widestGap: Float = 5.3
    private static let quietZone: Float = 5
    /// The largest ratio of the widths of neighboring characters.
    private static let largestStretch: Float = 1.3
    /// The length of the shortest message.
    private static let fewest = 2

    /// True if the last character is the check character of the others: the sum of their values modulo 43.
    ///
    /// Few symbols have it.
    ///
    /// Source: ISO/IEC 16388, annex A.
    static func hasCheckCharacter(_ message: [UInt8]) -> Bool {
        let values = message.compactMap(characters.firstIndex)
        guard values.count == message.count, values.count >= 2 else { return false }
        return values.dropLast().reduce(0, +) % bound == values[values.count - 1]
    }

    /// Returns the symbols on the line, in its direction.
    static func read(_ line: BarElements) -> [LineReading] {
        let flat = line.symbols(ofAtLeast: size * 3 + 2) { read(line, from: $0, shownBy: line) }
        guard flat.isEmpty else { return flat }
        return line.symbols(ofAtLeast: size * 3 + 2) { start in
            line.withEqualCharacters(from: start, size: size, modules: 16, gap: 1, quiet: quietZone)
                .flatMap { read($0, from: start, shownBy: line) }
        }
    }

    /// - Parameter original: the line on which the elements were found.
    private static func read(
        _ line: BarElements, from start: Int, shownBy original: BarElements
    ) -> (LineReading, end: Int)? {
        func character(at place: Int) -> (number: Int, narrow: Float)? {
            guard let (bits, widths) = TwoWidths.bits(line, at: place, first: start, size: size, stride: size + 1),
                let number = numbers[bits]
            else { return nil }
            return (number, widths.narrow)
        }
        // A character is 13 to 16 narrow elements wide. This check comes first because most candidates fail here.
        guard line.isClear(before: start, quiet: quietZone, module: line.width(start..<start + size) / 16),
            let first = character(at: start), first.number == bound,
            line.isClear(before: start, quiet: quietZone, module: first.narrow)
        else { return nil }
        var module = line.width(start..<start + size)
        var bytes: [UInt8] = []
        var place = start + size
        while place + size < line.widths.count {
            let next = line.width(place + 1..<place + 1 + size)
            guard max(next, module) <= largestStretch * min(next, module),
                let (number, narrow) = character(at: place + 1), line.widths[place] <= widestGap * narrow
            else { return nil }
            module = next
            place += 1 + size
            if number == bound {
                guard bytes.count >= fewest, line.isClear(at: place, quiet: quietZone, module: narrow) else {
                    return nil
                }
                let reading = LineReading(
                    symbology: .code39, bytes: bytes, range: original.place(of: start..<place),
                    isReversed: line.isReversed,
                    modules: line.modules(start..<place, narrow: (first.narrow, narrow)))
                return (reading, place + 1)
            }
            bytes.append(characters[number])
        }
        return nil
    }
}
