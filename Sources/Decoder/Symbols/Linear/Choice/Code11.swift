internal import BarcodeCore

/// Reads Code 11 from its narrow and wide elements; the check characters remain part of the message.
///
/// A symbol is read only if it has one or two correct check characters, and only if Code 11 is requested explicitly.
/// Source: AIM's "The Bar Code Book" (Palmer), Code 11.
enum Code11 {
    private static let characters = Array("0123456789-".utf8)
    // Bars and spaces alternate, 1 is a wide element; the last pattern is the start and stop character.
    private static let patterns = [
        0b00001, 0b10001, 0b01001, 0b11000, 0b00101, 0b10100, 0b01100, 0b00011, 0b10010, 0b10000, 0b00100, 0b00110,
    ]
    private static let bound = 11
    /// The number of elements of a character; a narrow space separates two characters.
    private static let size = 5
    private static let widestGap: Float = 2
    private static let quietZone: Float = 5
    private static let largestStretch: Float = 1.6
    /// The length of the shortest message, with its check character.
    private static let fewest = 3

    /// Returns the symbols on the line, in its direction.
    static func read(_ line: BarElements) -> [LineReading] {
        var place = 0
        while place + (size + 1) * (fewest + 2) - 1 <= line.widths.count {
            if let reading = read(line, from: place) { return [reading] }
            place += 2
        }
        return []
    }

    private static func read(_ line: BarElements, from first: Int) -> LineReading? {
        func character(at place: Int) -> (number: Int, narrow: Float)? {
            guard let (bits, widths) = TwoWidths.bits(line, at: place, first: first, size: size, stride: size + 1),
                let number = patterns.firstIndex(of: bits)
            else { return nil }
            return (number, widths.narrow)
        }
        // A character is 6 to 9 narrow elements wide. This check comes first because most candidates fail here.
        var width = line.width(first..<first + size)
        guard line.space(before: first) >= quietZone / 9 * width, let start = character(at: first),
            start.number == bound, line.space(before: first) >= quietZone * start.narrow
        else { return nil }
        var values: [Int] = []
        var place = first + size
        while place + size < line.widths.count {
            let next = line.width(place + 1..<place + 1 + size)
            guard max(next, width) <= largestStretch * min(next, width),
                let (number, narrow) = character(at: place + 1),
                line.widths[place] <= widestGap * narrow
            else { return nil }
            width = next
            place += 1 + size
            if number == bound {
                guard line.space(at: place) >= quietZone * narrow, let checks = checkCount(values) else { return nil }
                return LineReading(
                    symbology: .code11, bytes: values.map { characters[$0] }, range: line.place(of: first..<place),
                    isReversed: line.isReversed, modifier: checks == 2 ? 1 : 0)
            }
            values.append(number)
        }
        return nil
    }

    /// Returns the number of correct check characters at the end, 1 or 2; `nil` if there is none.
    private static func checkCount(_ values: [Int]) -> Int? {
        func isCheck(_ values: ArraySlice<Int>, period: Int) -> Bool {
            let sum = values.dropLast().reversed().enumerated().reduce(0) {
                $0 + $1.element * ($1.offset % period + 1)
            }
            return values.last == sum % 11
        }
        guard values.count >= fewest else { return nil }
        if isCheck(values[...], period: 9), isCheck(values.dropLast(), period: 10) { return 2 }
        return isCheck(values[...], period: 10) ? 1 : nil
    }
}
