internal import BarcodeCore

/// Scans the rows or columns of a binary image and passes the transitions of each line to a closure.
enum RunLines {
    /// A row or column with its transitions.
    struct Line {
        /// The index of the row or column.
        var number: Int
        /// True if the first run is dark.
        var isFirstDark: Bool
        /// The start of each run, the first at 0, and then the length of the line.
        ///
        /// Valid only during the call.
        var starts: UnsafeBufferPointer<Int32>
    }

    /// The number of pixels in a word.
    private static let wordSize = 8

    /// Scans every `step`th row.
    static func rows(_ image: BinaryImage, step: Int, _ body: (Line) -> Void) {
        let width = image.width
        guard width > wordSize, image.height > 0, step > 0 else { return }
        image.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: width + 2) { starts in
                for y in stride(from: step / 2, to: image.height, by: step) {
                    guard !SearchTime.isOver else { return }
                    let row = base + y * width
                    var count = 1
                    starts[0] = 0
                    var x = 1
                    while x &+ wordSize <= width {
                        var changes = word(row + x) ^ word(row + x - 1)
                        while changes != 0 {
                            starts[count] = Int32(truncatingIfNeeded: x &+ changes.trailingZeroBitCount / 8)
                            count &+= 1
                            changes &= changes &- 1
                        }
                        x &+= wordSize
                    }
                    while x < width {
                        if row[x] != row[x - 1] {
                            starts[count] = Int32(truncatingIfNeeded: x)
                            count &+= 1
                        }
                        x &+= 1
                    }
                    starts[count] = Int32(truncatingIfNeeded: width)
                    body(
                        Line(
                            number: y, isFirstDark: row[0] == 1,
                            starts: UnsafeBufferPointer(rebasing: starts[...count])))
                }
            }
        }
    }

    /// The number of words in a strip of columns that are scanned down together: one cache line.
    private static let wordsPerStrip = 8

    /// Scans every fourth column, or every eighth, eight pixels of a row at a time.
    static func columns(_ image: BinaryImage, isSparse: Bool, _ body: (Line) -> Void) {
        let (width, height) = (image.width, image.height)
        guard width >= wordSize, height > 1 else { return }
        // The scanned columns of a word, one or two.
        let (first, step) = isSparse ? (2, wordSize) : (1, 4)
        let perWord = wordSize / step
        let mask: UInt64 = isSparse ? 0xff << 16 : 0xff << 8 | 0xff << 40
        let words = width / wordSize
        let capacity = height + 2
        image.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: wordsPerStrip * perWord * capacity) { starts in
                withUnsafeTemporaryAllocation(of: Int.self, capacity: wordsPerStrip * perWord) { counts in
                    for strip in stride(from: 0, to: words, by: wordsPerStrip) {
                        guard !SearchTime.isOver else { return }
                        let size = min(wordsPerStrip, words - strip)
                        // The number of starts of each column.
                        for column in 0..<size * perWord {
                            starts[column * capacity] = 0
                            counts[column] = 1
                        }
                        var row = base + strip * wordSize
                        for y in 1..<height {
                            let before = row
                            row += width
                            for index in 0..<size {
                                var changes =
                                    (word(row + index &* wordSize) ^ word(before + index &* wordSize)) & mask
                                while changes != 0 {
                                    let column = index &* perWord &+ changes.trailingZeroBitCount / 8 / step
                                    starts[column &* capacity &+ counts[column]] = Int32(truncatingIfNeeded: y)
                                    counts[column] &+= 1
                                    changes &= changes &- 1
                                }
                            }
                        }
                        for column in 0..<size * perWord {
                            let word = strip + column / perWord
                            let number = word * wordSize + first + column % perWord * step
                            let end = column * capacity + counts[column]
                            starts[end] = Int32(truncatingIfNeeded: height)
                            body(
                                Line(
                                    number: number, isFirstDark: base[number] == 1,
                                    starts: UnsafeBufferPointer(rebasing: starts[column * capacity...end])))
                        }
                    }
                }
            }
        }
    }

    /// Eight pixels, the first in the lowest byte.
    @inline(__always)
    private static func word(_ pixels: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(pixels).loadUnaligned(as: UInt64.self))
    }
}
