import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Reading symbols in pictures")
struct QRPictureTests {
    static func symbol(version: Int, level: QRErrorCorrectionLevel = .medium, seed: UInt64 = 3) throws -> ModuleGrid {
        try QREncoder.encode(
            [.bytes(payload(version: version, level: level))], version: version, level: level,
            mask: Int(seed % 8))
    }

    static func payload(version: Int, level: QRErrorCorrectionLevel = .medium) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(version))
        let count = QRBlockTable(version: version, level: level).dataCount - 3
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test(
        "Upright symbols of every other version are read at 1.5 to 8 pixels per module",
        arguments: [1, 2, 3, 5, 6, 7, 10, 14, 21, 27, 40], [1.5, 2, 3, 4.7, 8])
    func sizes(version: Int, modulePixels: Double) throws {
        // Larger versions would take too long.
        if version > 14, modulePixels > 2 { return }
        let grid = try Self.symbol(version: version)
        let renderer = SymbolRenderer(grid, modulePixels: modulePixels)
        let reading = try QRReader().read(renderer.image(), corners: renderer.corners)
        #expect(reading.message.bytes == Self.payload(version: version))
        #expect(!reading.message.isMirrored && !reading.isInverted)
        #expect(reading.corners.distance(to: renderer.corners) < 0.75 * modulePixels)
    }

    @Test("Symbols are read at every angle", arguments: Array(stride(from: 0.0, to: 360, by: 20)), [1, 4, 8])
    func angles(degrees: Double, version: Int) throws {
        let grid = try Self.symbol(version: version)
        var renderer = SymbolRenderer(grid, modulePixels: 3, degrees: degrees)
        renderer.noise = 25
        let corners = renderer.corners(offBy: 0.5, seed: UInt64(degrees))
        let reading = try QRReader().read(renderer.image(), corners: corners)
        #expect(reading.message.bytes == Self.payload(version: version))
        #expect(reading.corners.distance(to: renderer.corners) < 3)
    }

    @Test(
        "The order of the corners does not matter; mirrored and inverted symbols are recognized", arguments: 0..<4,
        [false, true])
    func orders(start: Int, isReversed: Bool) throws {
        for (isMirrored, isInverted) in [(false, false), (true, false), (false, true), (true, true)] {
            let grid = try Self.symbol(version: 3)
            let renderer = SymbolRenderer(grid, modulePixels: 3.3, degrees: 20, isMirrored: isMirrored)
            let picture = renderer.image()
            let reading = try QRReader().read(
                isInverted ? picture.inverted() : picture,
                corners: renderer.corners.reordered(from: start, isReversed: isReversed))
            #expect(reading.message.bytes == Self.payload(version: 3))
            #expect(reading.message.isMirrored == isMirrored)
            #expect(reading.isInverted == isInverted)
            #expect(reading.corners.distance(to: renderer.corners) < 2)
        }
    }

    struct Hardship: CustomTestStringConvertible, Sendable {
        var label: String
        var version: Int
        var modulePixels = 4.0
        var change: @Sendable (inout SymbolRenderer) -> Void = { _ in }
        var testDescription: String { label }
    }

    static let hardships: [Hardship] = [
        Hardship(label: "strong noise", version: 4) { $0.noise = 90 },
        Hardship(label: "little contrast", version: 4) {
            $0.dark = 118
            $0.light = 138
            $0.noise = 3
        },
        Hardship(label: "light that fades", version: 5) {
            $0.dark = 10
            $0.light = 90
            $0.gradient = 160
        },
        Hardship(label: "blur of a third of a module", version: 4, modulePixels: 4) { $0.blur = 0.36 },
        Hardship(label: "blur of a third of a module, small", version: 2, modulePixels: 2.5) { $0.blur = 0.33 },
        Hardship(label: "blur of half a module, large", version: 7, modulePixels: 3) { $0.blur = 0.47 },
        Hardship(label: "a bent sheet, one row of patterns inside", version: 7, modulePixels: 3) { $0.bend = 2 },
        Hardship(label: "a bent sheet", version: 10, modulePixels: 4) { $0.bend = 1.5 },
        Hardship(label: "a large bent sheet", version: 20, modulePixels: 3) { $0.bend = 2 },
    ]

    @Test("Degraded pictures are read", arguments: hardships)
    func badPictures(_ hardship: Hardship) throws {
        let grid = try Self.symbol(version: hardship.version)
        var renderer = SymbolRenderer(grid, modulePixels: hardship.modulePixels, degrees: 7)
        hardship.change(&renderer)
        let reading = try QRReader().read(
            renderer.image(), corners: renderer.corners(offBy: 0.3, seed: 5))
        #expect(reading.message.bytes == Self.payload(version: hardship.version))
    }

    static let slants: [Quadrilateral] = [
        Quadrilateral(
            topLeft: Point(x: 60, y: 40), topRight: Point(x: 300, y: 90), bottomRight: Point(x: 260, y: 320),
            bottomLeft: Point(x: 30, y: 250)),
        Quadrilateral(
            topLeft: Point(x: 120, y: 60), topRight: Point(x: 260, y: 60), bottomRight: Point(x: 340, y: 330),
            bottomLeft: Point(x: 40, y: 330)),
        Quadrilateral(
            topLeft: Point(x: 330, y: 330), topRight: Point(x: 60, y: 280), bottomRight: Point(x: 110, y: 120),
            bottomLeft: Point(x: 300, y: 60)),
    ]

    @Test("Slanted symbols are read", arguments: slants, [1, 2, 6, 9])
    func perspective(_ corners: Quadrilateral, version: Int) throws {
        let grid = try Self.symbol(version: version)
        var renderer = SymbolRenderer(grid, corners: corners, width: 380, height: 380)
        renderer.noise = 15
        for seed in 0..<2 as Range<UInt64> {
            let reading = try QRReader().read(
                renderer.image(), corners: renderer.corners(offBy: 0.7, seed: seed))
            #expect(reading.message.bytes == Self.payload(version: version))
        }
    }

    @Test("The version is estimated", arguments: [1, 2, 3, 5, 7, 9, 12, 17, 25, 33, 40])
    func versions(version: Int) throws {
        let grid = try Self.symbol(version: version)
        var renderer = SymbolRenderer(grid, modulePixels: 2.5, degrees: 3)
        renderer.noise = 20
        let (picture, corners) = (renderer.image(), renderer.corners(offBy: 0.6, seed: UInt64(version)))
        let estimates = picture.withUnsafePixels { buffer -> [QRVersionEstimate] in
            guard let pixels = PixelSampler(buffer, of: picture),
                let match = FinderSearch.find(in: pixels, corners: corners)
            else { return [] }
            return QRVersionEstimate.candidates(pixels, match: match, count: 3)
        }
        #expect(estimates.first?.version == version)
    }

    @Test("A picture without a symbol is a failure", arguments: [0.0, 100])
    func nothing(noise: Double) throws {
        var renderer = SymbolRenderer(ModuleGrid(size: 21), modulePixels: 4)
        renderer.noise = noise
        let picture = renderer.image()
        #expect(throws: MatrixDecodeFailure.self) {
            try QRReader().read(picture, corners: renderer.corners)
        }
    }

    @Test("Invalid corners are failures, not crashes")
    func badCorners() throws {
        let grid = try Self.symbol(version: 2)
        let picture = SymbolRenderer(grid, modulePixels: 2).image()
        let values = [-1e300, -50, 0, 30, 60, 1e9, .infinity, .nan]
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            func point() -> Point {
                Point(x: values.randomElement(using: &random) ?? 0, y: values.randomElement(using: &random) ?? 0)
            }
            let corners = Quadrilateral(
                topLeft: point(), topRight: point(), bottomRight: point(), bottomLeft: point())
            _ = try? QRReader(maximumAttempts: 2).read(picture, corners: corners)
        }
        let empty = LumaImage(width: 0, height: 0, pixels: [])
        #expect(throws: MatrixDecodeFailure.self) {
            try QRReader().read(empty, corners: Self.slants[0])
        }
    }

    @Test("A truncated symbol is read up to the capacity of its error correction")
    func cutOff() throws {
        let grid = try Self.symbol(version: 3, level: .high)
        let renderer = SymbolRenderer(grid, modulePixels: 4)
        let whole = renderer.image()
        let corners = renderer.corners
        let width = Int(corners.bottomRight.x - 3 * 4)
        let cut = LumaImage(width: width, height: whole.height) { target in
            for y in 0..<whole.height {
                for x in 0..<width { target[y * width + x] = whole[x: x, y: y] }
            }
        }
        #expect(try QRReader().read(cut, corners: corners).message.bytes == Self.payload(version: 3, level: .high))
    }
}
