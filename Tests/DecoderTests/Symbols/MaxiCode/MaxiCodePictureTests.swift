import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Finding and reading MaxiCode symbols in pictures")
struct MaxiCodePictureTests {
    /// One symbol of each mode, with a long message.
    static let fixtures: [MatrixFixture] = [
        "mode 2, with a header", "mode 3, with a header", "mode 4, 30 of mixed case", "mode 5, 30 of bytes",
        "mode 6, 30 of small letters",
    ].compactMap { name in MatrixFixture.maxiCode.first { $0.name == name } }

    static func read(_ picture: LumaImage) throws -> MaxiCodeReading? {
        let locator = MaxiCodeLocator(BinaryImage(picture), rowStep: picture.pixelCount > 300_000 ? 3 : 2)
        return try DrawnReading.first(of: locator.bullseyes) { bullseye in
            try MaxiCodeReader().read(picture, bullseye: bullseye.corners, isInverted: bullseye.isInverted)
        }
    }

    static func check(
        _ renderer: SymbolRenderer, _ fixture: MatrixFixture, isInverted: Bool = false, _ label: String
    ) {
        DrawnReading.check(renderer, fixture, isInverted: isInverted, label, tolerance: 0.4) { picture in
            try read(picture).map {
                DrawnReading(
                    bytes: $0.message.bytes, corners: $0.corners, isInverted: $0.isInverted, isMirrored: $0.isMirrored)
            }
        }
    }

    @Test("A symbol of every mode is read", arguments: fixtures.indices, [3.2, 4.5, 7])
    func modes(index: Int, modulePixels: Double) {
        let fixture = Self.fixtures[index]
        Self.check(
            SymbolRenderer(maxiCode: fixture.grid, modulePixels: modulePixels), fixture, "\(modulePixels) pixels")
    }

    @Test("A symbol is read at every angle", arguments: Array(stride(from: 0.0, to: 360, by: 13)))
    func angles(degrees: Double) {
        let fixture = Self.fixtures[Int(degrees) % Self.fixtures.count]
        var renderer = SymbolRenderer(maxiCode: fixture.grid, modulePixels: 4, degrees: degrees)
        renderer.noise = 20
        renderer.seed = UInt64(degrees)
        Self.check(renderer, fixture, "\(degrees) degrees")
    }

    @Test("A tilted symbol is read", arguments: [15.0, 30, 40, 50], [0.0, 35, 100, 215, 310])
    func tilts(tilt: Double, degrees: Double) {
        let fixture = Self.fixtures[2]
        var renderer = SymbolRenderer(maxiCode: fixture.grid, modulePixels: 7, degrees: degrees)
        renderer.tilt = tilt
        renderer.noise = 15
        Self.check(renderer, fixture, "tilted by \(tilt), turned by \(degrees) degrees")
    }

    @Test("Mirrored and inverted symbols are recognized", arguments: [false, true], [false, true])
    func mirrored(isMirrored: Bool, isInverted: Bool) {
        let fixture = Self.fixtures[0]
        for degrees in [0.0, 50] {
            let renderer = SymbolRenderer(
                maxiCode: fixture.grid, modulePixels: 5, degrees: degrees, isMirrored: isMirrored)
            Self.check(
                renderer, fixture, isInverted: isInverted,
                "mirrored \(isMirrored), inverted \(isInverted), \(degrees) degrees")
        }
    }

    static let hardships: [Hardship] = [
        Hardship(label: "strong noise") { $0.noise = 70 },
        Hardship(label: "little contrast") {
            $0.dark = 100
            $0.light = 140
            $0.noise = 4
        },
        Hardship(label: "light that fades") {
            $0.dark = 10
            $0.light = 100
            $0.gradient = 110
        },
        Hardship(label: "blur of a third of a module") { $0.blur = 0.33 },
        Hardship(label: "small", modulePixels: 2.7) { $0.noise = 10 },
        Hardship(label: "a narrow quiet zone, then gray") {
            $0.quietZone = (1, 1)
            $0.background = 90
        },
        Hardship(label: "a large center, as some printers have it") {
            $0.pattern.rings = [1.13, 1.8, 2.5, 3.2, 3.85, 4.5]
        },
        Hardship(label: "ink that spreads over the light rings") { $0.pattern.rings = [0.5, 1.45, 1.9, 3, 3.5, 4.6] },
        Hardship(label: "bent by half a module") { $0.bend = 0.5 },
    ]

