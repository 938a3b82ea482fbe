import BarcodeCore
import BarcodeDecoding
import Foundation
import TestSupport
import Testing

@testable import Symbols

@Suite("Data Matrix symbols in whole pictures", .timeLimit(.minutes(10)))
struct DataMatrixSearchTests {
    static func symbol(_ text: String, _ columns: Int, _ rows: Int) throws -> ModuleGrid {
        let size = try #require(DataMatrixSize(columns: columns, rows: rows))
        return try DataMatrixEncoder.encode(DataMatrixEncoder.base256(Array(text.utf8)), size: size)
    }

    @Test(
        "Every effort reads a symbol with its identifier and its corners",
        arguments: DecodeOptions.Effort.allCases, [0.0, 33, 90, 215])
    func symbol(effort: DecodeOptions.Effort, degrees: Double) throws {
        var renderer = SymbolRenderer(
            try Self.symbol("Quietzone", 20, 20), modulePixels: 5, degrees: degrees)
        renderer.noise = 15
        for isInverted in [false, true] {
            let picture = isInverted ? renderer.image().inverted() : renderer.image()
            let symbols = try BarcodeDecoder().decode(picture, options: DecodeOptions(effort: effort))
            let found = try #require(symbols.first, "\(effort), \(degrees) degrees, inverted: \(isInverted)")
            #expect(symbols.count == 1 && found.symbology == .dataMatrix && found.text == "Quietzone")
            #expect(found.symbologyIdentifier == "]d1" && found.isInverted == isInverted)
            #expect(found.modules == ModuleCount(columns: 20, rows: 20))
            #expect(found.corners.distance(to: renderer.corners) < 2.5)
        }
    }

    /// The dark ground above and to the left becomes light by the rule for dark print.
    @Test("A light symbol on a wide dark ground is read", arguments: [(25, 235), (60, 150), (90, 180)], [3, 4, 7])
    func lightPrint(tones: (ground: UInt8, print: UInt8), module: Int) throws {
        for (name, columns) in [("PART-7", 14), ("Quietzone", 20)] {
            let grid = try Self.symbol(name, columns, columns)
            let side = 300
            var pixels = [UInt8](repeating: tones.ground, count: side * side)
            for y in 0..<columns * module {
                for x in 0..<columns * module where grid[x / module, y / module] {
                    pixels[(90 + y) * side + 110 + x] = tones.print
                }
            }
            let symbols = try BarcodeDecoder().decode(LumaImage(width: side, height: side, pixels: pixels))
            #expect(symbols.map(\.text) == [name], "\(name)")
            #expect(symbols.first?.isInverted == true)
        }
    }

    @Test("Symbols of many sizes on one sheet are all read, and nothing else")
    func sheet() throws {
        let sizes = [(14, 14), (18, 18), (26, 12), (24, 24), (36, 16), (16, 16), (48, 8), (32, 32), (22, 22)]
        let pictures = try sizes.enumerated().map { index, modules in
            SymbolRenderer(
                try Self.symbol("N\(index)", modules.0, modules.1), modulePixels: 4, degrees: Double(index) * 23
            ).image()
        }
        let side = pictures.map { max($0.width, $0.height) }.max() ?? 0
        let sheet = LumaImage(width: 3 * side, height: 3 * side) { target in
            for index in 0..<9 * side * side {
                let (y, x) = index.quotientAndRemainder(dividingBy: 3 * side)
                let picture = pictures[y / side * 3 + x / side]
                let (inX, inY) = (x % side, y % side)
                target[index] = inX < picture.width && inY < picture.height ? picture[x: inX, y: inY] : 230
            }
        }
        let texts = try BarcodeDecoder().decode(sheet).map(\.text)
        #expect(texts.sorted() == sizes.indices.map { "N\($0)" })
    }

