public import BarcodeCore

/// Reads a QR Code symbol whose four corners are known, roughly, in a picture.
///
/// The corners may be off by about a module, may begin with any of the four, and may run either way round: the finder
/// patterns tell. The work is bounded by ``maximumAttempts`` and the same for the same picture.
public struct QRReader: Sendable {
    /// Grids that are sampled and decoded before the symbol is given up.
    public var maximumAttempts: Int

    /// A reader that makes so many attempts; 40 unless said otherwise.
    public init(maximumAttempts: Int = 40) {
        self.maximumAttempts = maximumAttempts
    }

    /// Reads the symbol between four corners.
    ///
    /// - Parameter corners: in pixels, without the quiet zone.
    /// - Throws: ``QRDecodeFailure``: of all attempts the one that came farthest, or `no_finder_patterns`.
    public func read(_ image: LumaImage, corners: Quadrilateral) throws(QRDecodeFailure) -> QRReading {
        try image.withUnsafePixels { buffer throws(QRDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image),
                let match = FinderSearch.find(in: pixels, corners: corners)
            else {
                throw QRDecodeFailure(.noFinderPatterns, "three of the corners have no finder pattern")
            }
            return try read(pixels, match)
        }
    }

    private func read(_ pixels: PixelSampler, _ match: FinderSearch.Match) throws(QRDecodeFailure) -> QRReading {
        let estimates = VersionEstimate.candidates(pixels, match: match, count: 3)
        var farthest = QRDecodeFailure(.noFinderPatterns, "the finder patterns fit no version")
        var attempts = 0
        // A version that its timing patterns speak for leaves no room for its neighbours.
        let worthwhile = estimates.filter { $0.score > (estimates.first?.score ?? 0) - 0.6 }
        for (rank, estimate) in worthwhile.enumerated() {
            let fit = GridFit(pixels, estimate: estimate)
            let size = SymbolVersion.size(estimate.version)

            func attempt(_ map: Homography, _ mesh: AlignmentMesh?, _ thresholds: [ModuleThreshold]) -> QRReading? {
                let samples = ModuleSamples(pixels, map: map, mesh: mesh, size: size)
                for threshold in thresholds where attempts < maximumAttempts {
                    attempts += 1
                    do {
                        let message = try QRDecoder.decode(samples.grid(threshold, isInverted: estimate.isInverted))
                        return QRReading(
                            message, gridCorners: map.quadrilateral(side: Double(size)),
                            isInverted: estimate.isInverted)
                    } catch {
                        if error.rank > farthest.rank { farthest = error }
                    }
                }
                return nil
            }

            let aligned = fit.throughAlignmentPattern()
            if let aligned {
                let mesh = AlignmentMesh(pixels, map: aligned, version: estimate.version, sign: fit.sign)
                if let mesh, let reading = attempt(aligned, mesh, [.localMidpoint, .sharpened, .global, .deblurred]) {
                    return reading
                }
                if let reading = attempt(aligned, nil, [.localMidpoint, .sharpened, .global, .deblurred]) {
                    return reading
                }
            }
            // The less likely versions get the cheap tries only.
            for map in fit.throughContrast(count: rank == 0 ? 4 : 1) {
                if let reading = attempt(map, nil, [.localMidpoint, .sharpened, .deblurred]) { return reading }
            }
            if let reading = attempt(fit.estimated, nil, ModuleThreshold.allCases) { return reading }
        }
        throw farthest
    }
}

/// A symbol that was read: its message and where it is.
public struct QRReading: Sendable, Hashable {
    /// What the symbol says; its ``QRMessage/isMirrored`` tells whether the picture shows the symbol mirrored.
    public var message: QRMessage
    /// The corners in pixels, ordered as the upright symbol names them: a mirrored symbol's run anticlockwise.
    public var corners: Quadrilateral
    /// Whether the symbol is light on dark.
    public var isInverted: Bool

    /// Puts the corners of the grid into the symbol's order.
    ///
    /// A grid that had to be transposed is one whose corners were taken the wrong way round. Whether the picture shows
    /// a mirrored symbol follows from the way round of the right order.
    init(_ message: QRMessage, gridCorners: Quadrilateral, isInverted: Bool) {
        var corners = gridCorners
        if message.isMirrored { swap(&corners.topRight, &corners.bottomLeft) }
        let across = (x: corners.topRight.x - corners.topLeft.x, y: corners.topRight.y - corners.topLeft.y)
        let down = (x: corners.bottomLeft.x - corners.topLeft.x, y: corners.bottomLeft.y - corners.topLeft.y)
        self.message = message
        self.message.isMirrored = across.x * down.y - across.y * down.x < 0
        self.corners = corners
        self.isInverted = isInverted
    }

    /// The reading as the decoder takes it from any reader.
    public var reading: Reading {
        Reading(
            format: .qrCode, bytes: message.bytes, corners: corners, isGS1: message.isGS1, isAIM: message.isAIM,
            structuredAppend: message.structuredAppend, segments: message.segments)
    }
}
