internal import BarcodeCore

/// Finds the left row address patterns of MicroPDF417 symbols: columns of bars along the whole side of the symbol.
///
/// A pattern is ten modules wide: a bar of at least two modules and five narrower runs. From row to row one of its
/// edges moves by one module (ISO/IEC 24728, 5.3). On a line at any angle up to 45 degrees it is six runs with the
/// same sum on the next line, between straight edges.
struct RowAddressScan {
    /// The smallest number of lines that show a side, and the largest number of lines between two of them, or
    /// twice this number if every row is scanned.
    private static let minimumLines = 5
    private static let greatestGap = 2
    /// The smallest width in pixels of a pattern that can be resolved.
    private static let smallestWidth: Int32 = 12

    /// The tracked sides; the key is true if the codewords are on the side of the greater coordinate.
    private var tracks: RunTracks<Bool>

    /// - Parameter step: the distance of the lines, in pixels.
    init(step: Int) {
        tracks = RunTracks(greatestGap: Self.greatestGap * max(step, 2), isAmbiguous: true)
    }

    /// Returns the sides found on the lines.
    func sides(isRow: Bool) -> [PDF417Locator.Pattern] {
        tracks.tracks(ofLines: Self.minimumLines).compactMap(Self.straightened).map { track in
            PDF417Locator.Pattern(
                isStart: true, isInverted: false, inner: track.points(track.inner, isRow: isRow),
                outer: track.points(track.outer, isRow: isRow))
        }
    }

    /// Finds the patterns on a line.
    mutating func examine(_ line: RunLines.Line) {
        let starts = line.starts
        let runs = starts.count - 1
        guard runs >= 12, let base = starts.baseAddress else { return }
        let number = Int32(truncatingIfNeeded: line.number)
        // Search forward and backward from each dark run: ten runs from the quiet zone on, the pattern and the
        // beginning of the codeword beside it.
        for index in stride(from: line.isFirstDark ? 0 : 1, to: runs, by: 2) {
            if index + 10 <= runs, looksLikePattern(base + index, 1, isAtEdge: index <= 1) {
                tracks.add(true, line: number, inner: base[index + 6], outer: base[index])
            }
            if index >= 9, looksLikePattern(base + index + 1, -1, isAtEdge: index + 2 >= runs) {
                tracks.add(false, line: number, inner: base[index - 5], outer: base[index + 1])
            }
        }
    }

    /// Indicates whether runs may be a pattern, after part of the quiet zone and before part of a codeword.
    ///
    /// - Parameters:
    ///   - near: the start of the pattern.
    ///   - step: the distance from one run to the next, 1 or -1.
    ///   - isAtEdge: true if the image begins there, so that the quiet zone may be cut off. Elsewhere one and a half
    ///     modules are required, because most spaces are one module wide; behind a dark ground the one that the
    ///     standard asks for.
    @inline(__always)
    private func looksLikePattern(_ near: UnsafePointer<Int32>, _ step: Int, isAtEdge: Bool) -> Bool {
        let width = abs(near[6 * step] - near[0])
        let bar = abs(near[step] - near[0])
        guard bar * 100 > width * 13, bar * 100 < width * 50, width >= Self.smallestWidth,
            isAtEdge || abs(near[0] - near[-step]) * 7 > width
                || abs(near[0] - near[-step]) * 12 > width && abs(near[-step] - near[-2 * step]) * 10 > 8 * width
        else { return false }
        for pair in 0..<5 {
            let sum = 10 * abs(near[(pair + 2) * step] - near[pair * step])
            // A bar and the space behind it, or a space and the bar behind it: three to six modules in the first
            // pair, two to five in the others, with half a module and half a pixel of tolerance.
            let least: Int32 = pair == 0 ? 25 : 15
            guard sum * 10 + 50 > least * width, sum * 10 < (least + 40) * width + 50 else { return false }
        }
        return abs(near[10 * step] - near[0]) * 10 <= 22 * width
    }

    /// The largest number of lines through two points of a track that are tried.
    private static let maximumPairs = 12
    /// The smallest share of a track that must lie on a line.
    private static let minimumShare = 0.6

    /// Returns the part of a track whose edges lie on two parallel lines; `nil` if it is too short.
    ///
    /// At its ends a track may have continued into another object.
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
