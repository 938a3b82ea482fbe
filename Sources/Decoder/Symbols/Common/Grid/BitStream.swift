/// A reader of the bits of data codewords, the most significant bit of each first.
struct BitStream {
    /// An error: fewer bits are left than requested.
    struct EndOfBits: Error {}

    private let bytes: [UInt8]
    /// The total number of bits.
    let count: Int
    /// The number of bits read so far.
    private(set) var position = 0

    /// - Parameter count: the number of bits to use; `nil` for all.
    init(_ bytes: [UInt8], count: Int? = nil) {
        self.bytes = bytes
        self.count = min(max(0, count ?? Int.max), bytes.count * 8)
    }

    /// Creates a stream from single bits, one byte each: 0 or 1.
    init(bits: [UInt8]) {
        bytes = stride(from: 0, to: bits.count, by: 8).map { (start: Int) -> UInt8 in
            let eight = bits[start..<min(start + 8, bits.count)]
            return eight.reduce(0) { $0 << 1 | $1 } << UInt8(8 - eight.count)
        }
        count = bits.count
    }

    /// The number of bits left.
    var remaining: Int { count - position }

    /// True if the next bits, up to 32, are all zero; bits beyond the end count as zero.
    func isZero(next count: Int) -> Bool {
        var ahead = self
        return (try? ahead.read(min(count, remaining))) == 0
    }

    /// Reads up to 32 bits as a number.
    mutating func read(_ count: Int) throws(EndOfBits) -> Int {
        precondition(count >= 0 && count <= 32, "a number must have at most 32 bits")
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
