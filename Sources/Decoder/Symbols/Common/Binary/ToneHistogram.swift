/// The number of pixels of each brightness, 0 to 255.
struct ToneHistogram {
    private(set) var counts = [Int](repeating: 0, count: 256)
    private(set) var total = 0

    /// Counts pixels of a brightness.
    @inline(__always)
    mutating func add(_ tone: UInt8, count: Int = 1) {
        counts[Int(tone)] += count
        total += count
    }

    /// Returns the brightness that a share of the pixels, 0 to 1, does not exceed.
    func tone(ofShare share: Double) -> Int { tone(ofRank: Int(Double(total) * share)) }

    /// Returns the brightness of the pixel that so many darker ones precede; 255 if there are fewer.
    func tone(ofRank rank: Int) -> Int {
        var seen = 0
        return counts.firstIndex {
            seen += $0
            return seen > rank
        } ?? 255
    }

    /// Returns the histogram of the pixels that are lighter than a brightness.
    func lighter(than tone: Int) -> ToneHistogram {
        var result = self
        for darker in 0...tone {
            result.total -= counts[darker]
            result.counts[darker] = 0
        }
        return result
    }
}
