import BarcodeCore
import BarcodeDecoding
import ImageCodecs
import TestSupport
import Testing

@Suite("Linear symbols in pictures")
struct LinearDecodingTests {
    static func digits(_ seed: UInt64) -> [Int] {
        var random = SeededGenerator(seed: seed)
        // No leading zero, so that it is not a UPC-A.
        return LinearModules.checked(
            [Int.random(in: 1...9, using: &random)] + (0..<11).map { _ in Int.random(in: 0...9, using: &random) })
    }

    static func text(_ digits: [Int]) -> String { digits.map(String.init).joined() }

    @Test(
        "EAN-13 is read, with correct corners",
        arguments: [0.0, 8, 33, 90, 121, 180, 262], [1.6, 2.5])
    func angles(degrees: Double, modulePixels: Double) throws {
        for seed in [UInt64(degrees)] {
            let digits = Self.digits(seed)
            var renderer = SymbolRenderer(bars: LinearModules.ean13(digits), modulePixels: modulePixels)
            renderer.degrees = degrees
            renderer.noise = 8
            renderer.blur = 0.3
            renderer.seed = seed
            let symbols = try BarcodeDecoder().decode(renderer.image())
            #expect(symbols.map(\.text) == [Self.text(digits)], "seed \(seed)")
            let symbol = try #require(symbols.first, "seed \(seed)")
            #expect(symbol.corners.distance(to: renderer.corners) < 0.03 * 95 * modulePixels, "seed \(seed)")
        }
    }

    @Test("Blurred EAN-13 is read", arguments: [0.5, 0.7], [2.0, 4])
    func blur(blur: Double, modulePixels: Double) throws {
        for seed in 10..<11 as Range<UInt64> {
            let digits = Self.digits(seed)
            var renderer = SymbolRenderer(bars: LinearModules.ean13(digits), modulePixels: modulePixels)
            renderer.degrees = Double(seed)
            renderer.noise = 6
            renderer.blur = blur
            renderer.seed = seed
            let symbols = try BarcodeDecoder().decode(renderer.image())
            #expect(symbols.map(\.text) == [Self.text(digits)], "seed \(seed)")
        }
    }

    @Test("EAN-13 of 1.3 pixels per module is read", arguments: 20..<23 as Range<UInt64>)
    func coarse(seed: UInt64) throws {
        let digits = Self.digits(seed)
        var renderer = SymbolRenderer(bars: LinearModules.ean13(digits), modulePixels: 1.3)
        renderer.degrees = Double(seed - 20) * 3
        renderer.noise = 5
        renderer.seed = seed
        #expect(try BarcodeDecoder().decode(renderer.image()).map(\.text) == [Self.text(digits)])
    }

    @Test("A quiet zone of three modules is enough", arguments: 30..<32 as Range<UInt64>)
    func quietZone(seed: UInt64) throws {
        let digits = Self.digits(seed)
        var renderer = SymbolRenderer(bars: LinearModules.ean13(digits), modulePixels: 2.5)
        renderer.quietZone.across = 3
        renderer.degrees = 5
        renderer.blur = 0.4
        #expect(try BarcodeDecoder().decode(renderer.image()).map(\.text) == [Self.text(digits)])
    }

    @Test("Other symbologies are read with the corners of their bars", arguments: [0.0, 20, 90])
    func itf(degrees: Double) throws {
        var renderer = SymbolRenderer(bars: LinearModules.itf([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2]), modulePixels: 2)
        renderer.degrees = degrees
        let symbols = try BarcodeDecoder().decode(renderer.image())
        #expect(symbols.map(\.text) == ["123456789012"])
        let distance = symbols.first?.corners.distance(to: renderer.corners) ?? .infinity
        #expect(distance < 0.03 * 2 * Double(renderer.pattern.columns))
    }

    /// Returns an image of modules alone, without quiet zones.
    static func bare(_ modules: some Sequence<Bool>, modulePixels: Int) -> LumaImage {
        let row = modules.flatMap { Array(repeating: UInt8($0 ? 20 : 235), count: modulePixels) }
        let height = 40
        return LumaImage(width: row.count, height: height, pixels: Array(repeatElement(row, count: height).joined()))
    }

