import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Reading Data Matrix symbols in pictures")
struct DataMatrixPictureTests {
    static func name(_ size: DataMatrixSize) -> String { "\(size.columns) by \(size.rows)" }

    static func size(_ columns: Int, _ rows: Int) throws -> DataMatrixSize {
        try #require(DataMatrixSize(columns: columns, rows: rows))
    }

    static func payload(_ size: DataMatrixSize) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(size.columns * 1000 + size.rows))
        let count = size.dataCount - (size.dataCount < 252 ? 2 : 3)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    static func symbol(_ size: DataMatrixSize) throws -> ModuleGrid {
        try DataMatrixEncoder.encode(DataMatrixEncoder.base256(payload(size)), size: size)
    }

    /// Decodes a picture, and compares the message, grid, location and polarity with those rendered.
    static func check(
        _ renderer: SymbolRenderer, size: DataMatrixSize, corners: Quadrilateral, isInverted: Bool = false,
        tolerance: Double = 0.5, _ label: String
    ) throws {
        let picture = renderer.image()
        let reading: DataMatrixReading
        do {
            reading = try DataMatrixReader().read(isInverted ? picture.inverted() : picture, corners: corners)
        } catch {
            Issue.record("\(name(size)), \(label): \(error)")
            return
        }
        #expect(reading.message.bytes == payload(size), "\(name(size)), \(label)")
        #expect(reading.message.size == ModuleCount(columns: size.columns, rows: size.rows))
        #expect(reading.isInverted == isInverted && reading.message.isMirrored == renderer.isMirrored, "\(label)")
        #expect(reading.grid.width == size.columns && reading.grid.height == size.rows)
        let distance = reading.corners.distance(to: renderer.corners)
        #expect(distance < max(1.5, tolerance * renderer.modulePixels), "\(name(size)), \(label)")
    }

    @Test("Every size is read upright, at 2 and 4 pixels per module", arguments: DataMatrixSize.all.indices, [2.3, 4])
    func sizes(index: Int, modulePixels: Double) throws {
        let size = DataMatrixSize.all[index]
        let renderer = SymbolRenderer(try Self.symbol(size), modulePixels: modulePixels)
        try Self.check(renderer, size: size, corners: renderer.corners, "\(modulePixels) pixels")
    }

    static let some = [(10, 10), (16, 16), (24, 24), (32, 32), (52, 52), (18, 8), (36, 16), (64, 12), (48, 24)]

    @Test(
        "Symbols are read at every angle, with inexact corners", arguments: some,
        Array(stride(from: 0.0, to: 360, by: 40)))
    func angles(modules: (Int, Int), degrees: Double) throws {
        let size = try Self.size(modules.0, modules.1)
        var renderer = SymbolRenderer(try Self.symbol(size), modulePixels: 4, degrees: degrees)
        renderer.noise = 20
        for (off, seed) in [(0.5, 1), (1, 2), (1.5, 3)] as [(Double, UInt64)] {
            try Self.check(
                renderer, size: size, corners: renderer.corners(offBy: off, seed: seed + UInt64(degrees)),
                "\(degrees) degrees, off by \(off), seed \(seed + UInt64(degrees))")
        }
    }

    @Test(
        "The order of the corners does not matter; mirrored and inverted symbols are recognized", arguments: 0..<4,
        [false, true])
    func orders(start: Int, isReversed: Bool) throws {
        for modules in [(14, 14), (36, 36), (26, 12), (48, 8)] {
            for (isMirrored, isInverted) in [(false, false), (true, false), (false, true), (true, true)] {
                let size = try Self.size(modules.0, modules.1)
                let renderer = SymbolRenderer(
                    try Self.symbol(size), modulePixels: 3.3, degrees: 20, isMirrored: isMirrored)
                try Self.check(
                    renderer, size: size,
                    corners: renderer.corners(offBy: 0.5, seed: 9).reordered(from: start, isReversed: isReversed),
                    isInverted: isInverted, "from \(start), reversed \(isReversed), mirrored \(isMirrored)")
            }
        }
    }

    static let hardships: [Hardship] = [
        Hardship(label: "strong noise") { $0.noise = 80 },
        Hardship(label: "little contrast") {
            $0.dark = 118
            $0.light = 138
            $0.noise = 3
        },
        Hardship(label: "light that fades") {
            $0.dark = 10
            $0.light = 90
            $0.gradient = 120
        },
        Hardship(label: "blur of a third of a module") { $0.blur = 0.33 },
        Hardship(label: "small, blur of a third of a module", modulePixels: 2.5) { $0.blur = 0.3 },
        Hardship(label: "two modules of quiet zone, then gray") {
            $0.quietZone = (2, 2)
            $0.background = 90
        },
        Hardship(label: "tilted by 30 degrees", modulePixels: 5) { $0.tilt = 30 },
        Hardship(label: "tilted by 45 degrees", modulePixels: 6) { $0.tilt = 45 },
    ]

    @Test("Degraded pictures are read", arguments: hardships, some)
    func badPictures(_ hardship: Hardship, modules: (Int, Int)) throws {
        let size = try Self.size(modules.0, modules.1)
        var renderer = SymbolRenderer(try Self.symbol(size), modulePixels: hardship.modulePixels ?? 4, degrees: 7)
        hardship.change(&renderer)
        for seed in 5..<7 as Range<UInt64> {
            try Self.check(
                renderer, size: size, corners: renderer.corners(offBy: 0.7, seed: seed),
                "\(hardship.label), seed \(seed)")
        }
    }

    @Test("Nothing is read in texture", arguments: 0..<40)
    func texture(number: Int) throws {
        let texture = TexturePicture(number, seed: 71, width: 320, height: 240)
        let picture = texture.image()
        var random = SeededGenerator(seed: UInt64(number))
        for attempt in 0..<4 {
            let side = Double.random(in: 30...180, using: &random)
            let grid = ModuleGrid(width: 10, height: 10)
            var frame = SymbolRenderer(
                grid, modulePixels: side / 10, degrees: Double.random(in: 0..<360, using: &random))
            frame.seed = UInt64(attempt)
            let middle = frame.corners.center
            let corners = frame.corners.moved(right: 160 - middle.x, down: 120 - middle.y)
            let reading = try? DataMatrixReader().read(picture, corners: corners)
            #expect(reading == nil, "\(texture), place \(attempt)")
        }
    }

    @Test("Lines around random modules are not a symbol", arguments: [(10, 10), (12, 12), (18, 8), (32, 32)])
    func randomModules(modules: (Int, Int)) throws {
        let size = try Self.size(modules.0, modules.1)
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let codewords = (0..<size.codewordCount).map { _ in UInt8.random(in: 0...255, using: &random) }
            let renderer = SymbolRenderer(DataMatrixEncoder.place(codewords, size: size), modulePixels: 4)
            let failure = #expect(throws: MatrixDecodeFailure.self, "\(Self.name(size)), seed \(seed)") {
                try DataMatrixReader().read(renderer.image(), corners: renderer.corners)
            }
            #expect(failure?.code == .tooManyErrors, "\(Self.name(size)), seed \(seed)")
        }
    }

    @Test("Invalid corners are failures, not crashes")
    func badCorners() throws {
        let picture = SymbolRenderer(try Self.symbol(try Self.size(12, 12)), modulePixels: 3).image()
        let values = [-1e300, -50, 0, 30, 60, 1e9, .infinity, .nan]
        var random = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            func point() -> Point {
                Point(x: values.randomElement(using: &random) ?? 0, y: values.randomElement(using: &random) ?? 0)
            }
            let corners = Quadrilateral(
                topLeft: point(), topRight: point(), bottomRight: point(), bottomLeft: point())
            _ = try? DataMatrixReader(maximumAttempts: 2).read(picture, corners: corners)
        }
        let empty = LumaImage(width: 0, height: 0, pixels: [])
        #expect(throws: MatrixDecodeFailure.self) {
            try DataMatrixReader().read(empty, corners: SymbolRenderer(ModuleGrid(size: 10), modulePixels: 4).corners)
        }
    }

    @Test("A reading satisfies the requirements of the decoder")
    func parts() throws {
        let size = try Self.size(36, 16)
        // FNC1 first, then "01" and "23" as pairs of digits.
        let grid = try DataMatrixEncoder.encode([232, 131, 153], size: size)
        let renderer = SymbolRenderer(grid, modulePixels: 4, degrees: 90, isMirrored: true)
        let reading = try DataMatrixReader().read(renderer.image(), corners: renderer.corners)
        #expect(reading.grid.modules == grid.modules)
        let parts = reading.reading
        #expect(parts.symbology == .dataMatrix && parts.bytes == Array("0123".utf8))
        #expect(parts.isGS1 && !parts.isAIM && parts.isMirrored == true && !parts.isInverted)
        #expect(parts.modules == ModuleCount(columns: 36, rows: 16) && parts.structuredAppend == nil)
        #expect(parts.corners == reading.corners && parts.segments == reading.message.segments)
    }
}
