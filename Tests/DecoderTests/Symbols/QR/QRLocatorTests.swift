import BarcodeCore
import Glibc
import TestSupport
import Testing

@testable import Symbols

/// Symbols found by the locator and decoded, without a known location.
@Suite("Finding symbols in pictures")
struct QRLocatorTests {
    private static func read(
        _ image: LumaImage, guessing: Bool = false, by threshold: BinaryImage.Threshold = .mean
    ) -> [QRReading] {
        let locator = QRLocator(image, by: threshold)
        var found: [QRReading] = []
        for candidate in guessing ? locator.guesses() : locator.candidates {
            if found.contains(where: { $0.corners.contains(candidate.corners.center) }) { continue }
            let reading = try? QRReader().read(
                image, finderCorners: candidate.corners, size: candidate.size, isInverted: candidate.isInverted)
            if let reading { found.append(reading) }
        }
        return found
    }

    @Test(
        "Symbols are found at every angle and size", arguments: Array(stride(from: 0.0, to: 360, by: 40)),
        [2.0, 3.5, 7])
    func angles(degrees: Double, modulePixels: Double) throws {
        let grid = try QRPictureTests.symbol(version: 4)
        var renderer = SymbolRenderer(grid, modulePixels: modulePixels, degrees: degrees)
        renderer.noise = 12
        renderer.gradient = -90
        let found = Self.read(renderer.image())
        #expect(found.map(\.message.bytes) == [QRPictureTests.payload(version: 4)])
        let side = Double(grid.size) * modulePixels
        #expect(found.allSatisfy { $0.corners.distance(to: renderer.corners) < 0.01 * side })
    }

    @Test("Tilted symbols are found", arguments: [1, 3, 7], [0.0, 0.15, 0.3])
    func tilts(version: Int, tilt: Double) throws {
        let grid = try QRPictureTests.symbol(version: version)
        let side = Double(grid.size) * 5
        // The far edge is shorter by the tilt on both sides, and closer to the near edge.
        let corners = Quadrilateral(
            topLeft: Point(x: 40 + tilt * side, y: 40 + tilt * side / 2),
            topRight: Point(x: 40 + side - tilt * side / 2, y: 40 + tilt * side / 3),
            bottomRight: Point(x: 40 + side, y: 40 + side), bottomLeft: Point(x: 40, y: 40 + side))
        let renderer = SymbolRenderer(grid, corners: corners, width: Int(side) + 80, height: Int(side) + 80)
        let found = Self.read(renderer.image())
        #expect(found.map(\.message.bytes) == [QRPictureTests.payload(version: version)])
    }

    @Test("Inverted and mirrored symbols are found", arguments: [false, true], [false, true])
    func kinds(isInverted: Bool, isMirrored: Bool) throws {
        let grid = try QRPictureTests.symbol(version: 2)
        let renderer = SymbolRenderer(grid, modulePixels: 4, degrees: 25, isMirrored: isMirrored)
        let picture = renderer.image()
        let found = Self.read(isInverted ? picture.inverted() : picture)
        #expect(found.map(\.message.bytes) == [QRPictureTests.payload(version: 2)])
        #expect(found.map(\.isInverted) == [isInverted])
        #expect(found.map(\.message.isMirrored) == [isMirrored])
    }

    @Test(
        "Light print on a wide dark ground is found at every angle", arguments: [0.0, 8, 30, 45, 90, 200],
        [(2.2, BinaryImage.Threshold.midrange), (4, .midrange), (6, .mean), (8, .mean)])
    func darkGround(degrees: Double, scale: (modulePixels: Double, threshold: BinaryImage.Threshold)) throws {
        let grid = try QRPictureTests.symbol(version: 2)
        let angle = degrees * .pi / 180
        let half = Double(grid.size) * scale.modulePixels / 2
        func corner(_ x: Double, _ y: Double) -> Point {
            Point(x: 320 + x * cos(angle) - y * sin(angle), y: 280 + x * sin(angle) + y * cos(angle))
        }
        let corners = Quadrilateral(
            topLeft: corner(-half, -half), topRight: corner(half, -half), bottomRight: corner(half, half),
            bottomLeft: corner(-half, half))
        var renderer = SymbolRenderer(grid, corners: corners, width: 640, height: 560)
        (renderer.dark, renderer.light, renderer.noise) = (170, 90, 6)
        let image = renderer.image()
        #expect(QRLocator(image, by: scale.threshold).patterns.count(where: \.isInverted) >= 3)
        #expect(Self.read(image, by: scale.threshold).map(\.message.bytes) == [QRPictureTests.payload(version: 2)])
    }

