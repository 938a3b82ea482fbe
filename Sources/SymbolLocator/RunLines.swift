/// Walks the lines of a picture of two tones, and hands out where the tone changes on each.
enum RunLines {
    /// One line: where its runs begin, first that at 0, and the length of the line behind the last.
    struct Line {
        /// The number of the row or of the column.
        var number: Int
        /// Whether the first run is dark.
        var isFirstDark: Bool
        var starts: ArraySlice<Int32>
    }

    /// Pixels of a word.
    private static let wordSize = 8

    /// Walks every `step`th row.
    static func rows(_ image: BinaryImage, step: Int, _ body: (Line) -> Void) {
        guard image.width > wordSize, image.height > 0, step > 0 else { return }
        var starts = [Int32](repeating: 0, count: image.width + 2)
        image.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for y in stride(from: step / 2, to: image.height, by: step) {
                let row = base + y * image.width
                var count = 1
                var x = 1
                while x < image.width {
                    if x + wordSize <= image.width {
                        var changes = word(row + x) ^ word(row + x - 1)
                        while changes != 0 {
                            starts[count] = Int32(truncatingIfNeeded: x + changes.trailingZeroBitCount / 8)
                            count += 1
                            changes &= changes - 1
                        }
                        x += wordSize
                    } else {
                        if row[x] != row[x - 1] {
                            starts[count] = Int32(truncatingIfNeeded: x)
                            count += 1
                        }
                        x += 1
                    }
                }
                starts[count] = Int32(truncatingIfNeeded: image.width)
                body(Line(number: y, isFirstDark: row[0] == 1, starts: starts[...count]))
            }
        }
    }

    /// Words of a strip of columns that are walked down together: those of a line of the cache.
    private static let wordsPerStrip = 8

    /// Walks every fourth column, or every eighth, eight pixels of a row at a time.
    static func columns(_ image: BinaryImage, isSparse: Bool, _ body: (Line) -> Void) {
        guard image.width >= wordSize, image.height > 1 else { return }
        let offsets = isSparse ? [2] : [1, 5]
        let mask: UInt64 = offsets.reduce(0) { $0 | 1 << UInt64($1 * 8) }
        let words = image.width / wordSize
        let capacity = image.height + 2
        var starts = [Int32](repeating: 0, count: wordsPerStrip * wordSize * capacity)
        var counts = [Int](repeating: 1, count: wordsPerStrip * wordSize)
        image.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for strip in stride(from: 0, to: words, by: wordsPerStrip) {
                let size = min(wordsPerStrip, words - strip)
                for index in counts.indices { counts[index] = 1 }
                for y in 1..<image.height {
                    let row = base + y * image.width + strip * wordSize
                    for index in 0..<size {
                        let here = row + index * wordSize
                        var changes = (word(here) ^ word(here - image.width)) & mask
                        while changes != 0 {
                            let column = index * wordSize + changes.trailingZeroBitCount / 8
                            starts[column * capacity + counts[column]] = Int32(truncatingIfNeeded: y)
                            counts[column] += 1
                            changes &= changes - 1
                        }
                    }
                }
                for index in 0..<size {
                    for offset in offsets {
                        let column = index * wordSize + offset
                        let first = column * capacity
                        let end = first + counts[column]
                        starts[end] = Int32(truncatingIfNeeded: image.height)
                        body(
                            Line(
                                number: strip * wordSize + column,
                                isFirstDark: base[strip * wordSize + column] == 1, starts: starts[first...end]))
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