    @Test("Degraded pictures are read", arguments: hardships, [0.0, 21])
    func badPictures(_ hardship: Hardship, degrees: Double) {
        let fixture = Self.fixtures[4]
        var renderer = SymbolRenderer(
            maxiCode: fixture.grid, modulePixels: hardship.modulePixels ?? 5, degrees: degrees)
        hardship.change(&renderer)
        for seed in 5..<7 as Range<UInt64> {
            renderer.seed = seed
            Self.check(renderer, fixture, "\(hardship.label), \(degrees) degrees, seed \(seed)")
        }
    }

    @Test("A symbol without a corner is read")
    func damaged() {
        for (seed, fixture) in Self.fixtures.enumerated() {
            var grid = fixture.grid
            var random = SeededGenerator(seed: UInt64(seed))
            for y in 26..<33 {
                for x in 23..<30 { grid[x, y] = Bool.random(using: &random) }
            }
            Self.check(SymbolRenderer(maxiCode: grid, modulePixels: 5, degrees: 7), fixture, "seed \(seed)")
        }
    }

    @Test("A bull's-eye without a symbol is not read", arguments: 0..<6)
    func targets(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var grid = ModuleGrid(width: 30, height: 33)
        if seed > 0 {
            for place in grid.modules.indices { grid.modules[place] = UInt8.random(in: 0...1, using: &random) }
        }
        if seed > 3 {
            // Valid except for the codewords.
            for mark in MaxiCodeLayout.orientationMarks { grid[mark.x, mark.y] = mark.isDark }
        }
        let renderer = SymbolRenderer(maxiCode: grid, modulePixels: 5, degrees: Double(31 * seed))
        #expect((try? Self.read(renderer.image())) == nil, "seed \(seed)")
    }

    @Test("Nothing is read in texture", arguments: 0..<40)
    func texture(number: Int) {
        let texture = TexturePicture(number, seed: 16, width: 320, height: 240)
        #expect((try? Self.read(texture.image())) == nil, "\(texture)")
    }

    @Test("Invalid corners are failures, not crashes")
    func badCorners() {
        let picture = SymbolRenderer(maxiCode: Self.fixtures[0].grid, modulePixels: 3).image()
        let values = [-1e300, -50, 0, 30, 60, 1e9, .infinity, .nan]
        var random = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            func point() -> Point {
                Point(x: values.randomElement(using: &random) ?? 0, y: values.randomElement(using: &random) ?? 0)
            }
            let corners = Quadrilateral(
                topLeft: point(), topRight: point(), bottomRight: point(), bottomLeft: point())
            _ = try? MaxiCodeReader().read(picture, bullseye: corners, isInverted: false)
        }
        let empty = LumaImage(width: 0, height: 0, pixels: [])
        #expect(MaxiCodeLocator(BinaryImage(empty), rowStep: 0).bullseyes.isEmpty)
        #expect(throws: MatrixDecodeFailure.self) {
            try MaxiCodeReader().read(
                empty, bullseye: SymbolRenderer(ModuleGrid(size: 10), modulePixels: 4).corners, isInverted: false)
        }
    }

    @Test("A reading satisfies the requirements of the decoder")
    func parts() throws {
        let fixture = try #require(MatrixFixture.maxiCode.first { $0.name == "mode 6, part 2 of 2" })
        let renderer = SymbolRenderer(maxiCode: fixture.grid, modulePixels: 5, degrees: 90)
        let reading = try #require(try Self.read(renderer.image()))
        let parts = reading.reading
        #expect(parts.symbology == .maxiCode && parts.bytes == fixture.bytes && parts.isReaderProgramming)
        #expect(parts.isMirrored == false && !parts.isInverted && parts.errorCorrectionLevel == "SEC")
        #expect(parts.modules == ModuleCount(columns: 30, rows: 33))
        #expect(parts.structuredAppend == StructuredAppend(index: 1, count: 2))
        #expect(parts.corners == reading.corners && parts.segments == reading.message.segments)
    }
}
