import BarcodeCore
import BarcodeDecoding
import Foundation
import ImageCodecs
import Symbols
import TestSupport
import Testing

/// Symbols that are small, many on a page, or fill the picture.
@Suite("Small symbols, and many on a page")
struct SmallAndManyTests {
    private static func sample(_ name: String) throws -> LumaImage {
        try ImageLoader().load(contentsOf: BarcodeDecoderTests.samples + name).image
    }

    private static func texts(_ image: LumaImage) throws -> [String] { try BarcodeDecoder().decode(image).map(\.text) }

    /// Returns a white sheet with the pictures centered in its cells, in order.
    private static func sheet(_ pictures: [LumaImage], columns: Int, rows: Int, cell: Int) -> LumaImage {
        let width = columns * cell
        return LumaImage(width: width, height: rows * cell) { target in
            target.update(repeating: 255)
            for place in 0..<columns * rows {
                let picture = pictures[place % pictures.count]
                let left = place % columns * cell + (cell - picture.width) / 2
                let top = place / columns * cell + (cell - picture.height) / 2
                for y in 0..<picture.height {
                    for x in 0..<picture.width { target[(top + y) * width + left + x] = picture[x: x, y: y] }
                }
            }
        }
    }

    @Test("All of hundreds of small Data Matrix symbols are read", arguments: [(20, 15, 74), (16, 10, 204)])
    func dataMatrix(columns: Int, rows: Int, cell: Int) throws {
        let symbol = try Self.sample("data-matrix.png").halved()
        let text = try Self.texts(Self.sample("data-matrix.png"))
        let found = try Self.texts(Self.sheet([symbol], columns: columns, rows: rows, cell: cell))
        #expect(text.count == 1 && found == Array(repeating: text[0], count: columns * rows))
    }

    @Test("Small symbols of all kinds are read in a large picture")
    func kinds() throws {
        let names = [
            "aztec", "data-matrix", "data-matrix-rectangle", "ean13", "code128", "micro-qr", "pdf417", "qr", "rmqr",
        ].map { $0 + ".png" }
        let expected = try names.flatMap { try Self.texts(Self.sample($0)) }
        let halves = try names.map { try Self.sample($0).halved() }
        let cell = 20 + (halves.map { max($0.width, $0.height) }.max() ?? 0)
        let (columns, rows) = (3000 / cell, 2400 / cell)
        let found = try Self.texts(Self.sheet(halves, columns: columns, rows: rows, cell: cell))
        let wanted = (0..<columns * rows).map { expected[$0 % expected.count] }
        #expect(expected.count == names.count && found.sorted() == wanted.sorted())
    }

    /// Returns the image at nine tenths of its width, each pixel the mean of what it covers, then blurred `times` along
    /// its rows by the kernel 1 2 1.
    private static func narrowed(_ image: LumaImage, blurred times: Int) -> LumaImage {
        let width = image.width * 9 / 10
        return LumaImage(width: width, height: image.height) { target in
            for y in 0..<image.height {
                var row = (0..<width).map { x in
                    let (start, end) = (Double(x) / 0.9, Double(x + 1) / 0.9)
                    let sum = (Int(start)..<min(image.width, Int(end) + 1)).reduce(0.0) {
                        $0 + (min(end, Double($1 + 1)) - max(start, Double($1))) * Double(image[x: $1, y: y])
                    }
                    return sum * 0.9
                }
                for _ in 0..<times {
                    let padded = [row[0]] + row + [row[width - 1]]
                    row = (0..<width).map { place -> Double in
                        let sides: Double = padded[place] + padded[place + 2]
                        return (sides + 2 * padded[place + 1]) / 4
                    }
                }
                for x in 0..<width { target[y * width + x] = UInt8(min(255, row[x].rounded())) }
            }
        }
    }

    /// Draws a symbol of about two pixels a module as a scanner gives it: turned a little, blurred, with grain.
    private static func scanned(_ pattern: ModulePattern, module: Double, seed: UInt64) -> LumaImage {
        var random = SeededGenerator(seed: seed)
        var renderer = SymbolRenderer(
            pattern, modulePixels: module, degrees: Double.random(in: -3...3, using: &random))
        (renderer.blur, renderer.noise, renderer.seed) = (0.35, 8, seed)
        return renderer.image()
    }

