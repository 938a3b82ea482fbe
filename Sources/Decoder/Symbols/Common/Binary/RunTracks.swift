internal import BarcodeCore

/// Patterns of runs as they are followed from line to line of a picture.
///
/// What was seen is kept in one list, and found again by its place: texture shows thousands of patterns on one line only.
struct RunTracks<Key: Equatable> {
    /// A pattern on several lines: where it begins and ends on each.
    struct Track {
        var key: Key
        var lines: [Int32]
        var inner: [Int32]
        var outer: [Int32]

        /// Places on the lines as points of the picture.
        func points(_ places: [Int32], isRow: Bool) -> [Point] {
            zip(lines, places).map { line, place in
                isRow
                    ? Point(x: Double(place), y: Double(line) + 0.5) : Point(x: Double(line) + 0.5, y: Double(place))
            }
        }
    }

    /// A pattern on one line.
    private struct Sight {
        var key: Key
        var line: Int32
        var inner: Int32
        var outer: Int32
        /// The same pattern on the line before, and how many lines there are; -1 for none.
        var previous: Int32
        var count: Int32
        /// Whether it was seen on a later line.
        var isContinued = false
        /// The sight before it in the same part of the line; -1 for none.
        var neighbor: Int32
    }

    /// Sights after which the rest of a picture is left out, 10 MB: photos of 12 megapixels have fewer than 20,000, a page
    /// of small print of 13 megapixels has 140,000.
    private static var maximumSights: Int { 1 << 18 }

    private var sights: [Sight] = []
    /// By part of the line, the last sight; -1 for none.
    private var parts: [Int32] = []
    /// Lines of the picture after which a pattern has ended.
    private let greatestGap: Int32
    /// The power of two of pixels of a part: more than a pattern moves by.
    private let partBits: Int32

    /// Whether what is seen may look like its neighbors: then the nearest is the same, and one may go on in several.
    private let isAmbiguous: Bool

    /// - Parameter greatestGap: lines of the picture after which a pattern has ended.
    init(greatestGap: Int, isAmbiguous: Bool) {
        self.isAmbiguous = isAmbiguous
        self.greatestGap = Int32(truncatingIfNeeded: greatestGap)
        partBits = Int32(Int32.bitWidth - Self.move(self.greatestGap).leadingZeroBitCount)
    }

    /// Pixels by which a pattern may move in so many lines: one of 63 degrees to the lines by two in each.
    private static func move(_ gap: Int32) -> Int32 { 2 * gap + 2 }

    /// Adds what was seen on a line to the pattern that it goes on with, or begins a new one.
    mutating func add(_ key: Key, line: Int32, inner: Int32, outer: Int32) {
        let part = Int(max(0, inner) >> partBits)
        if parts.count < part + 2 { parts += [Int32](repeating: -1, count: part + 2 - parts.count) }
        let width = abs(inner - outer)
        var best = -1
        var leastMove = Int32.max
        for near in max(0, part - 1)...(part + 1) {
            var index = Int(parts[near])
            while index >= 0 {
                let gap = line - sights[index].line
                guard gap <= greatestGap else {
                    // All before it are older still.
                    if index == Int(parts[near]) { parts[near] = -1 }
                    break
                }
                let known = abs(sights[index].inner - sights[index].outer)
                let move = abs(inner - sights[index].inner)
                if gap > 0, move <= Self.move(gap), abs(width - known) * 5 <= known + 10,
                    isAmbiguous || !sights[index].isContinued, sights[index].key == key
                {
                    // Of equals the one that was seen longest.
                    let total = isAmbiguous ? move + abs(width - known) : 0
                    if total < leastMove || total == leastMove && sights[index].count > sights[best].count {
                        leastMove = total
                        best = index
                    }
                }
                index = Int(sights[index].neighbor)
            }
        }
        guard sights.count < Self.maximumSights else { return }
        if best >= 0 { sights[best].isContinued = true }
        sights.append(
            Sight(
                key: key, line: line, inner: inner, outer: outer, previous: Int32(truncatingIfNeeded: best),
                count: best >= 0 ? sights[best].count + 1 : 1, neighbor: parts[part]))
        parts[part] = Int32(truncatingIfNeeded: sights.count - 1)
    }

    /// All patterns that were seen on as many lines, the longest first.
    func tracks(ofLines minimum: Int) -> [Track] {
        var tracks: [Track] = []
        var isUsed = [Bool](repeating: false, count: sights.count)
        let ends = sights.indices.filter { !sights[$0].isContinued && Int(sights[$0].count) >= minimum }
        for end in ends.sorted(by: { (sights[$0].count, $1) > (sights[$1].count, $0) }) {
            var places: [Int] = []
            var index = end
            // What looks alike beside a pattern goes on from it: the rest belongs to the longest.
            while index >= 0, !isUsed[index] {
                isUsed[index] = true
                places.append(index)
                index = Int(sights[index].previous)
            }
            guard places.count >= minimum else { continue }
            places.reverse()
            tracks.append(
                Track(
                    key: sights[end].key, lines: places.map { sights[$0].line },
                    inner: places.map { sights[$0].inner }, outer: places.map { sights[$0].outer }))
        }
        return tracks
    }
}
