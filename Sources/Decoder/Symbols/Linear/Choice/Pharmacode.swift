internal import BarcodeCore

/// Reads one-track Pharmacode: narrow and wide bars between equal spaces, without start, stop or check characters.
///
/// It is read only if it is requested explicitly, and only in one direction, because rotated by 180 degrees it is
/// another number. Source: Laetus, Pharmacode Guide, 4th edition.
enum Pharmacode {
    /// The allowed numbers of bars; the symbology allows two or more, but so few bars occur everywhere.
    private static let bars = 5...16
    /// The widths of narrow and wide bars, in spaces; the nominal widths are 0.5 and 1.5.
    private static let narrow: ClosedRange<Float> = 0.2...0.85
    private static let wide: ClosedRange<Float> = 1.15...2.2
    /// The largest ratio of the widths of two spaces.
    private static let largestStretch: Float = 1.5
    /// The width of the quiet zone in spaces, equal to six millimeters.
    private static let quietZone: Float = 3

    /// The length of a region whose strip contains the quiet zones, in lengths of the bars: five narrow bars are 6.5
    /// spaces long, and a strip is longer than its region by a third.
    static let lengthWithQuietZone = 1.6

    /// The number of edges of the shortest symbol.
    static let fewestEdges = 2 * bars.lowerBound

    /// Returns the symbol between two quiet zones on the line, in its direction.
    static func read(_ line: BarElements) -> [LineReading] {
        for first in stride(from: 0, to: line.widths.count, by: 2) {
            let widest = quietZone * line.space(at: first + 1)
            guard line.space(before: first) >= widest else { continue }
            var last = first
            // A space as wide as a quiet zone ends a row of bars.
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
            // From the right the bars have the weights 1, 2, 4 and so on; wide bars count twice.
            guard narrow.contains(width) || wide.contains(width) else { return nil }
            value = value * 2 + (wide.contains(width) ? 2 : 1)
        }
        return LineReading(
            symbology: .pharmacode, bytes: Array(String(value).utf8),
            range: line.place(of: range.lowerBound..<range.upperBound + 1), isReversed: line.isReversed)
    }
}
