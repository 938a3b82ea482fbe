extension BinaryImage {
    /// Where the tones of a row change: 0, then each column that differs from the one before it, then the width.
    ///
    /// - Parameters:
    ///   - pixels: those of this picture, which the caller lends once for all rows.
    ///   - starts: at least ``width`` + 2 numbers, which are overwritten.
    /// - Returns: how many runs there are, which is one less than the numbers written.
    @inline(__always)
    func runs(ofRow y: Int, _ pixels: UnsafePointer<UInt8>, into starts: UnsafeMutableBufferPointer<Int>) -> Int {
        let row = pixels + y * width
        let width = width
        var count = 1
        starts[0] = 0
        var x = 1
        while x < width {
            if x + 8 <= width {
                // A byte is 1 where the tone changes: eight pixels at once, most of which change nothing.
                var changes = Self.word(row + x) ^ Self.word(row + x - 1)
                while changes != 0 {
                    starts[count] = x + changes.trailingZeroBitCount / 8
                    count += 1
                    changes &= changes - 1
                }
                x += 8
            } else {
                if row[x] != row[x - 1] {
                    starts[count] = x
                    count += 1
                }
                x += 1
            }
        }
        starts[count] = width
        return count
    }

    /// Eight pixels, the first in the lowest byte.
    @inline(__always)
    private static func word(_ pixels: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(pixels).loadUnaligned(as: UInt64.self))
    }
}