    @Test(
        "Overexposed symbols are found, whose dark modules are a third as wide as they should be",
        arguments: [(degrees: 0.0, gain: 3), (45, 2)])
    func overexposed(degrees: Double, gain: Int) throws {
        let version = 1
        let grid = try QRPictureTests.symbol(version: version)
        let image = SymbolRenderer(grid, modulePixels: 9, degrees: degrees).image()
        // Light gains on each side.
        func lightened(_ pixels: [UInt8], step: Int) -> [UInt8] {
            let reach = gain * step
            return pixels.indices.map { index in
                guard index >= reach, index + reach < pixels.count else { return pixels[index] }
                var lightest = pixels[index]
                for other in stride(from: index - reach, through: index + reach, by: step) {
                    lightest = max(lightest, pixels[other])
                }
                return lightest
            }
        }
        let pixels = lightened(image.withUnsafePixels { Array($0) }, step: 1)
        let faded = LumaImage(
            width: image.width, height: image.height, pixels: lightened(pixels, step: image.width))
        #expect(Self.read(faded).map(\.message.bytes) == [QRPictureTests.payload(version: version)])
    }

    @Test("Pale print is found by the search for pale print", arguments: [1, 3, 7], [(110.0, 140.0), (210, 225)])
    func pale(version: Int, tones: (dark: Double, light: Double)) throws {
        var renderer = SymbolRenderer(try QRPictureTests.symbol(version: version), modulePixels: 4)
        (renderer.dark, renderer.light) = tones
        let image = renderer.image()
        #expect(Self.read(image).isEmpty)
        #expect(Self.read(image, by: .pale).map(\.message.bytes) == [QRPictureTests.payload(version: version)])
    }

    @Test("A symbol is found by two finder patterns, whichever the third is", arguments: 0..<3)
    func guesses(covered: Int) throws {
        let version = 3
        let data = QRPictureTests.payload(version: version, level: .high)
        var grid = try QREncoder.encode([.bytes(data)], version: version, level: .high, mask: 2)
        let last = grid.size - 7
        let (left, top) = [(0, 0), (last, 0), (0, last)][covered]
        // A stain over half of the pattern breaks the ring; the rest still fits its location.
        for y in top..<(top + 7) {
            for x in left..<(left + 3) { grid[x, y] = true }
        }
        let renderer = SymbolRenderer(grid, modulePixels: 5, degrees: 12)
        let image = renderer.image()
        let middle = renderer.map.map(Double(left) + 3.5, Double(top) + 3.5)
        let isSeen = QRLocator(image).patterns.contains {
            abs($0.center.x - middle.x) < 15 && abs($0.center.y - middle.y) < 15
        }
        #expect(!isSeen)
        #expect(Self.read(image, guessing: true).map(\.message.bytes) == [data])
    }

    @Test(
        "A tilted symbol is found by two finder patterns, whichever the third is", arguments: 0..<3,
        [(0.0, 45.0), (20, 45), (45, 40), (100, 35), (160, 45)])
    func tiltedGuesses(covered: Int, pose: (degrees: Double, tilt: Double)) throws {
        let version = 3
        let data = QRPictureTests.payload(version: version, level: .high)
        let grid = try QREncoder.encode([.bytes(data)], version: version, level: .high, mask: 2)
        let last = Double(grid.size - 7)
        let (left, top) = [(0, 0), (last, 0), (0, last)][covered]
        var renderer = SymbolRenderer(grid, modulePixels: 7, degrees: pose.degrees)
        renderer.tilt = pose.tilt
        let drawn = renderer.image()
        // A label over most of the pattern.
        let corners = [(0.0, 0.0), (7, 0), (7, 5), (0, 5)].map { renderer.map.map(left + $0.0, top + $0.1) }
        let label = Quadrilateral(
            topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
        let pixels = (0..<drawn.width * drawn.height).map { place -> UInt8 in
            let (y, x) = place.quotientAndRemainder(dividingBy: drawn.width)
            return label.contains(Point(x: Double(x) + 0.5, y: Double(y) + 0.5)) ? 210 : drawn[x: x, y: y]
        }
        let image = LumaImage(width: drawn.width, height: drawn.height, pixels: pixels)
        #expect(Self.read(image, guessing: true).map(\.message.bytes) == [data])
    }

    @Test("Noise and stripes have no symbol", arguments: 1...12)
    func nothing(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let (width, height) = (400, 300)
        let period = Int.random(in: 3...20, using: &random)
        let pixels = (0..<(width * height)).map { place -> UInt8 in
            let stripe = (place % width + place / width * (seed % 3)) / period % 2 == 0 ? 60 : 190
            return seed % 2 == 0
                ? UInt8.random(in: 0...255, using: &random) : UInt8(stripe + Int.random(in: 0..<40, using: &random))
        }
        let image = LumaImage(width: width, height: height, pixels: pixels)
        #expect(Self.read(image).isEmpty, "seed \(seed)")
        #expect(Self.read(image, guessing: true).isEmpty, "seed \(seed)")
    }
}
