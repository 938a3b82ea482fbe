internal import BarcodeCore

/// Counts the lines that agree on a reading.
struct LineTally {
    private struct Entry {
        var reading: LineReading
        var begin: [Double]
        var end: [Double]
        var profiles: Set<Int>

        var votes: Int { begin.count }
        var range: Range<Double> {
            let (first, last) = (begin.sorted()[begin.count / 2], end.sorted()[end.count / 2])
            return min(first, last)..<max(first, last)
        }

        /// True if the symbology has a check character.
        var isChecked: Bool { reading.symbology.traits.check == .checksum }
    }

    private var entries: [Entry] = []

    mutating func add(_ reading: LineReading, profile: Int) {
        if let index = entries.firstIndex(where: { $0.reading.isSame(as: reading) }) {
            entries[index].begin.append(reading.range.lowerBound)
            entries[index].end.append(reading.range.upperBound)
            entries[index].profiles.insert(profile)
        } else {
            entries.append(
                Entry(
                    reading: reading, begin: [reading.range.lowerBound], end: [reading.range.upperBound],
                    profiles: [profile]))
        }
    }

    /// Returns the readings with enough votes that also clearly outnumber all other readings at the same location.
    func answers(votes: Int, profilesWithoutCheck: Int, rivalry: Int) -> [LinearReader.Answer] {
        entries.compactMap { entry in
            guard entry.isChecked ? entry.votes >= votes : entry.profiles.count >= profilesWithoutCheck else {
                return nil
            }
            let range = entry.range
            let hasRival = entries.contains {
                !$0.reading.isSame(as: entry.reading) && $0.range.overlaps(range) && $0.votes * rivalry > entry.votes
            }
            return hasRival ? nil : Self.answer(entry)
        }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Returns the readings of at least `profiles` profiles that no other reading contradicts at the same location.
    func unanimous(profiles: Int) -> [LinearReader.Answer] {
        entries.compactMap { entry in
            let range = entry.range
            let hasRival = entries.contains { !$0.reading.isSame(as: entry.reading) && $0.range.overlaps(range) }
            return hasRival || entry.profiles.count < profiles ? nil : Self.answer(entry)
        }
    }

    private static func answer(_ entry: Entry) -> LinearReader.Answer {
        LinearReader.Answer(entry.reading, range: entry.range, votes: entry.votes)
    }
}

extension LineReading {
    /// Indicates whether two lines have the same message, regardless of its location.
    func isSame(as other: LineReading) -> Bool {
        symbology == other.symbology && bytes == other.bytes && isReversed == other.isReversed && isGS1 == other.isGS1
            && isAIM == other.isAIM
    }
}
