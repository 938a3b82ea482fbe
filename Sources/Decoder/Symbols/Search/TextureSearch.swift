internal import BarcodeCore

extension SearchStrategy.Method {
    /// Searches again with the pixels averaged, if the image has a fine texture.
    ///
    /// Such are the dots of a printed screen, the gaps between the points of a display, and strong noise.
    static let textured = Self(
        name: "textured", title: "symbols in a picture with a fine texture, averaged",
        symbologies: symbologiesInTexture
    ) { state, level throws(DecodeError) in
        var image = state.image(atLevel: level)
        guard image.isTextured else {
            state.trace?(.note("The picture has no fine texture."))
            return
        }
        // A deviation of one pixel for modules of few pixels, and of two for a coarse texture.
        for times in [1, 3] where state.isWorthwhile() && state.found.count == 0 {
            for _ in 0..<times { image = image.averaged() }
            try state.search(image, by: SearchStrategy.basic + SearchStrategy.ofBlurredBars) {
                $0.scaled(by: Double(1 << level))
            }
        }
    }

    /// The symbologies that are searched in images whose texture may look like a symbol of a few bars.
    static let symbologiesInTexture = Symbology.standard.union(Symbology.retail).union(
        Symbology.all.filter { $0.traits.family != .linear })
}

extension LumaImage {
    /// The smallest difference in brightness between an extreme and what is around it, along the row and the column.
    private static let leastTexture = 24
    /// The distance in pixels within which that difference is: half the period of the coarsest texture.
    private static let textureReach = 3
    /// The smallest share of light extremes, or of dark ones, in a textured image.
    ///
    /// A screen with a period of 8 pixels has one of each in 64.
    private static let leastExtremes = 0.01
    /// The bands of rows in which extremes are counted: as high as the period of the coarsest texture, since a part of it
    /// may lie between two rows of extremes.
    private static let textureBands = (height: 8, distance: 64)

    /// True if many pixels are lighter, or many darker, than those around them and than pixels nearby on all four
    /// sides.
    ///
    /// The dark gaps of a display have light points between them, and the dots of a print are dark.
    var isTextured: Bool {
        let reach = Self.textureReach
        guard width > 2 * reach, height > 2 * reach else { return false }
        return withUnsafePixels { pixels in
            /// Returns whether a pixel is an extreme: the largest value times `sign`, and the first of equal ones.
            func isExtreme(_ place: Int, _ sign: Int) -> Bool {
                func difference(_ shift: Int) -> Int { sign * (Int(pixels[place]) - Int(pixels[place + shift])) }
                func falls(_ step: Int) -> Bool {
                    (1...reach).contains { difference($0 * step) >= Self.leastTexture }
                }
                let row = bytesPerRow
                // Along the row first, where most places fail.
                return falls(-1) && falls(1) && falls(-row) && falls(row)
                    && min(difference(-1), difference(-row - 1), difference(-row), difference(1 - row)) > 0
                    && min(difference(1), difference(row - 1), difference(row), difference(row + 1)) >= 0
            }
            var (light, dark, count) = (0, 0, 0)
            for y in reach..<height - reach
            where (y - reach) % Self.textureBands.distance < Self.textureBands.height {
                let row = y * bytesPerRow
                for place in row + reach..<row + width - reach {
                    let (before, tone, after) = (pixels[place - 1], pixels[place], pixels[place + 1])
                    if tone > before, tone >= after {
                        if isExtreme(place, 1) { light += 1 }
                    } else if tone < before, tone <= after, isExtreme(place, -1) {
                        dark += 1
                    }
                }
                count += width - 2 * reach
            }
            return Double(max(light, dark)) >= Self.leastExtremes * Double(count)
        }
    }
}
