/// Collects the parts of a DataBar symbol from several lines, and assembles the symbols.
///
/// The parts of a stacked symbol stand in several rows. The finder pattern identifies each part, so its location does
/// not matter.
struct DataBarTally {
    /// A symbol with a valid checksum.
    struct Answer {
        var family: DataBarPart.Family
        var bytes: [UInt8]
        var range: Range<Double>
        var isReversed: Bool
        /// True if the symbol has a composite component.
        var isLinked: Bool
        /// The width of the range in modules.
        var modules: Int
        /// The number of lines in which the least certain character was seen.
        var votes: Int
        /// The first and the last line that show a part of the symbol.
        var lines: ClosedRange<Int>
    }

    /// The values and ranges seen for one part.
    private struct Entry {
        var outer: [Int: Int] = [:]
        var inner: [Int: Int] = [:]
        /// The ranges seen with both characters, and with one: the last part of a symbol may have only one.
        var ranges: [[Range<Double>]] = [[], []]
        var count = 0
        var reversed = 0
        var lines: ClosedRange<Int>
    }

    private var entries: [DataBarPart.Name: Entry] = [:]

    /// Indicates whether all parts of a symbol were seen, each at least `count` times, whatever their characters are.
    func hasAllParts(count: Int) -> Bool {
        func isSeen(_ name: DataBarPart.Name) -> Bool { entries[name].map { $0.count >= count } ?? false }
        let halves = entries.keys.lazy.filter { $0.family == .dataBar && isSeen($0) }.map(\.startsDark)
        if halves.contains(true), halves.contains(false) { return true }
        return Self.sequences.contains { sequence in
            sequence.enumerated().allSatisfy { place, finder in
                isSeen(DataBarPart.Name(family: .expanded, finder: finder, startsDark: place % 2 == 1))
            }
        }
    }

    /// The minimum ratio of the votes for a value to those for any other.
    private static let clearness = 2

    /// Adds a part seen on a line; lines are numbered from top to bottom.
    mutating func add(_ part: DataBarPart, line: Int) {
        var entry = entries[part.name] ?? Entry(lines: line...line)
        entry.lines = min(entry.lines.lowerBound, line)...max(entry.lines.upperBound, line)
        if let value = part.outer { entry.outer[value, default: 0] += 1 }
        if let value = part.inner { entry.inner[value, default: 0] += 1 }
        entry.ranges[part.outer != nil && part.inner != nil ? 0 : 1].append(part.range)
        entry.count += 1
        if part.isReversed { entry.reversed += 1 }
        entries[part.name] = entry
    }

    /// Returns the symbols in which every character has at least the given number of votes.
    func answers(votes: Int) -> [Answer] {
        dataBars(votes: votes) + (expanded(votes: votes).map { [$0] } ?? [])
    }

    /// Returns the value with the most votes; `nil` if it has too few or others have too many.
    private static func clear(_ values: [Int: Int], votes: Int) -> (value: Int, votes: Int)? {
        // If two values have equally many votes, neither is clear, so their order does not matter.
        guard let best = values.max(by: { $0.value < $1.value }), best.value >= votes,
            values.allSatisfy({ $0.key == best.key || $0.value * clearness <= best.value })
        else { return nil }
        return (best.key, best.value)
    }

    /// Returns the median extent of the part, and whether most lines read it in reverse.
    private static func place(_ entry: Entry) -> (range: Range<Double>, isReversed: Bool)? {
        guard let ranges = entry.ranges.first(where: { !$0.isEmpty }) else { return nil }
        let begin = ranges.map(\.lowerBound).sorted()[ranges.count / 2]
        let end = ranges.map(\.upperBound).sorted()[ranges.count / 2]
        return (min(begin, end)..<max(begin, end), entry.reversed * 2 > entry.count)
    }

    // MARK: DataBar

    private func dataBars(votes: Int) -> [Answer] {
        var result: [Answer] = []
        for (left, one) in entries where left.family == .dataBar && !left.startsDark {
            for (right, two) in entries where right.family == .dataBar && right.startsDark {
                guard let a = Self.clear(one.outer, votes: votes), let b = Self.clear(one.inner, votes: votes),
                    let c = Self.clear(two.outer, votes: votes), let d = Self.clear(two.inner, votes: votes),
                    let place = Self.place(one), let other = Self.place(two), place.isReversed != other.isReversed,
                    DataBarNumber.isChecked(
                        outer: (a.value, c.value), inner: (b.value, d.value), finders: (left.finder, right.finder)),
                    let message = DataBarNumber.message(outer: (a.value, c.value), inner: (b.value, d.value))
                else { continue }
                let range = Self.union(place.range, other.range)
                result.append(
                    Answer(
                        family: .dataBar, bytes: message.bytes, range: range, isReversed: place.isReversed,
                        isLinked: message.isLinked, modules: Self.modules(range, Self.partModules, in: place.range),
                        votes: min(a.votes, b.votes, c.votes, d.votes),
                        lines: Self.union(one.lines, two.lines)))
            }
        }
        return result.sorted { ($0.votes, $0.range.lowerBound) > ($1.votes, $1.range.lowerBound) }
    }

