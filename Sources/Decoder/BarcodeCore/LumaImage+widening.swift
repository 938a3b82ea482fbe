extension LumaImage {
    /// Returns the image with its dark or light regions widened by a pixel on each side (dilation), which joins
    /// close dots.
    ///
    /// Each pixel becomes the darkest, or the lightest, in its 3 x 3 neighborhood (Serra, Image Analysis and
    /// Mathematical Morphology, 1982).
    ///
    /// - Parameter isDark: whether the dark regions are widened.
    package func widened(isDark: Bool) -> LumaImage {
        func chosen(_ one: UInt8, _ other: UInt8) -> UInt8 { isDark ? min(one, other) : max(one, other) }
        return LumaImage(width: width, height: height) { target in
            // The horizontal pass over all rows, then the vertical pass.
            var rows = [UInt8](repeating: 0, count: width * height)
            withUnsafePixels { source in
                for y in 0..<height {
                    for x in 0..<width {
                        let place = y * bytesPerRow + x
                        let before = source[place - (x > 0 ? 1 : 0)]
                        rows[y * width + x] = chosen(
                            chosen(before, source[place]), source[place + (x + 1 < width ? 1 : 0)])
                    }
                }
            }
            for y in 0..<height {
                let (above, below) = (max(0, y - 1) * width, min(height - 1, y + 1) * width)
                for x in 0..<width {
                    target[y * width + x] = chosen(chosen(rows[above + x], rows[y * width + x]), rows[below + x])
                }
            }
        }
    }
}
