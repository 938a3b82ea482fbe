internal import BarcodeCore

extension BinaryImage {
    /// Returns the darker part of the dark pixels, or the lighter part of the light ones, as dark: the cores of
    /// touching dots.
    ///
    /// Each pixel is smoothed and compared with the mean of the pixels of its tone in the surrounding five by five
    /// blocks.
    ///
    /// - Parameter original: the picture that was binarized, of the same size.
    func cores(of original: LumaImage, isLight: Bool) -> BinaryImage {
        guard original.width == width, original.height == height, width > 0, height > 0 else { return self }
        let tone: UInt8 = isLight ? 0 : 1
        let (columns, rows) = ((width - 1) / Self.blockSide + 1, (height - 1) / Self.blockSide + 1)
        let cores = original.withUnsafePixels { source in
            var sums = [(sum: Int, count: Int)](repeating: (0, 0), count: columns * rows)
            for y in 0..<height {
                for x in 0..<width where pixels[y * width + x] == tone {
                    let block = y / Self.blockSide * columns + x / Self.blockSide
                    sums[block].sum += Int(source[y * original.bytesPerRow + x])
                    sums[block].count += 1
                }
            }
            var means = [Int](repeating: 0, count: sums.count)
            for row in 0..<rows {
                for column in 0..<columns {
                    var (sum, count) = (0, 0)
                    for other in max(0, row - 2)...min(rows - 1, row + 2) {
                        for next in max(0, column - 2)...min(columns - 1, column + 2) {
                            sum += sums[other * columns + next].sum
                            count += sums[other * columns + next].count
                        }
                    }
                    means[row * columns + column] = sum / max(1, count)
                }
            }
            var cores = [UInt8](repeating: 0, count: width * height)
            for y in 0..<height {
                for x in 0..<width where pixels[y * width + x] == tone {
                    // A 3 by 3 binomial filter with weights 4, 2 and 1 reduces noise.
                    let (left, right) = (max(0, x - 1), min(width - 1, x + 1))
                    func sum(_ row: Int) -> Int {
                        let line = row * original.bytesPerRow
                        return Int(source[line + left]) + 2 * Int(source[line + x]) + Int(source[line + right])
                    }
                    let value = sum(max(0, y - 1)) + 2 * sum(y) + sum(min(height - 1, y + 1))
                    let mean = 16 * means[y / Self.blockSide * columns + x / Self.blockSide]
                    if isLight ? value > mean : value < mean { cores[y * width + x] = 1 }
                }
            }
            return cores
        }
        return BinaryImage(width: width, height: height, pixels: cores)
    }
}
