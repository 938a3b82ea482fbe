package import BarcodeCore
import Glibc
package import Symbols

/// Renders gray pictures of a symbol: rotated, tilted, mirrored, bent, blurred, noisy.
///
/// The true corners are known, so that a test can check both the text and the location.
package struct SymbolRenderer: Sendable {
    /// The pattern to render.
    package var pattern: ModulePattern
    /// The number of pixels per module at the middle of the sheet.
    package var modulePixels: Double
    /// The clockwise rotation, in degrees.
    package var degrees = 0.0
    /// The tilt of the sheet in degrees, which moves its upper edge in the picture away.
    package var tilt = 0.0
    /// Indicates whether left and right are exchanged.
    package var isMirrored = false
    /// The brightness of dark modules.
    package var dark = 20.0
    /// The brightness of light modules.
    package var light = 230.0
    /// The brightness added at the right edge of the picture; it grows linearly from the left.
    package var gradient = 0.0
    /// The maximum deviation of a pixel in either direction; the noise is uniform.
    package var noise = 0.0
    /// The standard deviation of the blur, in modules.
    package var blur = 0.0
    /// The horizontal shift of rows in the middle, in modules, which simulates a bent sheet.
    package var bend = 0.0
    /// The width of the quiet zone in modules: left and right, then above and below; `background` begins after it.
    package var quietZone = (across: 12.0, along: 8.0)
    /// The brightness around the sheet; `nil` if the sheet fills the picture.
    package var background: Double?
    /// The seed of the noise and of the symbol's subpixel offset.
    package var seed: UInt64 = 1

    /// The given corners, if any; rotation, tilt and size are then ignored.
    private var given: (corners: Quadrilateral, width: Int, height: Int)?

    /// The distance of the camera, in diagonals of the sheet: that of a phone whose picture the sheet fills.
    private static let distance = 2.5

    /// Creates a renderer with the symbol in the middle of a square picture.
    package init(_ pattern: ModulePattern, modulePixels: Double, degrees: Double = 0, isMirrored: Bool = false) {
        self.pattern = pattern
        self.modulePixels = modulePixels
        self.degrees = degrees
        self.isMirrored = isMirrored
    }

    /// Creates a renderer for a QR code in the same way.
    package init(_ grid: ModuleGrid, modulePixels: Double, degrees: Double = 0, isMirrored: Bool = false) {
        self.init(ModulePattern(grid), modulePixels: modulePixels, degrees: degrees, isMirrored: isMirrored)
        quietZone = (4, 4)
    }

    /// Creates a renderer for a MaxiCode, with `modulePixels` pixels between adjacent modules of a row.
    package init(maxiCode grid: ModuleGrid, modulePixels: Double, degrees: Double = 0, isMirrored: Bool = false) {
        self.init(
            ModulePattern(maxiCode: grid), modulePixels: modulePixels, degrees: degrees, isMirrored: isMirrored)
        quietZone = (2, 2)
    }

    /// Creates a renderer for a linear symbol on a light label, with a medium background.
    package init(bars: [Bool], modulePixels: Double) {
        self.init(ModulePattern(bars: bars), modulePixels: modulePixels)
        dark = 40
        light = 210
        background = 125
    }

    /// Creates a renderer for a QR code with given corners.
    package init(_ grid: ModuleGrid, corners: Quadrilateral, width: Int, height: Int) {
        self.init(ModulePattern(grid), corners: corners, width: width, height: height)
    }

    /// Creates a renderer for a symbol with given corners.
    package init(_ pattern: ModulePattern, corners: Quadrilateral, width: Int, height: Int) {
        self.pattern = pattern
        let points = corners.points
        let perimeter = zip(points, points.dropFirst() + [points[0]]).reduce(0) {
            $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y)
        }
        modulePixels = perimeter / (2 * (Double(pattern.columns) + pattern.height))
        given = (corners, width, height)
    }

    /// The width of the picture, in pixels.
    package var width: Int { given?.width ?? side }
    /// The height of the picture, in pixels.
    package var height: Int { given?.height ?? side }

    /// The diagonal of the sheet, in pixels.
    private var diagonal: Double {
        modulePixels * hypot(Double(pattern.columns) + 2 * quietZone.across, pattern.height + 2 * quietZone.along)
    }

    private var side: Int {
        // Parts nearer than the middle look larger: at most half a diagonal nearer.
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

    /// Returns the corners, each displaced by up to `modules` modules along both axes of the symbol.
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

    /// The homography from modules to pixels.
    package var map: Homography {
        let (right, bottom) = (Double(pattern.columns), pattern.height)
        let flat = Quadrilateral(
            topLeft: Point(x: 0, y: 0), topRight: Point(x: right, y: 0), bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: 0, y: bottom))
        guard let map = Homography(from: flat, to: corners) else { fatalError("the corners of a test are degenerate") }
        return map
    }

    /// Renders the picture: each pixel is the mean of 4 x 4 samples, then blur, light and noise are applied.
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
        let isHexagonal = !pattern.rings.isEmpty
        // Where nothing is bent, a pixel's samples lie between those at its corners.
        let areUniform = bend == 0 && !isHexagonal
        var canvas = GrayCanvas(width: width, height: self.height)
        pattern.modules.withUnsafeBufferPointer { modules in
            func area(_ sample: Int, _ column: Int, _ row: Int) -> Area {
                let point = back.map(
                    Double(column) + (Double(sample % 4) + 0.5) / 4, Double(row) + (Double(sample / 4) + 0.5) / 4)
                let y = point.y
                let across = y / height
                let x = bend == 0 ? point.x : point.x - bend * 4 * across * (1 - across)
                if x >= 0, y >= 0, x < columns, y < height {
                    if isHexagonal { return pattern.isDarkHexagon(x, y) ? .darkModule : .lightModule }
                    return .module(Int(y / pattern.rowHeight) * pattern.columns + Int(x))
                }
                if x <= -quietZone.across { return .left }
                if x >= columns + quietZone.across { return .right }
                if y <= -quietZone.along { return .above }
                if y >= height + quietZone.along { return .below }
                return x < 0 ? .quietLeft : x >= columns ? .quietRight : y < 0 ? .quietAbove : .quietBelow
            }
            func brightness(_ area: Area) -> Double {
                switch area {
                case .module(let module): modules[module] != 0 ? dark : light
                case .darkModule: dark
                case .lightModule, .quietLeft, .quietRight, .quietAbove, .quietBelow: light
                case .left, .right, .above, .below: background ?? light
                }
            }
            canvas.values.withUnsafeMutableBufferPointer { values in
                for place in values.indices {
                    let (row, column) = place.quotientAndRemainder(dividingBy: width)
                    let first = area(0, column, row)
                    if areUniform, [3, 12, 15].allSatisfy({ area($0, column, row) == first }) {
                        values[place] = Float(brightness(first))
                        continue
                    }
                    var sum = 0.0
                    for sample in 0..<16 { sum += brightness(area(sample, column, row)) }
                    values[place] = Float(sum / 16)
                }
            }
        }
        return canvas
    }

    /// A convex part of the plane of the symbol in which all points have the same brightness.
    private enum Area: Equatable {
        case module(Int)
        case darkModule, lightModule
        case quietLeft, quietRight, quietAbove, quietBelow
        case left, right, above, below
    }
}

extension Quadrilateral {
    /// Returns the same corners, starting with another one and optionally in reverse order.
    package func reordered(from start: Int, isReversed: Bool) -> Quadrilateral {
        var points = (0..<4).map { self.points[($0 + start) % 4] }
        if isReversed { points.reverse() }
        return Quadrilateral(
            topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }

    /// Returns the maximum distance between corresponding corners.
    package func distance(to other: Quadrilateral) -> Double {
        zip(points, other.points).map { hypot($0.x - $1.x, $0.y - $1.y) }.max() ?? 0
    }
}