    /// The number of 96 symbols that are read at least.
    ///
    /// Without a second search around those that were located it is 35 to 66.
    static let scannedSheets: [(module: Double, fewest: Int)] = [(1.8, 62), (1.9, 62), (2.1, 76), (2.3, 74)]

    @Test(
        "Most of many scanned symbols of about two pixels a module are read", arguments: scannedSheets, [1, 2])
    func scannedSheet(_ item: (module: Double, fewest: Int), seed: UInt64) throws {
        let rectangle = try #require(DataMatrixSize(columns: 32, rows: 8))
        let compact = try #require(AztecSize.all.first { $0.isCompact && $0.layers == 4 })
        var expected: [String] = []
        var pictures: [LumaImage] = []
        for number in 0..<24 {
            let text = "\(seed)-\(number)"
            let isRectangle = number % 2 == 0
            let grid =
                isRectangle
                ? try DataMatrixEncoder.encode(text.utf8.map { $0 + 1 }, size: rectangle)
                : try AztecEncoder.encode(AztecEncoder.binary(Array("aztec \(text)".utf8)), size: compact)
            expected.append(isRectangle ? text : "aztec \(text)")
            pictures.append(
                Self.scanned(ModulePattern(grid), module: item.module, seed: seed * 1000 + UInt64(number)))
        }
        let cell = 16 + (pictures.map { max($0.width, $0.height) }.max() ?? 0)
        let found = try Self.texts(Self.sheet(pictures, columns: 12, rows: 8, cell: cell))
        #expect(found.count >= item.fewest && Set(found).isSubset(of: expected))
    }

    @Test("Blurred bars of less than 2 pixels are read beside sharp ones in a large picture")
    func blurredBars() throws {
        let image = try Self.sample("upca.png")
        let pictures = [0, 3, 3].map { Self.narrowed(image, blurred: $0) }
        let found = try Self.texts(Self.sheet(pictures, columns: 12, rows: 8, cell: pictures[0].width + 24))
        #expect(found == Array(repeating: try Self.texts(image)[0], count: 96))
    }

    /// Low symbols, as modules.
    static let lowSymbols: [(text: String, modules: [Bool])] = [
        ("12345678", LinearModules.code128("12345678")), ("BOX-1007", LinearModules.code128("BOX-1007")),
        ("A1B2C3", LinearModules.code39("A1B2C3")),
        ("4006381333931", LinearModules.ean13("4006381333931".compactMap(\.wholeNumberValue))),
    ]

    /// The parity of the first row decides how many of the rows are scanned where not all are.
    @Test("Bars five pixels high are read in a small picture", arguments: lowSymbols.indices, [20, 21])
    func lowBars(index: Int, top: Int) throws {
        let (text, modules) = Self.lowSymbols[index]
        let width = modules.count + 24
        let image = LumaImage(width: width, height: 48) { target in
            target.update(repeating: 255)
            for y in top..<top + 5 {
                for (x, isDark) in modules.enumerated() where isDark { target[y * width + 12 + x] = 0 }
            }
        }
        #expect(try Self.texts(image) == [text])
    }

    /// Without the means of their rows none of these is read.
    @Test("Most symbols of which the picture shows only twelve rows are read beside another")
    func cutOff() throws {
        let (width, height) = (640, 480)
        let texts = ["165340", "001EC9476B0A"]
        var read = 0
        for seed: UInt64 in 1...12 {
            let pictures = zip(texts, [2.4, 1.45]).map {
                Self.scanned(ModulePattern(bars: LinearModules.code39($0)), module: $1, seed: seed)
            }
            let page = LumaImage(width: width, height: height) { target in
                target.update(repeating: 255)
                for (picture, top, rows) in [(pictures[0], 90, 80), (pictures[1], height - 12, 12)] {
                    for row in 0..<rows {
                        for x in 0..<min(width - 60, picture.width) {
                            target[(top + row) * width + 60 + x] = picture[x: x, y: (picture.height - rows) / 2 + row]
                        }
                    }
                }
            }
            let found = try Set(Self.texts(page))
            #expect(found.isSubset(of: texts))
            read += found.contains(texts[1]) ? 1 : 0
        }
        #expect(read >= 6, "\(read) of 12")
    }

