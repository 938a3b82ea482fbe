internal import CImages

/// Deinterlaces the seven passes of a PNG (Adam7).
///
/// Source: Portable Network Graphics (PNG) Specification, third edition, section 8.1 "Interlace methods".
struct Adam7 {
    private struct Pass {
        /// The first pixel and the steps to the next one.
        var x, y, stepX, stepY: Int
        /// The block that one pixel covers until later passes arrive.
        var blockWidth, blockHeight: Int

        func columns(of width: Int) -> Int { (width - x + stepX - 1) / stepX }
        func rows(of height: Int) -> Int { (height - y + stepY - 1) / stepY }
    }

    private static let passes = [
        Pass(x: 0, y: 0, stepX: 8, stepY: 8, blockWidth: 8, blockHeight: 8),
        Pass(x: 4, y: 0, stepX: 8, stepY: 8, blockWidth: 4, blockHeight: 8),
        Pass(x: 0, y: 4, stepX: 4, stepY: 8, blockWidth: 4, blockHeight: 4),
        Pass(x: 2, y: 0, stepX: 4, stepY: 4, blockWidth: 2, blockHeight: 4),
        Pass(x: 0, y: 2, stepX: 2, stepY: 4, blockWidth: 2, blockHeight: 2),
        Pass(x: 1, y: 0, stepX: 2, stepY: 2, blockWidth: 1, blockHeight: 2),
        Pass(x: 0, y: 1, stepX: 1, stepY: 2, blockWidth: 1, blockHeight: 1),
    ]

    let width: Int
    let height: Int

    /// Decodes all passes, and fills missing pixels from the coarser ones.
    ///
    /// - Returns: the number of rows from the top that have pixels.
    func decode(_ rows: inout PNGRows, into pixels: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let line = UnsafeMutablePointer<UInt8>.allocate(capacity: width)
        defer { line.deallocate() }
        for (index, pass) in Self.passes.enumerated() {
            let columns = pass.columns(of: width)
            guard columns > 0 else { continue }
            for row in 0..<max(pass.rows(of: height), 0) {
                guard rows.readRow(count: columns, into: line) else {
                    fill(pixels, pass: index, rows: row)
                    return index == 0 ? min(row * pass.blockHeight, height) : height
                }
                let target = (pass.y + row * pass.stepY) * width + pass.x
                for column in 0..<columns {
                    pixels[target + column * pass.stepX] = line[column]
                }
            }
        }
        return height
    }

    /// Gives each missing pixel the value of the smallest block that contains it.
    private func fill(_ pixels: UnsafeMutableBufferPointer<UInt8>, pass reached: Int, rows: Int) {
        let partial = Self.passes[reached]
        let partialEnd = partial.y + rows * partial.stepY
        func isKnown(_ x: Int, _ y: Int) -> Bool {
            let pass = Self.pass(x, y)
            return pass < reached || pass == reached && y < partialEnd
        }
        for y in 0..<height {
            for x in 0..<width where !isKnown(x, y) {
                var value: UInt8 = 255
                for block in Self.passes[...reached].reversed() {
                    let originX = x & ~(block.blockWidth - 1)
                    let originY = y & ~(block.blockHeight - 1)
                    if isKnown(originX, originY) {
                        value = pixels[originY * width + originX]
                        break
                    }
                }
                pixels[y * width + x] = value
            }
        }
    }

    /// Returns the pass of a pixel, counted from 0.
    private static func pass(_ x: Int, _ y: Int) -> Int {
        if y & 1 == 1 { return 6 }
        if x & 1 == 1 { return 5 }
        if y & 2 == 2 { return 4 }
        if x & 2 == 2 { return 3 }
        if y & 4 == 4 { return 2 }
        return x & 4 == 4 ? 1 : 0
    }
}
