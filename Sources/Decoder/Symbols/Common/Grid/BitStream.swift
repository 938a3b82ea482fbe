/// The bits of the data codewords, the most significant of each first.
struct BitStream {
    /// There are fewer bits left than were asked for.
    struct EndOfBits: Error {}

    private let bytes: [UInt8]
    /// Bits in all.
    let count: Int
    /// Bits that were read.
    private(set) var position = 0

    /// - Parameter count: how many of the bits count; nil for all.
    init(_ bytes: [UInt8], count: Int? = nil) {
        self.bytes = bytes
        self.count = min(max(0, count ?? Int.max), bytes.count * 8)
    }

    /// Bits of codewords of any length, one byte each: 0 or 1.
    init(bits: [UInt8]) {
        bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(0) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
        }
        count = bits.count
    }

    /// Bits that are left.
    var remaining: Int { count - position }

    /// Whether the next bits, up to 32, are all zero; those behind the end are.
    func isZero(next count: Int) -> Bool {
        var ahead = self
        return (try? ahead.read(min(count, remaining))) == 0
    }

    /// Reads up to 32 bits as a number.
    mutating func read(_ count: Int) throws(EndOfBits) -> Int {
        precondition(count >= 0 && count <= 32, "a number has 32 bits at most")
        guard count <= remaining else { throw EndOfBits() }
        var value = 0
        var left = count
        while left > 0 {
            let offset = position & 7
            let taken = min(8 - offset, left)
            let chunk = (Int(bytes[position >> 3]) >> (8 - offset - taken)) & ((1 << taken) - 1)
            value = value << taken | chunk
            position += taken
            left -= taken
        }
        return value
    }
}
