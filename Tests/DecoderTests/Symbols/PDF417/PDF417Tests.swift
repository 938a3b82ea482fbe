import BarcodeCore
import BarcodeDecoding
import Foundation
import Symbols
import TestSupport
import Testing

/// Symbols of zint, rendered and decoded from the whole picture.
@Suite("PDF417 symbols in pictures")
struct PDF417Tests {
    /// A symbol of the fixtures: rows of modules, and the message.
    struct Drawing: CustomTestStringConvertible, Sendable {
        var name: String
        var rows: [[Bool]]
        var bytes: [UInt8]

        var testDescription: String { name }

        /// Returns the modules, with rows of some modules each.
        func grid(rowHeight: Int) -> ModuleGrid {
            var grid = ModuleGrid(width: rows[0].count, height: rowHeight * rows.count)
            for y in 0..<grid.height {
                for x in 0..<grid.width { grid[x, y] = rows[y / rowHeight][x] }
            }
            return grid
        }
    }

    /// Returns the symbol with a name.
    static func drawing(_ name: String) throws -> Drawing {
        try #require(try drawings("pdf417.tsv").first { $0.name == name })
    }

    /// Returns the symbols of a fixture file.
    static func drawings(_ file: String) throws -> [Drawing] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures").appending(path: file)
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map { line in
            let fields = line.split(separator: "\t").map(String.init)
            let (width, height) = (try #require(Int(fields[5])), try #require(Int(fields[6])))
            let digits = fields[2].compactMap(\.hexDigitValue)
            let nibbles = fields[7].compactMap(\.hexDigitValue)
            let length = (width + 3) / 4
            return Drawing(
                name: fields[0],
                rows: (0..<height).map { row in
                    (0..<width).map { nibbles[row * length + $0 / 4] >> (3 - $0 % 4) & 1 == 1 }
                }, bytes: stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
        }
    }

    /// Renders a symbol with rows of three modules; each pixel is the mean of nine samples.
    static func picture(_ drawing: Drawing, module: Double, degrees: Double, isMirrored: Bool = false) -> LumaImage {
        let (width, height) = (Double(drawing.rows[0].count), Double(drawing.rows.count * 3))
        let side = Int(((width * width + height * height).squareRoot() + 12) * module) + 8
        let angle = degrees * .pi / 180
        let (cosine, sine) = (cos(angle), sin(angle))
        return LumaImage(width: side, height: side) { pixels in
            for y in 0..<side {
                for x in 0..<side {
                    var dark = 0
                    for point in 0..<9 {
                        let dx = Double(x) + (Double(point % 3) + 0.5) / 3 - Double(side) / 2
                        let dy = Double(y) + (Double(point / 3) + 0.5) / 3 - Double(side) / 2
                        let across = (isMirrored ? -1 : 1) * (dx * cosine + dy * sine) / module + width / 2
                        let down = (-dx * sine + dy * cosine) / module + height / 2
                        guard across >= 0, down >= 0, across < width, down < height else { continue }
                        if drawing.rows[Int(down / 3)][Int(across)] { dark += 1 }
                    }
                    pixels[y * side + x] = UInt8(230 - dark * 22)
                }
            }
        }
    }

    static func read(_ image: LumaImage) throws -> [Symbol] {
        try BarcodeDecoder().decode(image).filter { $0.symbology == .pdf417 }
    }

    @Test("A symbol is read at every angle", arguments: Array(stride(from: 0.0, to: 360, by: 30)))
    func angles(degrees: Double) throws {
        let drawing = try Self.drawing("4 columns")
        let symbols = try Self.read(Self.picture(drawing, module: 3, degrees: degrees))
        #expect(symbols.map(\.bytes) == [drawing.bytes])
        let turn = (symbols.first?.orientation ?? 0) - degrees
        #expect(abs(turn - 360 * (turn / 360).rounded()) < 3)
    }

    @Test(
        "Symbols are read at few pixels a module", arguments: [1.5, 2, 2.6, 5], ["level 2", "7 columns", "200 bytes"])
    func scales(module: Double, name: String) throws {
        let drawing = try Self.drawing(name)
        #expect(try Self.read(Self.picture(drawing, module: module, degrees: 0)).map(\.bytes) == [drawing.bytes])
    }

    @Test(
        "A symbol that is turned away by 45 degrees is read, with modules half as wide at one side",
        arguments: [2, 4, 8],
        [false, true])
    func turnedAway(columns: Int, isMirrored: Bool) throws {
        let drawing = try Self.drawing("\(columns) columns")
        let (width, height) = (Double(17 * columns + 69), Double(3 * drawing.rows.count))
        // The corners of the turned symbol, seen from one and a half times its width; four pixels a module in its middle.
        let (cosine, sine) = (cos(Double.pi / 4), sin(Double.pi / 4))
        func place(_ x: Double, _ y: Double) -> Point {
            let scale = 4 * 1.5 * width / (1.5 * width + (isMirrored ? -1 : 1) * x * sine)
            return Point(x: 2.6 * width + x * cosine * scale, y: 4.5 * height + y * scale)
        }
        let corners = Quadrilateral(
            topLeft: place(-width / 2, -height / 2), topRight: place(width / 2, -height / 2),
            bottomRight: place(width / 2, height / 2), bottomLeft: place(-width / 2, height / 2))
        let renderer = SymbolRenderer(
            drawing.grid(rowHeight: 3), corners: corners, width: Int(5.2 * width), height: Int(9 * height))
        #expect(try Self.read(renderer.image()).map(\.bytes) == [drawing.bytes])
    }

    @Test("Mirrored, inverted and compact symbols are read and reported as such")
    func kinds() throws {
        let drawing = try Self.drawing("3 columns")
        let mirrored = try Self.read(Self.picture(drawing, module: 3, degrees: 10, isMirrored: true))
        #expect(mirrored.map(\.bytes) == [drawing.bytes] && mirrored.first?.isMirrored == true)
        let inverted = try Self.read(Self.picture(drawing, module: 3, degrees: 0).inverted())
        #expect(inverted.map(\.bytes) == [drawing.bytes] && inverted.first?.isInverted == true)
        let compact = try Self.drawing("compact")
        #expect(try Self.read(Self.picture(compact, module: 3, degrees: 20)).map(\.bytes) == [compact.bytes])
    }

    @Test("A symbol is read without its start pattern, and without its stop pattern", arguments: [true, false])
    func tornSide(isStart: Bool) throws {
        let drawing = try Self.drawing("5 columns")
        var torn = drawing
        for row in torn.rows.indices {
            let count = torn.rows[row].count
            for place in isStart ? 0..<12 : (count - 14)..<count { torn.rows[row][place] = false }
        }
        #expect(try Self.read(Self.picture(torn, module: 3, degrees: 0)).map(\.bytes) == [drawing.bytes])
    }

    @Test("The bars of a sheet of labels are not read as rows of codewords", arguments: [2.0, 3])
    func bars(modulePixels: Double) throws {
        let sheet = LabelSheetTests.Sheet(columns: 6, rows: 8, gap: (8, 0), modulePixels: modulePixels)
        let image = SymbolRenderer(sheet.drawn().grid, modulePixels: modulePixels).image()
        var sentences: [String] = []
        let symbols = try BarcodeDecoder().decode(image, options: DecodeOptions(symbologies: [.pdf417])) { event in
            if case .bars(_, _, _, let said) = event { sentences += said }
        }
        #expect(symbols.isEmpty)
        // No attempt reached the codewords.
        #expect(sentences.allSatisfy { $0.contains("the row indicators cannot be read") }, "\(sentences)")
    }
}
