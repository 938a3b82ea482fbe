internal import BarcodeCore

/// Gathers the left row address patterns of MicroPDF417 symbols: columns of bars along the whole side of the symbol.
///
/// A pattern is ten modules wide, a bar of two at least and five narrower runs, and from row to row one of its edges moves
/// by one module (ISO/IEC 24728, 5.3): on a line at any angle up to 45 degrees it is six runs whose sum is the same on the
/// next line, between edges that are straight.
struct RowAddressScan {
    /// Lines that a side must be seen on, and lines on which it may be missed in between.
    private static let minimumLines = 5
    private static let greatestGap = 2
    /// Pixels of a pattern below which nothing can be told.
    private static let smallestWidth: Int32 = 12

    /// By whether the codewords are on the side of the greater coordinate.
    private var tracks: RunTracks<Bool>

    /// - Parameter step: pixels from a line to the next.
    init(step: Int) {
        tracks = RunTracks(greatestGap: Self.greatestGap * step, isAmbiguous: true)
    }

    /// The sides that were seen on lines.
    func sides(isRow: Bool) -> [PDF417Locator.Pattern] {
        tracks.tracks(ofLines: Self.minimumLines).compactMap(Self.straightened).map { track in
            PDF417Locator.Pattern(
                isStart: true, isInverted: false, inner: track.points(track.inner, isRow: isRow),
                outer: track.points(track.outer, isRow: isRow))
        }
    }

    /// Looks for patterns on a line.
    mutating func examine(_ line: RunLines.Line) {
        let starts = line.starts
        let runs = starts.count - 1
        guard runs >= 12, let base = starts.baseAddress else { return }
        let number = Int32(truncatingIfNeeded: line.number)
        // From each dark run, forward and backward. Ten runs from the quiet zone on: the pattern and the beginning of
        // the codeword beside it.
        for index in stride(from: line.isFirstDark ? 0 : 1, to: runs, by: 2) {
            if index + 10 <= runs, looksLikePattern(base + index, 1, isAtEdge: index <= 1) {
                tracks.add(true, line: number, inner: base[index + 6], outer: base[index])
            }
            if index >= 9, looksLikePattern(base + index + 1, -1, isAtEdge: index + 2 >= runs) {
                tracks.add(false, line: number, inner: base[index - 5], outer: base[index + 1])
            }
        }
    }

    /// Whether runs may be a pattern, with some of the quiet zone before it and of a codeword behind it.
    ///
    /// - Parameters:
    ///   - near: where it begins; what follows is a step further on each.
    ///   - isAtEdge: whether the picture begins there, whose quiet zone may be cut off; elsewhere one and a half modules are
    ///     asked of it, since one is the width of most spaces.
    @inline(__always)
    private func looksLikePattern(_ near: UnsafePointer<Int32>, _ step: Int, isAtEdge: Bool) -> Bool {
        let width = abs(near[6 * step] - near[0])
        let bar = abs(near[step] - near[0])
        guard bar * 100 > width * 13, bar * 100 < width * 50, width >= Self.smallestWidth,
            isAtEdge || abs(near[0] - near[-step]) * 7 > width
        else { return false }
        for pair in 0..<5 {
            let sum = 10 * abs(near[(pair + 2) * step] - near[pair * step])
            // A bar and the space behind it, or a space and the bar behind it: three to six modules in the first pair, two
            // to five in the others, with half a module and half a pixel of slack.
            let least: Int32 = pair == 0 ? 25 : 15
            guard sum * 10 + 50 > least * width, sum * 10 < (least + 40) * width + 50 else { return false }
        }
        return abs(near[10 * step] - near[0]) * 10 <= 22 * width
    }

    /// Lines through two places of a track that are tried.
    private static let maximumPairs = 12
    /// The least part of a track that must lie in a line.
    private static let minimumShare = 0.6

    /// The part of a track of which both edges lie in lines of one direction; nil where that is too little.
    ///
    /// At the ends of a side it may have gone on in something else.
    private static func straightened(_ track: RunTracks<Bool>.Track) -> RunTracks<Bool>.Track? {
        let count = track.lines.count
        let half = count / 2
        var best: [Int] = []
        for first in stride(from: 0, to: count - half, by: max(1, (count - half) / maximumPairs)) {
            let length = Double(track.lines[first + half] - track.lines[first])
            guard length > 0 else { continue }
            func slope(_ places: [Int32]) -> Double { Double(places[first + half] - places[first]) / length }
            let (outer, inner) = (slope(track.outer), slope(track.inner))
            guard abs(outer - inner) * length <= 2 + 0.15 * length else { continue }
            let fitting = track.lines.indices.filter { index in
                let along = Double(track.lines[index] - track.lines[first])
                return abs(Double(track.outer[index] - track.outer[first]) - outer * along) < 1.6
                    && abs(Double(track.inner[index] - track.inner[first]) - inner * along) < 1.6
            }
            if fitting.count > best.count { best = fitting }
            if best.count == count { break }
        }
        guard best.count >= minimumLines, Double(best.count) >= minimumShare * Double(count) else { return nil }
        return RunTracks.Track(
            key: track.key, lines: best.map { track.lines[$0] }, inner: best.map { track.inner[$0] },
            outer: best.map { track.outer[$0] })
    }
}
