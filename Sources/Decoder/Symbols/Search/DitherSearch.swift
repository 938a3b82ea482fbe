internal import BarcodeCore

extension SearchStrategy.Method {
    /// Searches again with neighboring pixels averaged, if the image is dithered.
    ///
    /// Tones that are next to each other may stay two when they are averaged, so the search does not recurse.
    static let dithered: Self = Self(
        name: "dithered", title: "symbols in a dithered picture, with its dots averaged",
        symbologies: Set(Symbology.all)
    ) { state, level throws(DecodeError) in
        let image = state.image(atLevel: level)
        guard image.isDithered else { return }
        try state.search(image.averaged(), without: [.dithered])
    }
}

extension LumaImage {
    /// The smallest share of single dots in a dithered image.
    ///
    /// Error diffusion renders paper of 98 % brightness with 2 %. A scan in black and white has fewer, and so have
    /// the symbols in it, unless a module is a single pixel.
    private static let leastDots = 0.01

    /// The distance of the pixels at which the number of tones is checked first, and of the rows in which dots are
    /// counted.
    private static let steps = (pixel: 61, row: 16)

    /// True if the image has two tones and many pixels that differ from all four neighbors, as gray has after
    /// dithering.
    var isDithered: Bool {
        guard width > 2, height > 2 else { return false }
        return withUnsafePixels { pixels in
            var tones = (pixels[0], pixels[0])
            func hasMoreTones(at place: Int) -> Bool {
                let tone = pixels[place]
                if tones.0 == tones.1 { tones.1 = tone }
                return tone != tones.0 && tone != tones.1
            }
            let end = (height - 1) * bytesPerRow + width
            for place in stride(from: 0, to: end, by: Self.steps.pixel)
            where place % bytesPerRow < width && hasMoreTones(at: place) {
                return false
            }
            var (dots, count) = (0, 0)
            for y in stride(from: 1, to: height - 1, by: Self.steps.row) {
                for place in y * bytesPerRow + 1..<y * bytesPerRow + width - 1 {
                    let tone = pixels[place]
                    if tone != tones.0 && hasMoreTones(at: place) { return false }
                    if tone != pixels[place - 1], tone != pixels[place + 1], tone != pixels[place - bytesPerRow],
                        tone != pixels[place + bytesPerRow]
                    {
                        dots += 1
                    }
                }
                count += width - 2
            }
            return Double(dots) >= Self.leastDots * Double(count)
        }
    }

    /// Returns the image with each pixel replaced by a mean of 5 x 5 pixels with binomial weights, which approximate
    /// a Gaussian with a standard deviation of one pixel.
    ///
    /// Once the time of the search is over, the rows below stay as they are.
    func averaged() -> LumaImage {
        let weights: [Int] = [1, 4, 6, 4, 1]
        // The weighted sums of the columns around a row.
        var sums = [Int](repeating: 0, count: width)
        return withUnsafePixels { pixels in
            LumaImage(width: width, height: height) { target in
                for y in 0..<height {
                    if SearchTime.isOver {
                        for x in 0..<width { target[y * width + x] = pixels[y * bytesPerRow + x] }
                        continue
                    }
                    for x in 0..<width {
                        sums[x] = (-2...2).reduce(0) { sum, shift in
                            sum + weights[shift + 2]
                                * Int(pixels[min(max(y + shift, 0), height - 1) * bytesPerRow + x])
                        }
                    }
                    for x in 0..<width {
                        let sum = (-2...2).reduce(0) { sum, shift in
                            sum + weights[shift + 2] * sums[min(max(x + shift, 0), width - 1)]
                        }
                        target[y * width + x] = UInt8((sum + 128) / 256)
                    }
                }
            }
        }
    }
}