    @Test("A small QR Code without one of its finder patterns is read beside another in a large picture")
    func withoutFinderPattern() throws {
        let texts = ["weight 100 g", "corn, yellow"]
        let pictures = try texts.map { text in
            let grid = try QREncoder.encode([.bytes(Array(text.utf8))], version: 3, level: .high, mask: 2)
            let picture = Self.scanned(ModulePattern(grid), module: 1.7, seed: 3)
            guard text == texts[1] else { return picture }
            let (width, height) = (picture.width, picture.height)
            return LumaImage(width: width, height: height) { target in
                for y in 0..<height {
                    for x in 0..<width {
                        target[y * width + x] = 3 * x < width && 3 * y > 2 * height ? 255 : picture[x: x, y: y]
                    }
                }
            }
        }
        let found = try Self.texts(Self.sheet(pictures, columns: 8, rows: 3, cell: 560))
        #expect(found.count == 24 && Set(found) == Set(texts))
    }

    /// The number of 200 symbols that are read at least.
    ///
    /// Without a second search of the part around those that were located it is 32, 97, 146 and 37.
    static let blurredCodes: [(module: Double, blur: Double, quality: Int, fewest: Int)] = [
        (2.1, 0.45, 20, 56), (2.2, 0.52, 35, 120), (2.6, 0.45, 15, 172), (3.2, 0.6, 40, 53),
    ]

    @Test("Blurred QR Codes are read beside a sharp one", arguments: blurredCodes)
    func blurredBeside(_ item: (module: Double, blur: Double, quality: Int, fewest: Int)) throws {
        var read = 0
        for seed: UInt64 in 1...40 {
            var random = SeededGenerator(seed: seed)
            let texts = (0..<6).map { "ward \(seed)-\($0)" }
            let pictures = try texts.enumerated().map { number, text in
                let grid = try QREncoder.encode([.bytes(Array(text.utf8))], version: 1, level: .low, mask: 2)
                var renderer = SymbolRenderer(ModulePattern(grid), modulePixels: number == 0 ? 4 : item.module)
                (renderer.dark, renderer.seed) = (100, seed * 10 + UInt64(number))
                if number > 0 {
                    (renderer.blur, renderer.noise) = (item.blur, 5)
                    renderer.degrees = Double.random(in: 0..<90, using: &random)
                }
                return renderer.image()
            }
            let cell = pictures.map { max($0.width, $0.height) }.max() ?? 0
            let sheet = Self.sheet(pictures, columns: 3, rows: 2, cell: cell)
            let found = try Self.texts(ImageLoader().load(JPEGWriter.encode(sheet, quality: item.quality)).image)
            #expect(Set(found).isSubset(of: texts))
            read += found.count { $0 != texts[0] }
        }
        #expect(read >= item.fewest, "\(read) of 200")
    }

    /// Returns a QR Code of version 6 with another, of version 2, in its middle: its modules are five of the pattern's wide,
    /// those of the other two.
    private static func doubleCode(_ outer: String, _ inner: String) throws -> ModulePattern {
        let around = try QREncoder.encode([.bytes(Array(outer.utf8))], version: 6, level: .high, mask: 2)
        let within = try QREncoder.encode([.bytes(Array(inner.utf8))], version: 2, level: .medium, mask: 2)
        let (large, small, quiet) = (5, 2, 4)
        let side = large * around.width
        let start = (side - small * within.width) / 2
        return ModulePattern(
            rows: (0..<side).map { y in
                (0..<side).map { x in
                    let (column, row) = (x - start + small * quiet, y - start + small * quiet)
                    let reach = small * (within.width + 2 * quiet)
                    guard (0..<reach).contains(column), (0..<reach).contains(row) else {
                        return around.modules[y / large * around.width + x / large] == 1
                    }
                    let (innerX, innerY) = (column / small - quiet, row / small - quiet)
                    guard (0..<within.width).contains(innerX), (0..<within.width).contains(innerY) else { return false }
                    return within.modules[innerY * within.width + innerX] == 1
                }
            })
    }

    @Test("A QR Code in the middle of another is read too", arguments: [0.0, 20, 45, 180], [1.0, 1.3, 2, 6])
    func insideAnother(degrees: Double, pixels: Double) throws {
        let texts = ["outer: ward 12", "inner: bed 7"]
        var renderer = SymbolRenderer(
            try Self.doubleCode(texts[0], texts[1]), modulePixels: pixels, degrees: degrees)
        renderer.quietZone = (20, 20)
        #expect(try Self.texts(renderer.image()).sorted() == texts.sorted())
    }

