import BarcodeCore

@testable import QRReader

/// Makes grey pictures of a symbol: turned, slanted, mirrored, blurred, noisy.
struct SymbolRenderer {
    var width: Int
    var height: Int
    /// From modules to pixels.
    var map: Homography
    var dark = 20.0
    var light = 230.0
    /// Added at the right edge of the picture, in proportion elsewhere.
    var gradient = 0.0
    /// The largest deviation of a pixel, either way.
    var noise = 0.0
    /// Pixels to each side over which brightness is spread, by a box.
    var blur = 0
    /// How far rows are pushed aside in the middle, in modules: a bent sheet.
    var bend = 0.0
    var seed: UInt64 = 1

    /// A symbol of so many pixels a module, turned clockwise about the centre of the picture.
    init(size: Int, modulePixels: Double, degrees: Double = 0, isMirrored: Bool = false) {
        let side = Double(size) * modulePixels
        let extent = Int((side * 1.5 + 12 * modulePixels).rounded(.up))
        width = extent
        height = extent
        let middle = Double(extent) / 2 + 0.3
        let radians = degrees * .pi / 180
        let (sine, cosine) = Self.sineAndCosine(radians)
        func place(_ x: Double, _ y: Double) -> Point {
            let (x, y) = ((isMirrored ? -x : x) * side, y * side)
            return Point(x: middle + x * cosine - y * sine, y: middle + x * sine + y * cosine)
        }
        map = Self.homography(
            size: size,
            Quadrilateral(
                topLeft: place(-0.5, -0.5), topRight: place(0.5, -0.5), bottomRight: place(0.5, 0.5),
                bottomLeft: place(-0.5, 0.5)))
    }

    /// A symbol whose corners are given.
    init(size: Int, corners: Quadrilateral, width: Int, height: Int) {
        self.width = width
        self.height = height
        map = Self.homography(size: size, corners)
    }

    private static func homography(size: Int, _ corners: Quadrilateral) -> Homography {
        guard let map = Homography(size: size, to: corners) else { fatalError("the corners of a test are degenerate") }
        return map
    }

    // By the Taylor series, so that no other library is needed.
    private static func sineAndCosine(_ angle: Double) -> (Double, Double) {
        var sine = 0.0
        var cosine = 0.0
        var term = 1.0
        for order in 0..<40 {
            switch order % 4 {
            case 0: cosine += term
            case 1: sine += term
            case 2: cosine -= term
            default: sine -= term
            }
            term *= angle / Double(order + 1)
        }
        return (sine, cosine)
    }

    /// The picture: each pixel is the mean of four by four points.
    func image(of grid: ModuleGrid) -> LumaImage {
        let back = map.inverse
        var random = SeededGenerator(seed: seed)
        var values = [Double](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                var darkness = 0
                for subY in 0..<4 {
                    for subX in 0..<4 {
                        var place = back.map(
                            Double(x) + (Double(subX) + 0.5) / 4, Double(y) + (Double(subY) + 0.5) / 4)
                        let across = place.y / Double(grid.size)
                        place.x -= bend * 4 * across * (1 - across)
                        let (column, row) = (place.x.rounded(.down), place.y.rounded(.down))
                        if column >= 0, row >= 0, column < Double(grid.size), row < Double(grid.size),
                            grid[Int(column), Int(row)]
                        {
                            darkness += 1
                        }
                    }
                }
                let share = Double(darkness) / 16
                values[y * width + x] = dark * share + light * (1 - share) + gradient * Double(x) / Double(width)
            }
        }
        if blur > 0 { values = blurred(values) }
        let pixels = values.map { value in
            let deviation = noise > 0 ? Double.random(in: -noise...noise, using: &random) : 0
            return UInt8(min(255, max(0, value + deviation)))
        }
        return LumaImage(width: width, height: height, pixels: pixels)
    }

    private func blurred(_ values: [Double]) -> [Double] {
        var result = values
        for y in 0..<height {
            for x in 0..<width {
                var sum = 0.0
                for dy in -blur...blur {
                    for dx in -blur...blur {
                        sum += values[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)]
                    }
                }
                result[y * width + x] = sum / Double((2 * blur + 1) * (2 * blur + 1))
            }
        }
        return result
    }

    /// The true corners.
    func corners(of grid: ModuleGrid) -> Quadrilateral { map.quadrilateral(side: Double(grid.size)) }

    /// The corners, each off by up to `modules` modules along both axes of the symbol.
    func corners(of grid: ModuleGrid, offBy modules: Double, seed: UInt64) -> Quadrilateral {
        var random = SeededGenerator(seed: seed)
        let side = Double(grid.size)
        func place(_ x: Double, _ y: Double) -> Point {
            map.map(
                x + Double.random(in: -modules...modules, using: &random),
                y + Double.random(in: -modules...modules, using: &random))
        }
        return Quadrilateral(
            topLeft: place(0, 0), topRight: place(side, 0), bottomRight: place(side, side),
            bottomLeft: place(0, side))
    }
}

extension Quadrilateral {
    /// The same corners, begun with another one and, where wanted, the other way round.
    func reordered(from start: Int, isReversed: Bool) -> Quadrilateral {
        var points = (0..<4).map { corners[($0 + start) % 4] }
        if isReversed { points.reverse() }
        return Quadrilateral(
            topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }

    /// The largest distance between corners of the same name.
    func distance(to other: Quadrilateral) -> Double {
        zip(corners, other.corners).map { one, two in
            ((one.x - two.x) * (one.x - two.x) + (one.y - two.y) * (one.y - two.y)).squareRoot()
        }.max() ?? 0
    }
}
