internal import BarcodeCore

extension SearchStrategy.Method {
    /// The linear symbologies that are searched again in other versions of an image.
    ///
    /// Of a symbol that is covered or cut off, the rest may be a valid ITF or Codabar.
    private static let symbologiesAgain = Symbology.standard.union(Symbology.retail)
        .filter { $0.traits.family == .linear }.subtracting([.itf, .codabar])

    /// Searches the image again with its pixels averaged, if bars were located and not read.
    ///
    /// This closes the gaps in bars of dots, as thermal printers leave them, and removes what a camera's sharpening
    /// adds beside edges.
    static let barsAveraged = Self(
        name: "barsAveraged", title: "linear symbols that were located and not read, with pixels averaged",
        symbologies: symbologiesAgain
    ) { state, level throws(DecodeError) in
        guard !state.placesOfUnreadBars.located(outside: []).isEmpty else {
            state.trace?(.note("No bars were located."))
            return
        }
        try state.search(state.image(atLevel: level).averaged(), by: [.init(.fields, .fast, .coarse)]) {
            $0.scaled(by: Double(1 << level))
        }
    }

    /// Searches again around bars that were located and not read, in parts of the image and at twice their size.
    ///
    /// In a part other regions are found than in the whole image, and in finer steps than in a large one.
    static let barsEnlarged = Self(
        name: "barsEnlarged",
        title: "linear symbols that were located and not read, in parts of the picture, also enlarged",
        symbologies: symbologiesAgain
    ) { state, _ throws(DecodeError) in
        let full = state.image(atLevel: 0)
        let last = PyramidLevels(width: full.width, height: full.height).last
        var left = enlargedPixels.ofAll
        for place in state.placesOfUnreadBarsAndFields.located(outside: state.found.symbols)
        where state.isWorthwhile() {
            // The smallest level in which modules are large enough.
            var level = 0
            while level < last, place.module >= 2 * enoughOfModule * Double(1 << level) { level += 1 }
            let image = state.image(atLevel: level)
            guard let (x, y) = partToEnlarge(around: place.corners.scaled(by: 1 / Double(1 << level)), in: image) else {
                continue
            }
            left -= x.count * y.count
            guard left >= 0 else { return }
            let strategies: [SearchStrategy] = [
                .init(.fields, .fast, .coarse), .init(.bars, .fast, .coarse), .init(.zbarBars, .fast, .coarse),
            ]
            let part = image.cropped(x: x, y: y)
            let count = state.found.count
            // Texture has fields too, and an enlarged part takes four times as long.
            let isEnlarged = place.rank == 0 || place.module < enlargedModuleOfFields
            for times in isEnlarged ? [1, 2] : [1] where state.found.count == count {
                try state.search(times == 1 ? part : part.doubled(), by: strategies) {
                    $0.scaled(by: 1 / Double(times)).moved(right: Double(x.lowerBound), down: Double(y.lowerBound))
                        .scaled(by: Double(1 << level))
                }
            }
        }
    }

    /// The module size in pixels that is enough before a part is enlarged.
    private static let enoughOfModule = 3.0
    /// The module size in pixels from which on the part around a field is not enlarged.
    private static let enlargedModuleOfFields = 2.0
}
