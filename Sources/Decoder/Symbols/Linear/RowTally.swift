internal import BarcodeCore

/// Counts the rows of pixels that agree on a message.
///
/// Rows are independent evidence; several sharpenings of one row are not.
struct RowTally {
    private struct Entry {
        var reading: LineReading
        var rows: Set<Int> = []
        var begin: [Double] = []
        var end: [Double] = []

        /// The most rows one after the other that show the message.
        var longestRun: ClosedRange<Int> {
            var (longest, run) = (0...0, 0...0)
            for (place, row) in rows.sorted().enumerated() {
                run = place > 0 && row == run.upperBound + 1 ? run.lowerBound...row : row...row
                if place == 0 || run.count > longest.count { longest = run }
            }
            return longest
        }

        var range: Range<Double> {
            let (first, last) = (begin.sorted()[begin.count / 2], end.sorted()[end.count / 2])
            return min(first, last)..<max(first, last)
        }
    }

    /// The fewest rows of which a part is enough for an Interleaved 2 of 5, and this part: something covers the
    /// others, or there is text beside them.
    ///
    /// The rows must follow each other, and none may show another message.
    private static let fewestRowsWithPart = 24
    private static let partOfRows = 4
    /// The columns inside the image: paper beyond them was not seen.
    private let seen: Range<Double>
    private var entries: [Entry] = []
    private var readRows: Set<Int> = []

    init(seen: Range<Double>) {
        self.seen = seen
    }

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ reading: LineReading, row: Int) {
        readRows.insert(row)
        let index =
            entries.firstIndex { entry in
                entry.reading.isSame(as: reading) && entry.range.overlaps(reading.range)
            }
            ?? {
                entries.append(Entry(reading: reading))
                return entries.count - 1
            }()
        guard entries[index].rows.insert(row).inserted else { return }
        entries[index].begin.append(reading.range.lowerBound)
        entries[index].end.append(reading.range.upperBound)
        entries[index].reading.quiet = min(entries[index].reading.quiet, reading.quiet)
    }

    /// Returns the messages on which enough rows agree and which less than a third as many contradict.
    ///
    /// - Parameter rows: the number of rows that were read.
    func answers(ofRows rows: Int) -> [LinearReader.Answer] {
        entries.compactMap { entry in
            let range = entry.range
            guard isWhole(entry, range) else { return nil }
            let rivals = entries.filter { !$0.reading.isSame(as: entry.reading) && $0.range.overlaps(range) }
            guard entry.rows.count >= Self.fewestRows(entry.reading, of: rows) else {
                guard entry.reading.symbology == .itf, rivals.isEmpty, rows >= Self.fewestRowsWithPart,
                    entry.longestRun.count >= rows / Self.partOfRows
                else { return nil }
                var answer = LinearReader.Answer(entry.reading, range: range, votes: entry.rows.count)
                answer.profiles = entry.longestRun
                return answer
            }
            guard rivals.allSatisfy({ 3 * $0.rows.count < entry.rows.count }) else { return nil }
            return LinearReader.Answer(entry.reading, range: range, votes: entry.rows.count)
        }
    }

    /// Returns the number of rows that must agree: a wrong EAN passes its check digit in one of ten cases, a wrong
    /// Code 128 in one of a hundred, and a symbology without a check character in all.
    private static func fewestRows(_ reading: LineReading, of rows: Int) -> Int {
        switch reading.symbology {
        case .ean13: max(3, rows / 8)
        case .ean8, .upcE: max(4, rows / 4)
        default: reading.symbology.traits.check == .checksum ? max(2, rows / 8) : max(4, rows / 2)
        }
    }

    /// Indicates whether both quiet zones were seen, so that the reading cannot be part of a longer symbol.
    ///
    /// With a check digit a symbol may also reach from one edge of the image to the other, without quiet zones.
    private func isWhole(_ entry: Entry, _ range: Range<Double>) -> Bool {
        let reading = entry.reading
        // The left half of any EAN-13 whose first digit is not 0 looks like a UPC-E of number system 1.
        if reading.symbology == .upcE, reading.bytes.first == UInt8(ascii: "1") { return false }
        guard let (modules, zone) = Self.size(reading), reading.quiet >= Float(zone) else {
            return Self.size(reading) == nil
        }
        let margin = zone * (range.upperBound - range.lowerBound) / modules
        let isSeen = (range.lowerBound - margin >= seen.lowerBound, range.upperBound + margin <= seen.upperBound)
        return isSeen == (true, true) || isSeen == (false, false) && reading.symbology.traits.check == .checkDigit
    }

    /// Returns the length of a symbol and of the required quiet zone, in narrow elements; `nil` if check, start and
    /// stop characters are sufficient evidence.
    private static func size(_ reading: LineReading) -> (modules: Double, zone: Double)? {
        let count = Double(reading.bytes.count)
        switch reading.symbology {
        case .ean8: return (67, 5)
        case .upcE: return (51, 5)
        // Wide elements have 2 to 3 narrow widths.
        case .itf: return (8 * count + 8, 6)
        case .code39: return (14 * (count + 2), 5)
        case .codabar: return (11 * count, 5)
        default: return reading.symbology.traits.check == .none ? (10 * count, 5) : nil
        }
    }
}
