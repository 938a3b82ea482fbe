extension BinaryImage {
    /// Lists the transitions of a row: 0, then each column that differs from the one before it, then the width.
    ///
    /// - Parameters:
    ///   - pixels: the pixels of this image, which the caller borrows once for all rows.
    ///   - starts: a buffer for at least ``width`` + 2 numbers, which are overwritten.
    /// - Returns: the number of runs, one less than the count of numbers written.
    @inline(__always)
    func runs(ofRow y: Int, _ pixels: UnsafePointer<UInt8>, into starts: UnsafeMutableBufferPointer<Int>) -> Int {
        let row = pixels + y * width
        let width = width
        var count = 1
        starts[0] = 0
        var x = 1
        while x < width {
            if x + 8 <= width {
                // A byte of the word is 1 at a transition. Most words of eight pixels have none.
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