    @Test("A QR Code with glare on a finder pattern is read beside another symbol")
    func glareBeside() throws {
        let label = try Self.sample("ean13.png")
        let number = try Self.texts(label)
        var read = 0
        for seed: UInt64 in 1...12 {
            let text = "ward \(seed)"
            let grid = try QREncoder.encode([.bytes(Array(text.utf8))], version: 3, level: .quartile, mask: 2)
            var renderer = SymbolRenderer(ModulePattern(grid), modulePixels: 4)
            (renderer.dark, renderer.blur, renderer.noise, renderer.seed) = (90, 0.25, 2, seed)
            renderer.degrees = Double(seed) * 3 - 20
            let symbol = renderer.image()
            let corners = renderer.corners
            let corner = [corners.topLeft, corners.topRight, corners.bottomLeft][Int(seed % 3)]
            let center = corners.center
            let glare = Point(
                x: corner.x + (center.x - corner.x) * 3.5 / 14.5, y: corner.y + (center.y - corner.y) * 3.5 / 14.5)
            let picture = LumaImage(width: symbol.width, height: symbol.height) { target in
                for y in 0..<symbol.height {
                    for x in 0..<symbol.width {
                        let light = Double(symbol[x: x, y: y])
                        let distance = glare.distance(to: Point(x: Double(x), y: Double(y)))
                        let share = min(max(1.6 - distance / 20, 0), 1)
                        target[y * symbol.width + x] = UInt8(light + (250 - light) * share)
                    }
                }
            }
            let cell = max(label.width, label.height, symbol.width)
            let found = try Self.texts(Self.sheet([picture, label], columns: 1, rows: 2, cell: cell))
            #expect(Set(found).isSubset(of: number + [text]))
            read += found.count { $0 == text }
        }
        #expect(read >= 10, "\(read) of 12")
    }

    @Test(
        "A pale or a dark symbol is read beside a clear one",
        arguments: [
            ("qr.png", (197, 225)), ("qr.png", (4, 30)), ("micro-qr.png", (197, 225)), ("data-matrix.png", (197, 225)),
        ])
    func faintBeside(name: String, tones: (dark: Int, light: Int)) throws {
        let (symbol, label) = try (Self.sample(name), Self.sample("ean13.png"))
        let faint = LumaImage(width: symbol.width, height: symbol.height) { target in
            for y in 0..<symbol.height {
                for x in 0..<symbol.width {
                    let share = Int(symbol[x: x, y: y]) * (tones.light - tones.dark) / 255
                    target[y * symbol.width + x] = UInt8(tones.dark + share)
                }
            }
        }
        let cell = max(symbol.width, symbol.height, label.width, label.height) + 40
        let found = try Self.texts(Self.sheet([faint, label], columns: 1, rows: 2, cell: cell))
        #expect(try found.sorted() == (Self.texts(symbol) + Self.texts(label)).sorted())
    }

    /// The ground around each symbol in modules, and the number of 60 symbols that are read at least.
    ///
    /// Without the search for light print it is 50 of each.
    static let lightLabels: [(ground: Double, module: Double, fewest: Int)] = [(2, 2.5, 56), (3, 4.2, 58)]

    @Test("Light Data Matrix symbols on dark labels are read beside one on a wide ground", arguments: lightLabels)
    func lightBeside(_ item: (ground: Double, module: Double, fewest: Int)) throws {
        let size = try #require(DataMatrixSize(columns: 32, rows: 8))
        var read = 0
        for seed: UInt64 in 1...10 {
            let texts = (0..<6).map { "\(seed)-\($0)" }
            let pictures = try texts.enumerated().map { number, text in
                let grid = try DataMatrixEncoder.encode(text.utf8.map { $0 + 1 }, size: size)
                var renderer = SymbolRenderer(ModulePattern(grid), modulePixels: item.module)
                (renderer.dark, renderer.light, renderer.blur, renderer.noise) = (220, 80, 0.35, 9)
                renderer.seed = seed * 10 + UInt64(number)
                if number > 0 { (renderer.quietZone, renderer.background) = ((item.ground, item.ground), 200) }
                return renderer.image()
            }
            let cell = pictures.map { max($0.width, $0.height) }.max() ?? 0
            let found = try Self.texts(Self.sheet(pictures, columns: 3, rows: 2, cell: cell))
            #expect(Set(found).isSubset(of: texts))
            read += found.count
        }
        #expect(read >= item.fewest, "\(read) of 60")
    }

