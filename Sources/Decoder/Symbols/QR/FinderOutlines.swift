internal import BarcodeCore

/// The three finder patterns of a symbol on a bent sheet, each with a place, a size and a slant of its own.
struct FinderOutlines {
    /// The sizes of a finder pattern that are tried, as multiples of the mean, in each direction.
    private static let sizes = [1, 0.87, 1.15, 0.76, 1.32]
    /// The side of a finder pattern in modules.
    private static let side = 7

    /// The transforms from the modules of each finder pattern to pixels: top left, top right, bottom left.
    private let maps: [Homography]

    /// Measures the finder patterns; `nil` if one of them is unclear.
    ///
    /// - Parameter estimate: an estimate whose transform is right in the middle of each finder pattern.
    init?(_ pixels: PixelSampler, _ estimate: QRVersionEstimate) {
        let sign: Float = estimate.isInverted ? -1 : 1
        var maps: [Homography] = []
        for corner in Self.corners(version: estimate.version) {
            guard let map = Self.measured(pixels, estimate.map, corner, sign: sign) else { return nil }
            maps.append(EdgeFit(pixels, grid: Self.finder, isInverted: estimate.isInverted).refined(map))
        }
        self.maps = maps
    }

    /// Returns the shifts of the modules of a version from a transform, as the finder patterns determine them.
    ///
    /// Polynomials of second degree have no more coefficients than three patterns determine, and differ little from
    /// a sheet around a can.
    ///
    /// - Parameter further: shifts of other modules that are known.
    func shifts(
        from map: Homography, version: Int, adding further: [PolynomialShifts.Sample] = []
    ) -> PolynomialShifts? {
        let back = map.inverse
        let offsets = [0, 0.5, 1].map { $0 * Double(Self.side) }
        var samples = further
        for (finder, corner) in zip(maps, Self.corners(version: version)) {
            for x in offsets {
                for y in offsets {
                    let place = Point(x: corner.x + x, y: corner.y + y)
                    let seen = back.map(finder.map(x, y))
                    samples.append(.init(at: place, shift: Point(x: seen.x - place.x, y: seen.y - place.y)))
                }
            }
        }
        return PolynomialShifts(fitting: samples, degree: 2, size: QRVersion.size(version))
    }

    /// The top left corners of the finder patterns in modules of the symbol.
    private static func corners(version: Int) -> [Point] {
        let high = Double(QRVersion.size(version) - side)
        return [Point(x: 0, y: 0), Point(x: high, y: 0), Point(x: 0, y: high)]
    }

    /// Returns the transform of the finder pattern at a corner whose size fits best; `nil` if none fits.
    private static func measured(
        _ pixels: PixelSampler, _ map: Homography, _ corner: Point, sign: Float
    ) -> Homography? {
        let half = Double(side) / 2
        let (x, y) = (corner.x + half, corner.y + half)
        var best: (map: Homography, score: Float)?
        for width in sizes.map({ $0 * half }) {
            for height in sizes.map({ $0 * half }) {
                let corners = Quadrilateral(
                    topLeft: map.map(x - width, y - height), topRight: map.map(x + width, y - height),
                    bottomRight: map.map(x + width, y + height), bottomLeft: map.map(x - width, y + height))
                guard let own = Homography(size: side, to: corners) else { continue }
                let score = sign * pixels.finderScore(own, x: half, y: half)
                if score > best?.score ?? FinderSearch.minimumScore { best = (own, score) }
            }
        }
        return best?.map
    }

    /// The modules of a finder pattern.
    private static let finder: ModuleGrid = {
        var grid = ModuleGrid(size: side)
        for y in 0..<side {
            for x in 0..<side { grid[x, y] = max(abs(x - side / 2), abs(y - side / 2)) != 2 }
        }
        return grid
    }()
}
