internal import BarcodeCore

extension SearchState {
    /// The difference between the 1st and the 99th percentile of brightness up to which an image has low contrast;
    /// with more, normal binarization suffices.
    private static let greatestContrast = 70
    /// The distance of the sampled pixels.
    private static let contrastStep = 7

    /// Indicates whether all print at 1/2^`level` of the size may be pale; the result is cached.
    mutating func hasLittleContrast(atLevel level: Int) -> Bool {
        let tones = tones(atLevel: level)
        return tones.light - tones.dark <= Self.greatestContrast
    }

    /// Indicates whether the image at 1/2^`level` of the size may have shaded paper beside lit paper; the result is
    /// cached.
    mutating func hasShadowEdge(atLevel level: Int) -> Bool {
        if let known = shadowEdges[level] { return known }
        let image = image(atLevel: level)
        let has = image.withUnsafePixels { pixels in
            guard let base = pixels.baseAddress, image.width >= BinaryImage.blockSide,
                image.height >= BinaryImage.blockSide
            else { return false }
            return BlockTones(base, width: image.width, height: image.height, bytesPerRow: image.bytesPerRow)
                .hasShadowEdge
        }
        shadowEdges[level] = has
        return has
    }

    /// The 1st and the 99th percentile of brightness.
    struct Tones {
        var dark, light: Int
    }

    private mutating func tones(atLevel level: Int) -> Tones {
        if let known = tones[level] { return known }
        let measured = Self.tones(of: image(atLevel: level))
        tones[level] = measured
        return measured
    }

    private static func tones(of image: LumaImage) -> Tones {
        var histogram = ToneHistogram()
        image.withUnsafePixels { pixels in
            for row in 0..<image.height {
                let start = row * image.bytesPerRow
                let first = start + min(row % contrastStep, image.width - 1)
                for place in stride(from: first, to: start + image.width, by: contrastStep) {
                    histogram.add(pixels[place])
                }
            }
        }
        let outliers = histogram.total / 100
        return Tones(
            dark: histogram.tone(ofRank: outliers), light: histogram.tone(ofRank: histogram.total - 1 - outliers))
    }
}