    @Test("An ITF without quiet zones is read if nothing of it is cut off", arguments: 1...3)
    func bareITF(modulePixels: Int) throws {
        let modules = LinearModules.itf([1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
        let read = { (part: ArraySlice<Bool>) in
            try BarcodeDecoder().decode(
                Self.bare(part, modulePixels: modulePixels), options: DecodeOptions(symbologies: [.itf])
            ).map(\.text)
        }
        #expect(try read(modules[...]) == ["1234567890"])
        // Every number of modules at one side, which leaves parts that begin or end like a symbol.
        for count in 1..<60 {
            #expect(try read(modules.dropFirst(count)).isEmpty)
            #expect(try read(modules.dropLast(count)).isEmpty)
        }
    }

    /// The modules of an ITF with quiet zones of twelve modules.
    private static func itf(_ digits: [Int]) -> [Bool] {
        let quiet = [Bool](repeating: false, count: 12)
        return quiet + LinearModules.itf(digits) + quiet
    }

    @Test("A part of an ITF whose middle is covered is not read", arguments: [2, 3], [30, 60])
    func coveredITF(modulePixels: Int, width: Int) throws {
        let modules = Self.itf([1, 5, 4, 0, 0, 1, 4, 1, 2, 8, 8, 7, 6, 3, 4, 4, 9, 7, 0, 2])
        var located = 0
        for first in stride(from: 50, to: modules.count - width - 50, by: 1) {
            var covered = modules
            for module in first..<first + width { covered[module] = false }
            let result = try BarcodeDecoder().search(
                Self.bare(covered, modulePixels: modulePixels), options: DecodeOptions(symbologies: [.itf]))
            #expect(result.symbols.map(\.text) == [], "modules \(first) to \(first + width)")
            located += result.unread.count { $0.kind == .linear && $0.reason == .damaged }
        }
        // Some of the parts are valid, and are reported as symbols that were not read.
        #expect(located > 0)
    }

    @Test("ITF symbols side by side, and in frames, are read")
    func itfBesideOthers() throws {
        let (one, two) = (Self.itf([1, 2, 3, 4, 5, 6, 7, 8]), Self.itf([8, 8, 2, 4, 6, 1, 3, 5]))
        let beside = Self.bare(one + two, modulePixels: 3)
        #expect(try BarcodeDecoder().decode(beside).map(\.text) == ["12345678", "88246135"])
        // A frame of two lines around the symbol, higher than its bars.
        let row = Self.bare([true, false, true] + one + [true, false, true], modulePixels: 3)
        let (height, margin) = (3 * row.height, 36)
        let framed = LumaImage(width: row.width + 2 * margin, height: height) { pixels in
            for index in pixels.indices {
                let (x, y) = (index % (row.width + 2 * margin) - margin, index / (row.width + 2 * margin))
                let isLine = y > 0 && y < height - 1 && (x < 9 || x >= row.width - 9)
                let isSymbol = y >= row.height && y < 2 * row.height
                pixels[index] =
                    (0..<row.width).contains(x) && (isLine || isSymbol) ? row[x: x, y: row.height / 2] : 235
            }
        }
        #expect(try BarcodeDecoder().decode(framed).map(\.text) == ["12345678"])
    }

    @Test("UPC-E without quiet zones are read", arguments: 1...2)
    func bareUPCE(modulePixels: Int) throws {
        var random = SeededGenerator(seed: 17)
        for _ in 0..<60 {
            // The last digit says how the number was shortened; from 5 it is a digit of its own.
            var digits = (0..<6).map { _ in Int.random(in: 1...9, using: &random) }
            digits[5] = Int.random(in: 5...9, using: &random)
            let number = LinearModules.checked([0] + digits.prefix(5) + [0, 0, 0, 0, digits[5]])
            let image = Self.bare(LinearModules.upcE(digits, check: number[11]), modulePixels: modulePixels)
            #expect(try BarcodeDecoder().decode(image).map(\.text) == [Self.text(number)])
        }
    }

    @Test("Random bars, noise and stripes are not read", arguments: 0..<8 as Range<UInt64>)
    func textures(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var renderer = SymbolRenderer(
            bars: (0..<Int.random(in: 40...120, using: &random)).map { _ in Bool.random(using: &random) },
            modulePixels: 2)
        renderer.degrees = Double.random(in: 0...180, using: &random)
        renderer.blur = 0.6
        renderer.noise = 10
        // Only zbar reads DataBar Expanded and Code 39 without a check digit here.
        let symbologies = Symbology.retail.subtracting([.isbn10, .isbn13])
        #expect(try BarcodeDecoder().decode(renderer.image(), options: DecodeOptions(symbologies: symbologies)).isEmpty)
        let noise = (0..<160 * 120).map { place -> UInt8 in
            seed % 2 == 0
                ? UInt8.random(in: 0...255, using: &random) : place % 160 / Int(seed / 8 + 1) % 2 == 0 ? 30 : 220
        }
        #expect(try BarcodeDecoder().decode(LumaImage(width: 160, height: 120, pixels: noise)).isEmpty)
    }

    @Test(
        "An add-on that the edge of the picture cuts is not read",
        arguments: [("ean13-addon2.png", "05"), ("ean13-addon5.png", "54495"), ("upca-addon5.png", "12345")])
    func addOnsThatAreCut(file: String, addOn: String) throws {
        let whole = try ImageLoader().load(contentsOf: ProgramRunner.samplesFolder + file).image
        var read: Set<String?> = []
        for width in stride(from: whole.width / 2, through: whole.width, by: 2) {
            let cut = LumaImage(width: width, height: whole.height) { pixels in
                for index in pixels.indices { pixels[index] = whole[x: index % width, y: index / width] }
            }
            for symbol in try BarcodeDecoder().decode(cut) { read.insert(symbol.addOn) }
        }
        #expect(read == [nil, addOn])
    }
}
