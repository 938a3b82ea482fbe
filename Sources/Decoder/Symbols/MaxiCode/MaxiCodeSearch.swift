internal import BarcodeCore

extension SearchStrategy.Method {
    /// Finds MaxiCode symbols by their bull's-eyes and decodes them.
    static let maxiCode = Self(
        name: "maxiCode", title: "MaxiCode symbols by their bull's-eye", symbologies: [.maxiCode]
    ) { state, level in
        let binary = state.binaryImage(atLevel: level)
        let locator = MaxiCodeLocator(binary, rowStep: binary.width * binary.height > densePixels ? 3 : 2)
        state.readCandidates(
            locator.bullseyes, atLevel: level, limit: .inARow(32), smallestModule: 4,
            outline: { ($0.corners, $0.radius / modulesOfRadius) }
        ) { image, place, factor throws(MatrixDecodeFailure) in
            let reading = try MaxiCodeReader().read(
                image, bullseye: place.corners.scaled(by: factor), isInverted: place.isInverted)
            let message = reading.message
            return CandidateReading(
                symbol: Symbol(reading),
                sentence: "read: mode \(message.mode), \(message.correctedCodewords) codewords corrected")
        }
    }

    /// The maximum number of pixels of a picture in which every second row is searched for bull's-eyes.
    ///
    /// In a larger one it is every third, which still crosses the center at 3.5 pixels a module.
    private static let densePixels = 300_000
    /// The number of modules from the center of a bull's-eye to its edge.
    private static let modulesOfRadius = 4.5
}
