internal import BarcodeCore

/// Reads Code 93 from the widths of its elements.
///
/// Source: AIM USS-93 (ANSI/AIM BC5-1995).
enum Code93 {
    // 0 to 9, A to Z, - . space $ / + %, the four shifts, start and stop.
    static let patterns = ModularPatterns(
        """
        131112 111213 111312 111411 121113 121212 121311 111114 131211 141111 211113 211212 211311 221112 221211 231111
        112113 112212 112311 122112 132111 111123 111222 111321 121122 131121 212112 212211 211122 211221 221121 222111
        112122 112221 122121 123111 121131 311112 311211 321111 112131 113121 211131 121221 312111 311121 122211 111141
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".utf8)
    private static let bound = 47
    /// The first of the four shifts, ($) (%) (/) (+).
    private static let shifts = 43
    private static let largestMisfit: Float = 0.11
    private static let largestStretch: Float = 1.25
    private static let quietModules: Float = 3

    /// Returns the symbols on the line, in its direction.
    static func read(_ line: BarElements) -> [LineReading] {
        // Required: start, one character, two check characters, stop and its last bar.
        line.symbols(ofAtLeast: patterns.elements * 5 + 1) { read(line, from: $0) }
    }

    private static func read(_ line: BarElements, from start: Int) -> (LineReading, end: Int)? {
        let size = patterns.elements
        var module = line.width(start..<start + size) / Float(patterns.modules)
        guard line.isClear(before: start, quiet: quietModules, module: module) else { return nil }
        let first = patterns.best(line, at: start, growth: 0, among: bound..<bound + 1)
        guard first.misfit <= largestMisfit else { return nil }
        var values: [Int] = []
        var growth = first.growth
        var place = start + size
        var isEnded = false
        while !isEnded, place + size < line.widths.count {
            let next = line.width(place..<place + size) / Float(patterns.modules)
            guard max(next, module) <= largestStretch * min(next, module) else { return nil }
            module = next
            let match = patterns.best(line, at: place, growth: growth)
            guard match.misfit <= largestMisfit else { return nil }
            growth = match.growth
            place += size
            if match.index == bound { isEnded = true } else { values.append(match.index) }
        }
        guard isEnded, values.count >= 3, abs(line.widths[place] / module - growth - 1) < 0.6,
            line.isClear(at: place + 1, quiet: quietModules, module: module),
            let bytes = message(values)
        else { return nil }
        // Start and stop character, and a bar at the end.
        let reading = LineReading(
            symbology: .code93, bytes: bytes, range: line.place(of: start..<place + 1), isReversed: line.isReversed,
            modules: patterns.modules * (values.count + 2) + 1)
        return (reading, place + 2)
    }

    /// Returns the message of character values, the last two of which are check characters; `nil` if these are
    /// wrong.
    static func message(_ values: [Int]) -> [UInt8]? {
        func check(_ values: ArraySlice<Int>, _ period: Int) -> Int {
            values.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset % period + 1) } % 47
        }
        guard values.count >= 3, check(values.dropLast(2), 20) == values[values.count - 2],
            check(values.dropLast(1), 15) == values[values.count - 1]
        else { return nil }
        var bytes: [UInt8] = []
        var shift: Int?
        for value in values.dropLast(2) {
            if let current = shift {
                guard (10..<36).contains(value), let byte = shifted(UInt8(value - 10), by: current) else { return nil }
                bytes.append(byte)
                shift = nil
            } else if value >= shifts {
                shift = value - shifts
            } else {
                bytes.append(characters[value])
            }
        }
        return shift == nil ? bytes : nil
    }

    /// Returns the ASCII character of a letter (0 for A) after the shift `shift`; `nil` if the pair has no meaning.
    static func shifted(_ letter: UInt8, by shift: Int) -> UInt8? {
        switch (shift, letter) {
        case (0, _): letter + 1
        case (1, 0..<5): letter + 27
        case (1, 5..<10): letter + 54
        case (1, 10..<15): letter + 81
        case (1, 15..<20): letter + 108
        case (1, 20): 0
        case (1, 21): 0x40
        case (1, 22): 0x60
        case (1, 23...): 0x7F
        case (2, 0..<15): letter + 33
        case (2, 25): 0x3A
        case (3, _): letter + 0x61
        default: nil
        }
    }
}
