import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Finding and reading Micro QR and rMQR symbols in pictures")
struct MicroQRPictureTests {
    /// Returns the symbols read at the finder patterns of a picture.
    static func read(_ picture: LumaImage, maximumAttempts: Int = 24) -> [MicroQRReading] {
        read(QRLocator(picture), picture, maximumAttempts)
    }

    /// Returns the symbols read at finder patterns of very low contrast.
    static func readPale(_ picture: LumaImage) -> [MicroQRReading] {
        read(QRLocator(picture, by: .pale), picture, 24)
    }

    private static func read(_ locator: QRLocator, _ picture: LumaImage, _ maximumAttempts: Int) -> [MicroQRReading] {
        let reader = MicroQRReader(maximumAttempts: maximumAttempts)
        return locator.patterns.indices.compactMap { index in
            guard let finder = locator.outline(ofPattern: index) else { return nil }
            return try? reader.read(picture, finder: finder, isInverted: locator.patterns[index].isInverted)
        }
    }

    /// Returns the fixture with this name prefix, the longest message of a size.
    static func fixture(_ name: String) throws -> MatrixFixture {
        try #require(MatrixFixture.microQR.first { $0.name.hasPrefix(name) })
    }

    /// Decodes a picture, and compares the message, location and polarity with those rendered.
    static func check(_ renderer: SymbolRenderer, _ fixture: MatrixFixture, isInverted: Bool = false, _ label: String)
        throws
    {
        let picture = renderer.image()
        let seen = isInverted ? picture.inverted() : picture
        let readings = renderer.light < 200 ? readPale(seen) : read(seen)
        #expect(readings.map(\.message.bytes) == [fixture.bytes], "\(fixture.name), \(label)")
        guard let reading = readings.first else { return }
        #expect(reading.isInverted == isInverted && reading.message.isMirrored == renderer.isMirrored, "\(label)")
        let distance = reading.corners.distance(to: renderer.corners)
        #expect(distance < max(1.5, 0.6 * renderer.modulePixels), "\(fixture.name), \(label)")
    }

    static let names =
        ["M1 level -", "M2 level L", "M3 level M", "M4 level L"] + MicroQRSize.rectangles.map { "\($0.name) level M" }
    static let some = [
        "M1 level -", "M2 level M", "M3 level L", "M4 level Q", "R7x43 level M", "R11x27 level H", "R13x77 level M",
        "R17x139 level H",
    ]

    @Test("Every size is read upright", arguments: names, [2.5, 4])
    func sizes(name: String, modulePixels: Double) throws {
        let fixture = try Self.fixture(name)
        try Self.check(
            SymbolRenderer(fixture.grid, modulePixels: modulePixels), fixture, "\(modulePixels) pixels a module")
    }

    @Test("Symbols are read at every angle", arguments: some, Array(stride(from: 0.0, to: 360, by: 24)))
    func angles(name: String, degrees: Double) throws {
        let fixture = try Self.fixture(name)
        var renderer = SymbolRenderer(fixture.grid, modulePixels: 3.5, degrees: degrees)
        renderer.noise = 15
        try Self.check(renderer, fixture, "\(degrees) degrees")
    }

    @Test(
        "Mirrored and inverted symbols are recognized", arguments: some, [(true, false), (false, true), (true, true)])
    func kinds(name: String, kind: (isMirrored: Bool, isInverted: Bool)) throws {
        let fixture = try Self.fixture(name)
        let renderer = SymbolRenderer(fixture.grid, modulePixels: 4, degrees: 20, isMirrored: kind.isMirrored)
        try Self.check(renderer, fixture, isInverted: kind.isInverted, "\(kind)")
    }

    static let hardships: [Hardship] = [
        Hardship(label: "strong noise") { $0.noise = 40 },
        Hardship(label: "little contrast") {
            $0.dark = 100
            $0.light = 150
            $0.noise = 3
        },
        Hardship(label: "blur of a third of a module") { $0.blur = 0.33 },
        Hardship(label: "two modules of quiet zone, then gray") {
            $0.quietZone = (2, 2)
            $0.background = 100
        },
        Hardship(label: "tilted by 20 degrees", modulePixels: 5) { $0.tilt = 20 },
        Hardship(label: "tilted by 35 degrees", modulePixels: 6) { $0.tilt = 35 },
    ]