    /// The width of a part in modules: two characters and the finder pattern between them.
    private static let partModules = 16 + 15 + 15
    private static let expandedPartModules = 17 + 15 + 17

    /// Returns the width of a range in modules, by that of a part in it.
    private static func modules(_ range: Range<Double>, _ modules: Int, in part: Range<Double>) -> Int {
        let (whole, one) = (range.upperBound - range.lowerBound, part.upperBound - part.lowerBound)
        return one > 0 ? Int((Double(modules) * whole / one).rounded()) : modules
    }

    private static func union(_ one: Range<Double>, _ two: Range<Double>) -> Range<Double> {
        min(one.lowerBound, two.lowerBound)..<max(one.upperBound, two.upperBound)
    }

    private static func union(_ one: ClosedRange<Int>, _ two: ClosedRange<Int>) -> ClosedRange<Int> {
        min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound)
    }

    // MARK: DataBar Expanded

    /// The finder patterns of a symbol of two parts, of three, and so on.
    ///
    /// Source: ISO/IEC 24724, table of 7.2.7.
    private static let sequences = [
        [0, 0], [0, 1, 1], [0, 2, 1, 3], [0, 4, 1, 3, 2], [0, 4, 1, 3, 3, 5], [0, 4, 1, 3, 4, 5, 5],
        [0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 1, 1, 2, 2, 3, 4, 4], [0, 0, 1, 1, 2, 2, 3, 4, 5, 5],
        [0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 5],
    ]
    /// The modulus of the checksum, and the minimum number of characters of a symbol.
    private static let modulus = 211
    private static let fewestCharacters = 4

    private func expanded(votes: Int) -> Answer? {
        let first = DataBarPart.Name(family: .expanded, finder: 0, startsDark: false)
        // The first character is the check character: it gives the number of characters and the checksum of the
        // others.
        guard let start = entries[first], let check = Self.clear(start.outer, votes: votes),
            let place = Self.place(start)
        else { return nil }
        let count = check.value / Self.modulus + Self.fewestCharacters
        let parts = (count + 1) / 2
        guard let sequence = Self.sequences.first(where: { $0.count == parts }) else { return nil }
        var values: [Int] = []
        var sum = 0
        var range = place.range
        var lines = start.lines
        var fewest = check.votes
        for (place, finder) in sequence.enumerated() {
            let startsDark = place % 2 == 1
            guard let entry = entries[DataBarPart.Name(family: .expanded, finder: finder, startsDark: startsDark)]
            else { return nil }
            for isLeft in [true, false] {
                let number = 2 * place + (isLeft ? 0 : 1)
                guard number > 0, number < count else { continue }
                guard let value = Self.clear(isLeft != startsDark ? entry.outer : entry.inner, votes: votes),
                    let widths = DataBarCharacterSet.expanded.elements(of: value.value)
                else { return nil }
                let row = 4 * finder + (startsDark ? 2 : 0) + (isLeft ? 0 : 1) - 1
                sum += widths.enumerated().reduce(0) {
                    $0 + $1.element * Self.power(3, 8 * row + $1.offset, modulo: Self.modulus)
                }
                values.append(value.value)
                fewest = min(fewest, value.votes)
            }
            if let own = Self.place(entry) { range = Self.union(range, own.range) }
            lines = Self.union(lines, entry.lines)
        }
        guard sum % Self.modulus == check.value % Self.modulus, let message = ExpandedMessage(values) else {
            return nil
        }
        return Answer(
            family: .expanded, bytes: message.bytes, range: range, isReversed: place.isReversed,
            isLinked: message.isLinked, modules: Self.modules(range, Self.expandedPartModules, in: place.range),
            votes: fewest, lines: lines)
    }

    static func power(_ base: Int, _ exponent: Int, modulo: Int) -> Int {
        (0..<exponent).reduce(1) { result, _ in result * base % modulo }
    }
}
