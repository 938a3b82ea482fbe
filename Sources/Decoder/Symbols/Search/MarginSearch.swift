internal import BarcodeCore

extension SearchStrategy.Method {
    /// Searches again with paper around the image, if a symbol may fill it: ink runs along a side of the image.
    ///
    /// No ink runs along a side of the padded image, so the search does not recurse. Blurred images, and bars that were
    /// not read, are not searched again.
    static let withMargin: Self = Self(
        name: "withMargin", title: "symbols that fill the picture, with a margin added", symbologies: marginSymbologies
    ) { state, level throws(DecodeError) in
        let image = state.image(atLevel: level)
        let percent = image.pixelCount <= doubledPixels ? percentOfSide.ofSmall : percentOfSide.ofLarge
        guard image.pixelCount <= marginPixels,
            state.binaryImage(atLevel: level).hasInkAlongSide(percent: percent)
        else { return }
        let margin = min(image.width, image.height) / 4 + 8
        let paper = image.withUnsafePixels { $0.max() ?? 255 }
        try state.search(
            image.padded(by: margin, brightness: paper),
            by: SearchStrategy.schedule(without: [
                .textured, .sharpened, .barsAveraged, .barsEnlarged, .unreadParts, .cornerAreas,
            ]).filter { $0.threshold != .light }
        ) {
            $0.moved(right: Double(-margin), down: Double(-margin))
        }
    }

    /// The largest image in pixels that is searched with a margin: that of a symbol alone, not of a photographed
    /// sheet.
    private static let marginPixels = 1_500_000
    /// The share of a side along which ink runs: in a small picture, text below a symbol may take the rest.
    private static let percentOfSide = (ofLarge: 90, ofSmall: 50)
    /// The symbologies that are read if a symbol fills the image and has no quiet zone: those in which a cut-off
    /// part cannot be another message.
    private static let marginSymbologies = Symbology.standard.filter { $0.traits.family != .linear }
        .union([.dataBar, .dataBarLimited, .dataBarExpanded])
}