    @Test("Degraded pictures are read", arguments: hardships, some)
    func badPictures(_ hardship: Hardship, name: String) throws {
        let fixture = try Self.fixture(name)
        var renderer = SymbolRenderer(fixture.grid, modulePixels: hardship.modulePixels ?? 4, degrees: 7)
        hardship.change(&renderer)
        try Self.check(renderer, fixture, hardship.label)
    }

    /// R7x43 is left out: its two patterns at the right are too few for a fit if light modules are half as wide.
    @Test(
        "Symbols whose edges are off by a quarter of a module, outward or inward, are read",
        arguments: some.filter { !$0.hasPrefix("R7x43") })
    func inkSpread(name: String) throws {
        let fixture = try Self.fixture(name)
        let picture = SymbolRenderer(fixture.grid, modulePixels: 4).image()
        for isDark in [true, false] {
            let readings = Self.read(picture.widened(isDark: isDark))
            #expect(readings.map(\.message.bytes) == [fixture.bytes], "\(isDark ? "outward" : "inward")")
        }
    }

    @Test("A symbol without a quiet zone that fills the picture is read, at one pixel per module")
    func smallest() throws {
        let fixture = try Self.fixture("M1 level -")
        let grid = fixture.grid
        let pixels = grid.modules.map { $0 == 1 ? UInt8(0) : 255 }
        let readings = Self.read(LumaImage(width: grid.width, height: grid.height, pixels: pixels))
        #expect(readings.map(\.message.bytes) == [fixture.bytes])
    }

    @Test("Nothing is read in texture", arguments: 0..<60)
    func texture(number: Int) {
        let texture = TexturePicture(number, seed: 33, width: 320, height: 240)
        #expect(Self.read(texture.image()).isEmpty, "\(texture)")
    }

    @Test("A QR symbol is never read as Micro QR, however damaged", arguments: 1...6)
    func damagedQR(version: Int) throws {
        for seed in 0..<12 as Range<UInt64> {
            var random = SeededGenerator(seed: seed * 100 + UInt64(version))
            let fixtures = MatrixFixture.qr.filter { $0.grid.width == 17 + 4 * version }
            guard let fixture = fixtures.randomElement(using: &random) else { return }
            var grid = fixture.grid
            for index in grid.modules.indices where Int.random(in: 0..<4, using: &random) == 0 {
                // The finder patterns are kept.
                let (y, x) = index.quotientAndRemainder(dividingBy: grid.width)
                if x > 8, y > 8 { grid[x, y].toggle() }
            }
            let picture = SymbolRenderer(grid, modulePixels: 4, degrees: 90 * Double(seed % 4)).image()
            #expect(Self.read(picture).isEmpty, "\(fixture.name), seed \(seed)")
        }
    }

    @Test("Invalid outlines are failures, not crashes")
    func badCorners() throws {
        let picture = SymbolRenderer(try Self.fixture("M2 level M").grid, modulePixels: 3).image()
        let values = [-1e300, -50, 0, 12, 33, 60, 1e9, .infinity, .nan]
        var random = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            func point() -> Point {
                Point(x: values.randomElement(using: &random) ?? 0, y: values.randomElement(using: &random) ?? 0)
            }
            let corners = Quadrilateral(
                topLeft: point(), topRight: point(), bottomRight: point(), bottomLeft: point())
            let reading = try? MicroQRReader(maximumAttempts: 2).read(picture, finder: corners, isInverted: false)
            #expect(reading == nil, "\(corners)")
        }
    }

    @Test(
        "Errors are corrected up to the capacity of the standard, and more never give a wrong message", arguments: names
    )
    func damage(name: String) throws {
        let fixture = try Self.fixture(name)
        let size = try #require(MicroQRSize.of(width: fixture.grid.width, height: fixture.grid.height))
        let message = try MicroQRDecoder.decode(fixture.grid)
        let table = try #require(size.blockTable(message.errorCorrectionLevel))
        let capacity = (table.checkCount - table.misdecodeProtection) / 2
        for seed in 0..<6 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            // Consecutive codewords are in different blocks, so that no block exceeds the given number of errors.
            for (wrong, isRead) in [(capacity, true), (table.codewordCount, false)] {
                var grid = fixture.grid
                for codeword in Array(0..<table.codewordCount - 1).shuffled(using: &random).prefix(wrong) {
                    let place = Int(size.patterns.dataOrder[codeword * 8])
                    grid.modules[place] ^= 1
                }
                let read = try? MicroQRDecoder.decode(grid)
                #expect(read.map { $0.bytes == fixture.bytes } ?? !isRead, "\(fixture.name), \(wrong), seed \(seed)")
            }
        }
    }
}
