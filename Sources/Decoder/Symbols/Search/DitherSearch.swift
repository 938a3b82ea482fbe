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
        // The weighted sums of the columns around a row, with the first and the last one repeated beyond the sides.
        var sums = [UInt16](repeating: 0, count: width + 4)
        return withUnsafePixels { pixels in
            LumaImage(width: width, height: height) { target in
                guard width > 0, let source = pixels.baseAddress, let target = target.baseAddress else { return }
                sums.withUnsafeMutableBufferPointer { sums in
                    guard let sums = sums.baseAddress else { return }
                    var isOver = false
                    for y in 0..<height {
                        let line = target + y * width
                        isOver = isOver || SearchTime.isOver
                        if isOver {
                            line.update(from: source + y * bytesPerRow, count: width)
                            continue
                        }
                        func row(_ shift: Int) -> UnsafePointer<UInt8> {
                            source + min(max(y + shift, 0), height - 1) * bytesPerRow
                        }
                        let (a, b, c, d, e) = (row(-2), row(-1), row(0), row(1), row(2))
                        // In 16 bits, which hold 256 times a pixel, so that the compiler handles eight at a time.
                        for x in 0..<width {
                            sums[x &+ 2] =
                                UInt16(a[x]) &+ UInt16(e[x]) &+ 4 &* (UInt16(b[x]) &+ UInt16(d[x])) &+ 6 &* UInt16(c[x])
                        }
                        sums.update(repeating: sums[2], count: 2)
                        (sums + (width + 2)).update(repeating: sums[width + 1], count: 2)
                        for x in 0..<width {
                            let (outer, inner) = (sums[x] &+ sums[x &+ 4], sums[x &+ 1] &+ sums[x &+ 3])
                            line[x] = UInt8(
                                truncatingIfNeeded: (outer &+ 4 &* inner &+ 6 &* sums[x &+ 2] &+ 128) &>> 8)
                        }
                    }
                }
            }
        }
    }
}
