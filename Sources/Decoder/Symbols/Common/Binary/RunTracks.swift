internal import BarcodeCore

/// Patterns of runs, tracked from line to line of an image.
///
/// All occurrences are in one list and found through the part of the line that they are in: texture makes thousands
/// of patterns that appear on only one line.
struct RunTracks<Key: Equatable & Sendable>: Sendable {
    /// A pattern on several lines, with its start and end on each.
    struct Track {
        var key: Key
        var lines: [Int32]
        var inner: [Int32]
        var outer: [Int32]

        /// Converts positions on the lines to points in the image, in pixels.
        func points(_ places: [Int32], isRow: Bool) -> [Point] {
            zip(lines, places).map { line, place in
                isRow
                    ? Point(x: Double(place), y: Double(line) + 0.5) : Point(x: Double(line) + 0.5, y: Double(place))
            }
        }
    }

    /// A pattern on one line.
    private struct Occurrence {
        var key: Key
        var line: Int32
        var inner: Int32
        var outer: Int32
        /// The index of the same pattern on an earlier line, or -1, and the number of lines so far.
        var previous: Int32
        var count: Int32
        /// True if the pattern was seen again on a later line.
        var isContinued = false
        /// The index of the previous occurrence in the same part of the line, or -1.
        var neighbor: Int32
    }

    /// The number of occurrences after which the rest of the image is skipped (10 MB).
    ///
    /// Photos of 12 megapixels have fewer than 20,000, and a page of small print of 13 megapixels has 140,000.
    private static var maximumOccurrences: Int { 1 << 18 }

    private var occurrences: [Occurrence] = []
    /// The index of the last occurrence in each part of the line, or -1.
    private var parts: [Int32] = []
    /// The number of missing lines after which a pattern has ended.
    private let greatestGap: Int32
    /// The width of a part as a power of two, in pixels.
    ///
    /// It exceeds the distance that a pattern can move.
    private let partBits: Int32

    /// True if patterns may look like their neighbors.
    ///
    /// The nearest one then continues a pattern, and one pattern may continue as several.
    private let isAmbiguous: Bool

    /// - Parameter greatestGap: the number of lines of the image after which a pattern has ended.
    init(greatestGap: Int, isAmbiguous: Bool) {
        self.isAmbiguous = isAmbiguous
        self.greatestGap = Int32(truncatingIfNeeded: greatestGap)
        partBits = Int32(Int32.bitWidth - Self.move(self.greatestGap).leadingZeroBitCount)
    }

    /// The distance in pixels that a pattern may move in a number of lines: two per line, which is an angle of 63
    /// degrees.
    private static func move(_ gap: Int32) -> Int32 { 2 * gap + 2 }

    /// Adds an occurrence to the pattern that it continues, or begins a new one.
    mutating func add(_ key: Key, line: Int32, inner: Int32, outer: Int32) {
        let part = Int(max(0, inner) >> partBits)
        if parts.count < part + 2 { parts += [Int32](repeating: -1, count: part + 2 - parts.count) }
        let width = abs(inner - outer)
        var best = -1
        var leastMove = Int32.max
        for near in max(0, part - 1)...(part + 1) {
            var index = Int(parts[near])
            while index >= 0 {
                let gap = line - occurrences[index].line
                guard gap <= greatestGap else {
                    // All earlier occurrences are older still.
                    if index == Int(parts[near]) { parts[near] = -1 }
                    break
                }
                let known = abs(occurrences[index].inner - occurrences[index].outer)
                let move = abs(inner - occurrences[index].inner)
                if gap > 0, move <= Self.move(gap), abs(width - known) * 5 <= known + 10,
                    isAmbiguous || !occurrences[index].isContinued, occurrences[index].key == key
                {
                    // Among equals, prefer the longest track.
                    let total = isAmbiguous ? move + abs(width - known) : 0
                    if total < leastMove || total == leastMove && occurrences[index].count > occurrences[best].count {
                        leastMove = total
                        best = index
                    }
                }
                index = Int(occurrences[index].neighbor)
            }
        }
        guard occurrences.count < Self.maximumOccurrences else { return }
        if best >= 0 { occurrences[best].isContinued = true }
        occurrences.append(
            Occurrence(
                key: key, line: line, inner: inner, outer: outer, previous: Int32(truncatingIfNeeded: best),
                count: best >= 0 ? occurrences[best].count + 1 : 1, neighbor: parts[part]))
        parts[part] = Int32(truncatingIfNeeded: occurrences.count - 1)
    }

    /// Returns all patterns seen on at least `minimum` lines, longest first.
    func tracks(ofLines minimum: Int) -> [Track] {
        var tracks: [Track] = []
        var isUsed = [Bool](repeating: false, count: occurrences.count)
        let ends = occurrences.indices.filter { !occurrences[$0].isContinued && Int(occurrences[$0].count) >= minimum }
        for end in ends.sorted(by: { (occurrences[$0].count, $1) > (occurrences[$1].count, $0) }) {
            var places: [Int] = []
            var index = end
            // A pattern's look-alikes may branch off from it. The shared lines belong to the longest track.
            while index >= 0, !isUsed[index] {
                isUsed[index] = true
                places.append(index)
                index = Int(occurrences[index].previous)
            }
            guard places.count >= minimum else { continue }
            places.reverse()
            tracks.append(
                Track(
                    key: occurrences[end].key, lines: places.map { occurrences[$0].line },
                    inner: places.map { occurrences[$0].inner }, outer: places.map { occurrences[$0].outer }))
        }
        return tracks
    }
}