    @Test(
        "A read symbol does not hide a neighbor outside both quiet zones",
        arguments: [DecodeOptions.Effort.fast, .normal], [0.0, 20, 65])
    func neighbors(effort: DecodeOptions.Effort, degrees: Double) throws {
        let grids = [
            try QREncoder.encode([.bytes(Array("first".utf8))], version: 2, level: .medium),
            try Self.symbol("second", 18, 18), try Self.symbol("third", 16, 16),
        ]
        // Four modules of space beside a QR code, one beside each Data Matrix.
        let gaps = [4, 2, 0]
        var row = ModuleGrid(width: zip(grids, gaps).reduce(0) { $0 + $1.0.width + $1.1 }, height: grids[0].height)
        var left = 0
        for (grid, gap) in zip(grids, gaps) {
            for y in 0..<grid.height {
                for x in 0..<grid.width { row[left + x, y] = grid[x, y] }
            }
            left += grid.width + gap
        }
        let picture = SymbolRenderer(row, modulePixels: 4, degrees: degrees).image()
        let texts = try BarcodeDecoder().decode(picture, options: DecodeOptions(effort: effort)).map(\.text)
        #expect(texts.sorted() == ["first", "second", "third"])
    }

    @Test("Symbols in pale print are read", arguments: [(10, 10), (24, 24), (32, 8)], [12, 30, 60])
    func pale(modules: (Int, Int), contrast: Int) throws {
        let grid = try Self.symbol("c", modules.0, modules.1)
        let (side, margin) = (4, 30)
        let width = grid.width * side + 2 * margin
        var random = SeededGenerator(seed: UInt64(contrast))
        let picture = LumaImage(width: width, height: grid.height * side + 2 * margin) { target in
            for place in target.indices {
                let (x, y) = (place % width - margin, place / width - margin)
                let isInside = x >= 0 && y >= 0 && x < grid.width * side && y < grid.height * side
                let isDark = isInside && grid[x / side, y / side]
                target[place] = UInt8(
                    130 + (isDark ? -contrast / 2 : contrast / 2) + Int.random(in: -1...1, using: &random))
            }
        }
        #expect(try BarcodeDecoder().decode(picture).map(\.text) == ["c"])
    }

    /// Dots with a module size in pixels and a diameter in modules.
    @Test(
        "Thorough effort reads symbols of separate dots, dark and light", arguments: [4.0, 6, 9, 14], [0.65, 0.8])
    func dots(module: Double, diameter: Double) throws {
        let grid = try Self.symbol("DOT PEEN 7", 18, 18)
        let side = Int(Double(grid.width) * 1.8 * module)
        let (cosine, sine) = (cos(10 * Double.pi / 180), sin(10 * Double.pi / 180))
        for isLight in [false, true] {
            let picture = LumaImage(width: side, height: side) { target in
                for place in target.indices {
                    let (across, down) = (
                        Double(place % side - side / 2) / module, Double(place / side - side / 2) / module
                    )
                    let (x, y) = (
                        across * cosine + down * sine + Double(grid.width) / 2,
                        down * cosine - across * sine + Double(grid.height) / 2
                    )
                    let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
                    let isInside = column >= 0 && row >= 0 && column < grid.width && row < grid.height
                    let (u, v) = (x - Double(column) - 0.5, y - Double(row) - 0.5)
                    let isDot = isInside && grid[column, row] && u * u + v * v < diameter * diameter / 4
                    target[place] = isDot != isLight ? 60 : 200
                }
            }
            let symbols = try BarcodeDecoder().decode(picture, options: DecodeOptions(effort: .thorough))
            #expect(symbols.map(\.text) == ["DOT PEEN 7"], "light: \(isLight)")
        }
    }

