package import BarcodeCore
import Glibc
package import Symbols

/// Makes gray pictures of a symbol: turned, tilted, mirrored, bent, blurred, noisy.
///
/// The corners of the symbol are known, so that a test can ask for the text and for the place.
package struct SymbolRenderer: Sendable {
    /// What is drawn.
    package var pattern: ModulePattern
    /// Pixels a module, where the sheet is as far away as its middle.
    package var modulePixels: Double
    /// Degrees by which the symbol is turned clockwise.
    package var degrees = 0.0
    /// Degrees by which the sheet is tilted, so that its upper edge in the picture is farther away.
    package var tilt = 0.0
    /// Whether left and right are exchanged.
    package var isMirrored = false
    /// The brightness of dark modules.
    package var dark = 20.0
    /// The brightness of light modules.
    package var light = 230.0
    /// Added at the right edge of the picture, in proportion elsewhere.
    package var gradient = 0.0
    /// The largest deviation of a pixel, either way; all are equally likely.
    package var noise = 0.0
    /// The standard deviation of the blur, in modules.
    package var blur = 0.0
    /// How far rows are pushed aside in the middle, in modules: a bent sheet.
    package var bend = 0.0
    /// Light modules to the left and right of the symbol, then above and below, before `background` begins.
    package var quietZone = (across: 12.0, along: 8.0)
    /// The brightness of what is around the sheet; nil for a sheet that fills the picture.
    package var background: Double?
    /// The seed of the noise, and of the symbol's place between the pixels.
    package var seed: UInt64 = 1

    /// The corners, where they were given; then turn, tilt and size do not count.
    private var given: (corners: Quadrilateral, width: Int, height: Int)?

    /// How far away the eye is, in diagonals of the sheet: as a phone is held over a sheet that fills its picture.
    private static let distance = 2.5

    /// A symbol of so many pixels a module in the middle of a square picture.
    package init(_ pattern: ModulePattern, modulePixels: Double, degrees: Double = 0, isMirrored: Bool = false) {
        self.pattern = pattern
        self.modulePixels = modulePixels
        self.degrees = degrees
        self.isMirrored = isMirrored
    }

    /// The same for a QR symbol.
    package init(_ grid: ModuleGrid, modulePixels: Double, degrees: Double = 0, isMirrored: Bool = false) {
        self.init(ModulePattern(grid), modulePixels: modulePixels, degrees: degrees, isMirrored: isMirrored)
        quietZone = (4, 4)
    }

    /// A MaxiCode symbol of so many pixels from one module of a row to the next.
    package init(maxiCode grid: ModuleGrid, modulePixels: Double, degrees: Double = 0, isMirrored: Bool = false) {
        self.init(
            ModulePattern(maxiCode: grid), modulePixels: modulePixels, degrees: degrees, isMirrored: isMirrored)
        quietZone = (2, 2)
    }

    /// A linear symbol on a light label, with something of middling brightness around it.
    package init(bars: [Bool], modulePixels: Double) {
        self.init(ModulePattern(bars: bars), modulePixels: modulePixels)
        dark = 40
        light = 210
        background = 125
    }

    /// A QR symbol whose corners are given.
    package init(_ grid: ModuleGrid, corners: Quadrilateral, width: Int, height: Int) {
        pattern = ModulePattern(grid)
        let points = corners.points
        let perimeter = zip(points, points.dropFirst() + [points[0]]).reduce(0) {
            $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y)
        }
        modulePixels = perimeter / Double(2 * (grid.width + grid.height))
        given = (corners, width, height)
    }

    /// Pixels across the picture.
    package var width: Int { given?.width ?? side }
    /// Pixels down the picture.
    package var height: Int { given?.height ?? side }

    /// The diagonal of the sheet, in pixels.
    private var diagonal: Double {
        modulePixels * hypot(Double(pattern.columns) + 2 * quietZone.across, pattern.height + 2 * quietZone.along)
    }

    private var side: Int {
        // What is nearer than the middle looks larger: half a diagonal at the most.
        let growth = 1 / (1 - sin(tilt * .pi / 180) / (2 * Self.distance))
        return Int((diagonal * growth).rounded(.up)) + 8
    }

    /// The true corners.
    package var corners: Quadrilateral {
        if let given { return given.corners }
        var random = SeededGenerator(seed: seed)
        let middle = Point(
            x: Double(side) / 2 + Double.random(in: -0.5...0.5, using: &random),
            y: Double(side) / 2 + Double.random(in: -0.5...0.5, using: &random))
        let far = Self.distance * diagonal
        let (turn, lean) = (degrees * .pi / 180, tilt * .pi / 180)
        func place(_ x: Double, _ y: Double) -> Point {
            let u = (isMirrored ? -x : x) * Double(pattern.columns) * modulePixels
            let v = y * pattern.height * modulePixels
            let (right, down) = (u * cos(turn) - v * sin(turn), u * sin(turn) + v * cos(turn))
            let scale = far / (far - down * sin(lean))
            return Point(x: middle.x + right * scale, y: middle.y + down * cos(lean) * scale)
        }
        return Quadrilateral(
            topLeft: place(-0.5, -0.5), topRight: place(0.5, -0.5), bottomRight: place(0.5, 0.5),
            bottomLeft: place(-0.5, 0.5))
    }

    /// The corners, each off by up to `modules` modules along both axes of the symbol.
    package func corners(offBy modules: Double, seed: UInt64) -> Quadrilateral {
        var random = SeededGenerator(seed: seed)
        let map = self.map
        func place(_ x: Double, _ y: Double) -> Point {
            map.map(
                x + Double.random(in: -modules...modules, using: &random),
                y + Double.random(in: -modules...modules, using: &random))
        }
        let (right, bottom) = (Double(pattern.columns), pattern.height)
        return Quadrilateral(
            topLeft: place(0, 0), topRight: place(right, 0), bottomRight: place(right, bottom),
            bottomLeft: place(0, bottom))
    }

    /// From modules to pixels.
    package var map: Homography {
        let (right, bottom) = (Double(pattern.columns), pattern.height)
        let flat = Quadrilateral(
            topLeft: Point(x: 0, y: 0), topRight: Point(x: right, y: 0), bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: 0, y: bottom))
        guard let map = Homography(from: flat, to: corners) else { fatalError("the corners of a test are degenerate") }
        return map
    }

    /// The picture: each pixel is the mean of four by four points, then blurred, lit and made noisy.
    package func image() -> LumaImage {
        var canvas = drawn()
        canvas.blur(blur * modulePixels)
        if gradient != 0 {
            for place in canvas.values.indices {
                canvas.values[place] += Float(gradient * Double(place % canvas.width) / Double(canvas.width))
            }
        }
        var random = SeededGenerator(seed: seed &+ 1)
        canvas.addNoise(noise, using: &random)
        return canvas.image()
    }

    private func drawn() -> GrayCanvas {
        let back = map.inverse
        let (columns, height) = (Double(pattern.columns), pattern.height)
        let around = background ?? light
        let isHexagonal = !pattern.rings.isEmpty
        var canvas = GrayCanvas(width: width, height: self.height)
        pattern.modules.withUnsafeBufferPointer { modules in
            canvas.values.withUnsafeMutableBufferPointer { values in
                for place in values.indices {
                    let (row, column) = place.quotientAndRemainder(dividingBy: width)
                    var sum = 0.0
                    for part in 0..<16 {
                        let point = back.map(
                            Double(column) + (Double(part % 4) + 0.5) / 4, Double(row) + (Double(part / 4) + 0.5) / 4)
                        let y = point.y
                        let across = y / height
                        let x = bend == 0 ? point.x : point.x - bend * 4 * across * (1 - across)
                        if x >= 0, y >= 0, x < columns, y < height {
                            let isDark: Bool
                            if isHexagonal {
                                isDark = pattern.isDarkHexagon(x, y)
                            } else {
                                isDark = modules[Int(y / pattern.rowHeight) * pattern.columns + Int(x)] != 0
                            }
                            sum += isDark ? dark : light
                        } else if x > -quietZone.across, x < columns + quietZone.across, y > -quietZone.along,
                            y < height + quietZone.along
                        {
                            sum += light
                        } else {
                            sum += around
                        }
                    }
                    values[place] = Float(sum / 16)
                }
            }
        }
        return canvas
    }
}

extension Quadrilateral {
    /// The same corners, begun with another one and, where wanted, the other way round.
    package func reordered(from start: Int, isReversed: Bool) -> Quadrilateral {
        var points = (0..<4).map { self.points[($0 + start) % 4] }
        if isReversed { points.reverse() }
        return Quadrilateral(
            topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }

    /// The largest distance between corners of the same name.
    package func distance(to other: Quadrilateral) -> Double {
        zip(points, other.points).map { hypot($0.x - $1.x, $0.y - $1.y) }.max() ?? 0
    }
}
