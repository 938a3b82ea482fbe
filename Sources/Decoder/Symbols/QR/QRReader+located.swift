public import BarcodeCore

extension QRReader {
    /// The smallest sum of the correlations of finder and timing patterns of a symbol; the maximum is 2.
    ///
    /// Measured on 316 photos: the minimum of 403 readable symbols was 1.08; nineteen of twenty of 3,400 other
    /// candidates had less than 0.86. A rejection takes a twentieth of the time of a sampled candidate.
    static let minimumEstimate = 0.95

    /// Reads a symbol whose three finder patterns are known.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - corners: the corners in pixels, without the quiet zone. The finder patterns are at the top left, top
    ///     right and bottom left, with an error of less than half a module. The fourth corner may be off by several
    ///     modules.
    ///   - size: the number of modules along a side, with an error of at most a tenth.
    ///   - isInverted: true if the symbol is light on dark.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that progressed furthest, or `no_finder_pattern`.
    public func read(
        _ image: LumaImage, finderCorners corners: Quadrilateral, size: Double, isInverted: Bool
    ) throws(MatrixDecodeFailure) -> QRReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image),
                let match = FinderSearch.Match(in: pixels, corners: corners, size: size, isInverted: isInverted)
            else {
                throw MatrixDecodeFailure(.noFinderPattern, "three of the corners have no finder pattern")
            }
            let estimates = QRVersionEstimate.candidates(pixels, match: match, count: Self.maximumVersions)
            guard let likeliest = estimates.first, likeliest.score >= Self.minimumEstimate else {
                throw MatrixDecodeFailure(.badPattern, "finder patterns without timing patterns between them")
            }
            return try read(pixels, match, estimates)
        }
    }
}

extension FinderSearch.Match {
    /// Creates a match from three known corners; `nil` if the image has no finder patterns there.
    init?(in pixels: PixelSampler, corners: Quadrilateral, size: Double, isInverted: Bool) {
        guard let square = Homography(unitSquareTo: corners) else { return nil }
        let module = 1 / size
        let sign: Float = isInverted ? -1 : 1
        let expected = [(3.5, 3.5), (size - 3.5, 3.5), (3.5, size - 3.5)].map { ($0.0 * module, $0.1 * module) }
        let first = expected.reduce(0) {
            $0 + sign * pixels.quickFinderScore(square, x: $1.0, y: $1.1, module: module)
        }
        guard first >= 3 * FinderSearch.minimumRawScore else { return nil }
        var places: [(x: Double, y: Double, score: Float)] = []
        for place in expected {
            places.append(
                pixels.climb(from: place, steps: [0.5 * module, 0.25 * module]) {
                    sign * pixels.finderScore(square, x: $0, y: $1, module: module)
                })
            // The remaining patterns would need a correlation above 1.
            let most = places.reduce(0) { $0 + $1.score } + Float(3 - places.count)
            guard most >= 3 * FinderSearch.minimumScore else { return nil }
        }
        let score = places.reduce(0) { $0 + $1.score } / 3
        self.init(
            corners: corners, size: size, score: score, isInverted: isInverted,
            centers: places.map { square.map($0.x, $0.y) })
    }
}