    @Test("Symbols of one pixel per module are read", arguments: [(10, 10), (12, 12), (18, 18), (24, 24)])
    func onePixel(modules: (Int, Int)) throws {
        let grid = try Self.symbol("c", modules.0, modules.1)
        for margin in 1...3 {
            let width = grid.width + 2 * margin
            let picture = LumaImage(width: width, height: grid.height + 2 * margin) { target in
                for place in target.indices {
                    let (x, y) = (place % width - margin, place / width - margin)
                    let isInside = x >= 0 && y >= 0 && x < grid.width && y < grid.height
                    target[place] = isInside && grid[x, y] ? 0 : 255
                }
            }
            #expect(try BarcodeDecoder().decode(picture).map(\.text) == ["c"], "margin \(margin)")
        }
    }

    @Test("Nine in ten symbols with a notch in a solid side are read", arguments: [0.0, 20, 160])
    func notches(degrees: Double) throws {
        var missed: [String] = []
        for modules in [(16, 16), (20, 20), (24, 24), (26, 12)] {
            let whole = try Self.symbol("Notch", modules.0, modules.1)
            for (length, share) in [(1, 0.3), (1, 0.6), (2, 0.3), (2, 0.5)] {
                for isLeft in [false, true] {
                    var grid = whole
                    for step in 0..<length {
                        if isLeft {
                            grid[0, Int(share * Double(grid.height)) + step] = false
                        } else {
                            grid[Int((1 - share) * Double(grid.width)) + step, grid.height - 1] = false
                        }
                    }
                    let picture = SymbolRenderer(grid, modulePixels: 6, degrees: degrees).image()
                    if try BarcodeDecoder().decode(picture).map(\.text) != ["Notch"] {
                        missed.append("\(modules), \(length) modules at \(share), at the left: \(isLeft)")
                    }
                }
            }
        }
        #expect(missed.count <= 3, "\(missed)")
    }

    @Test("A symbol whose solid side continues as a line is read", arguments: [0.0, 15, 200])
    func line(degrees: Double) throws {
        let symbol = try Self.symbol("Line", 16, 16)
        // The symbol on a sheet of modules; its lower edge extends as a line across the sheet.
        var sheet = ModuleGrid(width: 32, height: 24)
        for y in 0..<16 {
            for x in 0..<16 { sheet[x + 2, y + 4] = symbol[x, y] }
        }
        for x in 21..<32 { sheet[x, 19] = true }
        let picture = SymbolRenderer(sheet, modulePixels: 5, degrees: degrees).image()
        #expect(try BarcodeDecoder().decode(picture).map(\.text) == ["Line"])
    }

    @Test(
        "A stain may hide two fifths of a solid side, or the end of one of a square",
        arguments: [
            (14, 14, 0.3...0.7), (20, 20, 0.3...0.7), (36, 12, 0.3...0.7), (14, 14, 0.75...1.05), (20, 20, 0.7...1.05),
        ],
        [UInt8(0), 128, 255])
    func stainedSide(place: (columns: Int, rows: Int, hidden: ClosedRange<Double>), brightness: UInt8) throws {
        let size = try DataMatrixPictureTests.size(place.columns, place.rows)
        let grid = try DataMatrixPictureTests.symbol(size)
        let renderer = SymbolRenderer(grid, modulePixels: 5, degrees: 8)
        let (map, image) = (renderer.map, renderer.image())
        // Along the bottom, two modules high, and one more outside.
        let left = place.hidden.lowerBound * Double(size.columns)
        let right = place.hidden.upperBound * Double(size.columns)
        let (top, bottom) = (Double(size.rows) - 2, Double(size.rows) + 1)
        let stain = Quadrilateral(
            topLeft: map.map(left, top), topRight: map.map(right, top), bottomRight: map.map(right, bottom),
            bottomLeft: map.map(left, bottom))
        let stained = LumaImage(width: image.width, height: image.height) { pixels in
            for y in 0..<image.height {
                for x in 0..<image.width {
                    let isHidden = stain.contains(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
                    pixels[y * image.width + x] = isHidden ? brightness : image[x: x, y: y]
                }
            }
        }
        #expect(try BarcodeDecoder().decode(stained).map(\.bytes) == [DataMatrixPictureTests.payload(size)])
    }
}
