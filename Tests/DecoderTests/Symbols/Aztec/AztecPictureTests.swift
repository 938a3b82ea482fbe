import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Finding and reading Aztec symbols in pictures")
struct AztecPictureTests {
    static func size(_ layers: Int) -> AztecSize {
        AztecSize(isCompact: layers < 0, layers: abs(layers))
    }

    static func payload(_ size: AztecSize) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(size.side))
        let count = (size.bitCount * 6 / 10 - 24) / 9
        return (0..<max(1, count)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    static func symbol(_ size: AztecSize) throws -> ModuleGrid {
        try AztecEncoder.encode(AztecEncoder.binary(payload(size)), size: size)
    }

    /// Returns the first symbol found in a picture.
    static func read(_ picture: LumaImage) -> AztecReading? {
        for bullseye in AztecLocator(BinaryImage(picture)).bullseyes {
            if let reading = try? AztecReader().read(
                picture, outline: bullseye.outline, isInverted: bullseye.isInverted)
            {
                return reading
            }
        }
        return nil
    }

    /// Locates and decodes a symbol, and compares the size, location and polarity with those rendered.
    static func check(
        _ renderer: SymbolRenderer, size: AztecSize, isInverted: Bool = false, tolerance: Double = 0.5, _ label: String
    ) {
        let picture = renderer.image()
        guard let reading = read(isInverted ? picture.inverted() : picture) else {
            Issue.record("\(size), \(label): not read")
            return
        }
        #expect(reading.message.bytes == payload(size), "\(size), \(label)")
        #expect(reading.isInverted == isInverted && reading.message.isMirrored == renderer.isMirrored, "\(label)")
        let distance = reading.corners.distance(to: renderer.corners)
        #expect(distance < max(1.5, tolerance * renderer.modulePixels), "\(size), \(label)")
    }

    /// Negative numbers are compact symbols.
    static let some = [-1, -4, 1, 5, 9]

    @Test("Every size is read upright, at 2.3 pixels per module", arguments: AztecSize.all.indices)
    func sizes(index: Int) throws {
        let size = AztecSize.all[index]
        Self.check(SymbolRenderer(try Self.symbol(size), modulePixels: 2.3), size: size, "upright")
    }

    @Test("Symbols whose edges are off by a quarter of a module, outward or inward, are read", arguments: some)
    func inkSpread(layers: Int) throws {
        let size = Self.size(layers)
        let picture = SymbolRenderer(try Self.symbol(size), modulePixels: 4).image()
        for isDark in [true, false] {
            let reading = Self.read(picture.widened(isDark: isDark))
            #expect(reading?.message.bytes == Self.payload(size), "\(isDark ? "outward" : "inward")")
        }
    }

    @Test("Large symbols are read rotated", arguments: [16, 23, 32], [48.0, 264])
    func large(layers: Int, degrees: Double) throws {
        try angles(layers: layers, degrees: degrees)
    }

    @Test("Symbols are read at every angle", arguments: some, Array(stride(from: 0.0, to: 360, by: 24)))
    func angles(layers: Int, degrees: Double) throws {
        let size = Self.size(layers)
        var renderer = SymbolRenderer(try Self.symbol(size), modulePixels: 3.2, degrees: degrees)
        renderer.noise = 20
        Self.check(renderer, size: size, "\(degrees) degrees")
    }

    @Test("Mirrored and inverted symbols are recognized", arguments: some)
    func kinds(layers: Int) throws {
        let size = Self.size(layers)
        for (isMirrored, isInverted) in [(true, false), (false, true), (true, true)] {
            let renderer = SymbolRenderer(
                try Self.symbol(size), modulePixels: 3.3, degrees: 110, isMirrored: isMirrored)
            Self.check(renderer, size: size, isInverted: isInverted, "mirrored \(isMirrored), inverted \(isInverted)")
        }
    }

    struct Hardship: CustomTestStringConvertible, Sendable {
        var label: String
        var modulePixels = 4.0
        var degrees = 7.0
        var change: @Sendable (inout SymbolRenderer) -> Void = { _ in }
        var testDescription: String { label }
    }

    static let hardships: [Hardship] = [
        Hardship(label: "strong noise", modulePixels: 5) { $0.noise = 60 },
        Hardship(label: "little contrast") {
            $0.dark = 110
            $0.light = 150
            $0.noise = 3
        },
        Hardship(label: "light that fades") {
            $0.dark = 10
            $0.light = 90
            $0.gradient = 120
        },
        Hardship(label: "1.6 pixels", modulePixels: 1.6, degrees: 0),
        Hardship(label: "1.8 pixels, turned", modulePixels: 1.8, degrees: 31),
        Hardship(label: "blur of a third of a module") { $0.blur = 0.33 },
        Hardship(label: "no quiet zone") {
            $0.quietZone = (0, 0)
            $0.background = 90
        },
        Hardship(label: "tilted by 30 degrees", modulePixels: 5) { $0.tilt = 30 },
        Hardship(label: "tilted by 45 degrees", modulePixels: 6, degrees: 45) { $0.tilt = 45 },
    ]

    @Test("Degraded pictures are read", arguments: hardships, some)
    func badPictures(_ hardship: Hardship, layers: Int) throws {
        let size = Self.size(layers)
        var renderer = SymbolRenderer(
            try Self.symbol(size), modulePixels: hardship.modulePixels, degrees: hardship.degrees)
        hardship.change(&renderer)
        Self.check(renderer, size: size, hardship.label)
    }

    @Test("Bent sheets are read", arguments: [-4, 5, 16])
    func bent(layers: Int) throws {
        let size = Self.size(layers)
        var renderer = SymbolRenderer(try Self.symbol(size), modulePixels: 4, degrees: 7)
        renderer.bend = 1
        Self.check(renderer, size: size, tolerance: 1.5, "bent by a module")
    }

    @Test("Runes are read", arguments: [0, 25, 68, 170, 223, 255] as [UInt8], [2.0, 5])
    func runes(value: UInt8, modulePixels: Double) {
        for degrees in [0.0, 33, 200] {
            var renderer = SymbolRenderer(AztecEncoder.rune(value), modulePixels: modulePixels, degrees: degrees)
            renderer.noise = 10
            let reading = Self.read(renderer.image())
            #expect(reading?.message.bytes == Array("00\(value)".utf8.suffix(3)), "\(degrees) degrees")
            #expect(reading?.message.symbologyIdentifier == "]zC")
        }
    }

    @Test("Nothing is read in texture", arguments: 0..<40)
    func texture(number: Int) {
        let texture = TexturePicture(number, seed: 71, width: 320, height: 240)
        #expect(Self.read(texture.image()) == nil, "\(texture)")
    }

    @Test("Invalid outlines are failures, not crashes")
    func badOutlines() throws {
        let picture = SymbolRenderer(try Self.symbol(Self.size(5)), modulePixels: 3).image()
        let values = [-1e300, -50, 0, 30, 60, 90, 1e9, .infinity, .nan]
        var random = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            func point() -> Point {
                Point(x: values.randomElement(using: &random) ?? 0, y: values.randomElement(using: &random) ?? 0)
            }
            let outline = Quadrilateral(
                topLeft: point(), topRight: point(), bottomRight: point(), bottomLeft: point())
            _ = try? AztecReader().read(picture, outline: outline, isInverted: Bool.random(using: &random))
        }
        let empty = LumaImage(width: 0, height: 0, pixels: [])
        #expect(AztecLocator(BinaryImage(empty)).bullseyes.isEmpty)
        #expect(throws: MatrixDecodeFailure.self) {
            try AztecReader().read(
                empty, outline: SymbolRenderer(ModuleGrid(size: 7), modulePixels: 4).corners, isInverted: false)
        }
    }
}
