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
    /// In a part other regions are found than in the whole image, and in finer steps than in a large one. If a symbol was
    /// read, only bars that look like one are searched again.
    static let barsEnlarged = Self(
        name: "barsEnlarged",
        title: "linear symbols that were located and not read, in parts of the picture, also enlarged",
        symbologies: symbologiesAgain
    ) { state, _ throws(DecodeError) in
        // Texture has fields too, and an enlarged part takes four times as long.
        try state.searchParts(
            around: state.found.count == 0
                ? state.placesOfUnreadBarsAndFields.located(outside: [])
                : state.unreadSymbolPlaces().filter { $0.kind == .linear },
            times: { $0.rank == 0 || $0.module < enlargedModuleOfFields ? [1, 2] : [1] },
            by: [.init(.fields, .fast, .coarse), .init(.bars, .fast, .coarse)])
    }

    /// The module size in pixels from which on the part around a field is not enlarged.
    private static let enlargedModuleOfFields = 2.0
}
