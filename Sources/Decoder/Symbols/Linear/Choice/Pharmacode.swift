internal import BarcodeCore

/// Reads Pharmacode of one track: narrow and wide bars between equal spaces, without start, stop or check.
///
/// It is read by choice only, and in one direction: turned around it is another number. Source: Laetus,
/// Pharmacode Guide, 4th edition.
enum Pharmacode {
    /// Bars; the symbology has from two on, but few could be anything.
    private static let bars = 5...16
    /// How wide narrow and wide bars are, in spaces, where half and one and a half are meant.
    private static let narrow: ClosedRange<Float> = 0.2...0.85
    private static let wide: ClosedRange<Float> = 1.15...2.2
    /// How much the widest space may be wider than the narrowest, as a factor.
    private static let largestStretch: Float = 1.5
    /// Spaces of quiet zone: six millimeters.
    private static let quietZone: Float = 3

    /// Edges of the shortest symbol.
    static let fewestEdges = 2 * bars.lowerBound

    /// The symbol that the line shows, in its direction, between two wide spaces.
    static func read(_ line: BarElements) -> [LineReading] {
        for first in stride(from: 0, to: line.widths.count, by: 2) {
            let widest = quietZone * line.space(at: first + 1)
            guard line.space(before: first) >= widest else { continue }
            var last = first
            // A space that is as wide as a quiet zone ends a row of bars.
            while last + 2 < line.widths.count, line.widths[last + 1] < widest { last += 2 }
            if let reading = read(line, first...last) { return [reading] }
        }
        return []
    }

    private static func read(_ line: BarElements, _ range: ClosedRange<Int>) -> LineReading? {
        guard bars.contains(range.count / 2 + 1) else { return nil }
        let spaces = stride(from: range.lowerBound + 1, to: range.upperBound, by: 2).map { line.widths[$0] }
        guard let least = spaces.min(), let most = spaces.max(), most <= largestStretch * least else { return nil }
        let space = spaces.reduce(0, +) / Float(spaces.count)
        guard min(line.space(before: range.lowerBound), line.space(at: range.upperBound + 1)) >= quietZone * space
        else {
            return nil
        }
        var value = 0
        for place in stride(from: range.lowerBound, through: range.upperBound, by: 2) {
            let width = line.widths[place] / space
            // From the right the bars count 1, 2, 4 and so on, wide ones twice.
            guard narrow.contains(width) || wide.contains(width) else { return nil }
            value = value * 2 + (wide.contains(width) ? 2 : 1)
        }
        return LineReading(
            symbology: .pharmacode, bytes: Array(String(value).utf8),
            range: line.place(of: range.lowerBound..<range.upperBound + 1), isReversed: line.isReversed)
    }
}