    @Test(
        "A symbol that fills its picture is read",
        arguments: ["data-matrix.png", "data-matrix-rectangle.png", "micro-pdf417.png"])
    func margin(name: String) throws {
        let image = try Self.sample(name)
        let symbol = try #require(try BarcodeDecoder().decode(image).first)
        let box = symbol.corners.boundingBox
        let (left, top) = (Int(box.x.rounded()), Int(box.y.rounded()))
        let cut = image.cropped(
            x: left..<left + Int(box.width.rounded()), y: top..<top + Int(box.height.rounded()))
        let found = try BarcodeDecoder().decode(cut)
        try #require(found.map(\.text) == [symbol.text])
        let expected = symbol.corners.moved(right: -Double(left), down: -Double(top))
        for (one, other) in zip(found[0].corners.points, expected.points) {
            #expect(abs(one.x - other.x) < 8 && abs(one.y - other.y) < 8)
        }
    }

    @Test(
        "A symbol that fills a small picture but for the text below it is read",
        arguments: ["data-matrix.png", "data-matrix-rectangle.png"], [0.3, 0.6])
    func marginAboveText(name: String, share: Double) throws {
        let image = try Self.sample(name)
        let symbol = try #require(try BarcodeDecoder().decode(image).first)
        let box = symbol.corners.boundingBox
        let (left, top) = (Int(box.x.rounded()), Int(box.y.rounded()))
        let cut = image.cropped(x: left..<left + Int(box.width.rounded()), y: top..<top + Int(box.height.rounded()))
        let page = LumaImage(width: cut.width, height: cut.height + Int(share * Double(cut.height))) { target in
            for index in target.indices {
                let (x, y) = (index % cut.width, index / cut.width)
                target[index] = y < cut.height ? cut[x: x, y: y] : 255
            }
        }
        #expect(try Self.texts(page) == [symbol.text])
    }

    @Test(
        "Pale print is read", arguments: ["micro-pdf417.png", "ean13.png", "pdf417.png", "data-matrix.png", "qr.png"])
    func pale(name: String) throws {
        let image = try Self.sample(name)
        let pale = LumaImage(width: image.width, height: image.height) { target in
            for y in 0..<image.height {
                // Deterministic noise of two levels.
                for x in 0..<image.width {
                    target[y * image.width + x] = 110 + image[x: x, y: y] / 10 + UInt8((x * 7 + y * 13) % 3)
                }
            }
        }
        #expect(try Self.texts(pale) == Self.texts(image))
    }

    @Test("A stacked DataBar with rows that are too low is read", arguments: [3, 4, 5])
    func lowRows(keptOf six: Int) throws {
        let image = try Self.sample("databar-stacked.png")
        let height = image.height * six / 6
        let low = LumaImage(width: image.width, height: height) { target in
            for y in 0..<height {
                for x in 0..<image.width { target[y * image.width + x] = image[x: x, y: y * 6 / six] }
            }
        }
        #expect(try Self.texts(low) == Self.texts(image))
    }

    @Test("A stacked DataBar is read at any tilt", arguments: [0.0, 4, 8, 12, 94, 188, 276])
    func tilted(degrees: Double) throws {
        let (symbol, other) = (try Self.sample("databar-stacked.png"), try Self.sample("ean13.png"))
        let size = 480
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let page = LumaImage(width: 2 * size, height: size) { target in
            target.update(repeating: 255)
            for y in 0..<other.height {
                for x in 0..<other.width { target[y * 2 * size + x] = other[x: x, y: y] }
            }
            for y in 0..<size {
                for x in 0..<size {
                    let (dx, dy) = (Double(x - size / 2), Double(y - size / 2))
                    let u = Int((cosine * dx + sine * dy + Double(symbol.width) / 2).rounded())
                    let v = Int((cosine * dy - sine * dx + Double(symbol.height) / 2).rounded())
                    guard (0..<symbol.width).contains(u), (0..<symbol.height).contains(v) else { continue }
                    target[y * 2 * size + size + x] = symbol[x: u, y: v]
                }
            }
        }
        #expect(try Set(Self.texts(page)) == Set(Self.texts(symbol) + Self.texts(other)))
    }
}
