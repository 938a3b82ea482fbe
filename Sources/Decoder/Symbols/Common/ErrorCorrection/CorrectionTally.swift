/// The codewords that were corrected in the blocks of a symbol, and the share of the capacity that this took.
struct CorrectionTally: Sendable, Hashable {
    /// The number of corrected codewords in all blocks.
    private(set) var codewords = 0
    /// The share of the error correction capacity that was used, 0 to 1, in the block in which it is largest.
    ///
    /// ISO/IEC 15415 calls 1 minus it the unused error correction. `nil` if the check codewords only detect errors.
    private(set) var used: Double?

    /// Adds a block.
    ///
    /// A corrected codeword takes two check codewords, and one if it was an erasure. An erasure that proves to be
    /// right is not counted: its location was a guess of the reader.
    ///
    /// - Parameters:
    ///   - received: the codewords of the block as sampled.
    ///   - corrected: the same codewords after correction.
    ///   - erasures: the indices of those that were treated as unknown.
    ///   - capacity: the number of check codewords that may be used for correction.
    mutating func add<Codeword: Equatable>(
        _ received: [Codeword], corrected: [Codeword], erasures: [Int] = [], capacity: Int
    ) {
        var (wrong, erased) = (0, 0)
        for index in received.indices where received[index] != corrected[index] {
            wrong += 1
            if erasures.contains(index) { erased += 1 }
        }
        codewords += wrong
        guard capacity > 0 else { return }
        used = max(used ?? 0, min(1, Double(2 * wrong - erased) / Double(capacity)))
    }

    /// Adds the blocks of another tally.
    mutating func add(_ other: CorrectionTally) {
        codewords += other.codewords
        if let more = other.used { used = max(used ?? 0, more) }
    }
}
