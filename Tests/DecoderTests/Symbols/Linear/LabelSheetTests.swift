import BarcodeCore
import BarcodeDecoding
import Symbols
import TestSupport
import Testing

/// Pages on which symbols are closer than the distance that separates regions of bars.
@Suite("Sheets of labels")
struct LabelSheetTests {
    /// A sheet of symbols in columns and rows.
    struct Sheet: Sendable, CustomTestStringConvertible {
        var columns = 5
        var rows = 6
        /// The space in modules between two symbols side by side, and between two rows.
        var gap = (across: 10, along: 8)
        /// The height of the bars, in modules.
        var height = 32
        var modulePixels = 2.0
        var degrees = 0.0
        var blur = 0.0
        var noise = 0.0
        var kind = Symbology.ean13

        var testDescription: String {
            "\(columns) x \(rows) \(kind.rawValue), \(gap.across) and \(gap.along) modules apart, "
                + "\(modulePixels) pixels a module, \(degrees) degrees"
        }

        var texts: [String] {
            (0..<columns * rows).map { number in
                switch kind {
                case .code128: return "BOX-\(10_000 + number * 317)"
                default:
                    let digits = Array(String(400_638_100_000 + number * 917)).compactMap(\.wholeNumberValue)
                    return LinearDecodingTests.text(LinearModules.checked(digits))
                }
            }
        }

        /// Returns the modules of the whole sheet, and the location of each symbol in it.
        func drawn() -> (grid: ModuleGrid, places: [String: (x: Int, y: Int, width: Int)]) {
            let symbols = texts.map { text in
                (
                    text,
                    kind == .code128
                        ? LinearModules.code128(text) : LinearModules.ean13(text.compactMap(\.wholeNumberValue))
                )
            }
            let width = symbols.map(\.1.count).max() ?? 0
            let size = (across: columns * (width + gap.across) + 10, along: rows * (height + gap.along) + 10)
            var grid = ModuleGrid(width: size.across, height: size.along)
            var places: [String: (x: Int, y: Int, width: Int)] = [:]
            for (number, (text, bars)) in symbols.enumerated() {
                let (x, y) = (
                    10 + number % columns * (width + gap.across), 10 + number / columns * (height + gap.along)
                )
                places[text] = (x, y, bars.count)
                for (column, isDark) in bars.enumerated() where isDark {
                    for row in 0..<height { grid[x + column, y + row] = true }
                }
            }
            return (grid, places)
        }
    }

    static let sheets = [
        Sheet(), Sheet(gap: (8, 4)), Sheet(gap: (14, 30)), Sheet(modulePixels: 1.3),
        Sheet(columns: 4, rows: 5, modulePixels: 3),
        Sheet(degrees: 4, noise: 6), Sheet(degrees: 45), Sheet(gap: (12, 10), degrees: 90),
        Sheet(gap: (12, 10), blur: 0.4, noise: 8), Sheet(columns: 3, rows: 9, gap: (16, 8), kind: .code128),
        Sheet(columns: 1, rows: 2, gap: (10, 4)), Sheet(columns: 5, rows: 1),
        Sheet(columns: 3, rows: 8, gap: (60, 60)), Sheet(columns: 3, rows: 8, gap: (60, 60), degrees: 2, noise: 6),
        Sheet(columns: 3, rows: 8, gap: (30, 60), kind: .code128),
    ]

    /// Tests a symbol that is read by fitting alone.
    ///
    /// Its rows do not agree on a number, because its guard bars are wider than one module and its other
    /// narrow bars less wide.
    @Test("An uneven print close above a tall symbol that is further to the left is read", arguments: 3..<9)
    func unevenAboveTall(first: Int) throws {
        let numbers = (0..<2).map { LinearModules.checked(ClearRetailTests.digits(12, from: first + $0)) }
        func row(_ number: [Int], left: Double, isUneven: Bool) -> [Float] {
            let bars = [false] + LinearModules.ean13(number) + [false]
            var row = [Float](repeating: 235, count: 360)
            for start in 1..<bars.count where bars[start] && !bars[start - 1] {
                let end = bars[start...].firstIndex(of: false) ?? bars.count
                let isGuard = start < 4 || end > bars.count - 4
                let growth = !isUneven || end - start > 1 ? 0 : isGuard ? 0.25 : -0.2
                let (from, to) = (left + 2.1 * (Double(start) - growth), left + 2.1 * (Double(end) + growth))
                for x in row.indices {
                    row[x] -= 215 * Float(max(0, min(to, Double(x) + 1) - max(from, Double(x))))
                }
            }
            return row
        }
        let above = row(numbers[0], left: 120, isUneven: true)
        let tall = row(numbers[1], left: 30, isUneven: false)
        let page = GrayCanvas(width: 360, height: 420) { x, y in
            (10..<100).contains(y) ? above[x] : (116..<410).contains(y) ? tall[x] : 235
        }
        let texts = numbers.map(LinearDecodingTests.text)
        #expect(try Set(BarcodeDecoder().decode(page.image()).map(\.text)) == Set(texts))
    }

    @Test("Each symbol of a sheet is read once, with its corners", arguments: sheets)
    func sheet(_ sheet: Sheet) throws {
        let (grid, places) = sheet.drawn()
        var renderer = SymbolRenderer(grid, modulePixels: sheet.modulePixels, degrees: sheet.degrees)
        (renderer.blur, renderer.noise) = (sheet.blur, sheet.noise)
        let symbols = try BarcodeDecoder().decode(renderer.image())
        #expect(symbols.map(\.text).sorted() == sheet.texts.sorted())
        let map = renderer.map
        for symbol in symbols {
            guard let place = places[symbol.text] else { continue }
            let (left, right) = (Double(place.x), Double(place.x + place.width))
            let (top, bottom) = (Double(place.y), Double(place.y + sheet.height))
            let corners = Quadrilateral(
                topLeft: map.map(left, top), topRight: map.map(right, top), bottomRight: map.map(right, bottom),
                bottomLeft: map.map(left, bottom))
            #expect(
                symbol.corners.distance(to: corners) < 5 * sheet.modulePixels,
                "\(symbol.text): \(symbol.corners), \(corners)")
        }
    }

    /// Renders two symbols on a page with a gap in pixels between them.
    static func pair(isBeside: Bool, gap: Int, heights: (Int, Int), kinds: (Int, Int)) -> (LumaImage, [String]) {
        let texts = [
            "BOX-1007", "A1B2C3D4", LinearDecodingTests.text(LinearDecodingTests.digits(3)), "BOX-2008-17",
        ]
        func bars(_ kind: Int) -> [Bool] {
            switch kind {
            case 1: LinearModules.code39(texts[1])
            case 2: LinearModules.ean13(LinearDecodingTests.digits(3))
            default: LinearModules.code128(texts[kind])
            }
        }
        let (one, other) = (bars(kinds.0), bars(kinds.1))
        let side = 2
        let width = isBeside ? side * (one.count + other.count) + gap + 80 : side * max(one.count, other.count) + 80
        let height = isBeside ? max(heights.0, heights.1) + 80 : heights.0 + gap + heights.1 + 80
        let image = LumaImage(width: width, height: height) { target in
            for index in 0..<width * height { target[index] = 230 }
            func draw(_ bars: [Bool], _ left: Int, _ top: Int, _ height: Int) {
                for y in top..<top + height {
                    for x in 0..<side * bars.count where bars[x / side] { target[y * width + left + x] = 20 }
                }
            }
            draw(one, 40, 40, heights.0)
            draw(
                other, isBeside ? 40 + side * one.count + gap : 40, isBeside ? 40 : 40 + heights.0 + gap, heights.1)
        }
        return (image, [texts[kinds.0], texts[kinds.1]])
    }

    @Test("The corners of a symbol at the edge of the picture are inside the picture", arguments: 60..<64)
    func atTheEdge(height: Int) throws {
        let (image, texts) = Self.pair(isBeside: true, gap: 60, heights: (height, height), kinds: (0, 2))
        let cropped = image.cropped(x: 0..<image.width, y: 40..<image.height - 40)
        let symbols = try BarcodeDecoder().decode(cropped)
        #expect(symbols.map(\.text) == texts)
        for symbol in symbols {
            let box = symbol.corners.boundingBox
            #expect(box.y >= 0 && box.y + box.height <= Double(height), "\(box)")
            #expect(box.height > Double(height) - 2, "\(box)")
        }
    }

    @Test(
        "Two symbols above each other are both read, whatever their heights", arguments: [10, 20, 60, 120],
        [(40, 160), (160, 40), (60, 60), (30, 30)])
    func above(gap: Int, heights: (Int, Int)) throws {
        for kinds in [(0, 1), (2, 0), (1, 2), (0, 3)] {
            let (image, texts) = Self.pair(isBeside: false, gap: gap, heights: heights, kinds: kinds)
            let symbols = try BarcodeDecoder().decode(image)
            #expect(symbols.map(\.text) == texts, "\(kinds)")
            for (symbol, height) in zip(symbols, [heights.0, heights.1]) {
                #expect(abs(symbol.corners.boundingBox.height - Double(height)) < 10, "\(kinds)")
            }
        }
    }

    @Test("Two symbols beside each other are both read", arguments: [24, 40, 120])
    func beside(gap: Int) throws {
        for kinds in [(0, 1), (2, 0), (1, 2), (0, 3)] {
            let (image, texts) = Self.pair(isBeside: true, gap: gap, heights: (80, 50), kinds: kinds)
            let symbols = try BarcodeDecoder().decode(image)
            #expect(symbols.map(\.text).sorted() == texts.sorted(), "\(kinds)")
        }
    }

    @Test("Each of several equal labels is a symbol, and a stripe does not split one", arguments: [(8, 6), (2, 1)])
    func equal(gap: Int, count: Int) throws {
        let bars = LinearModules.ean13(LinearDecodingTests.digits(3))
        let (rows, height) = (gap > 2 ? count : 2, 30)
        var grid = ModuleGrid(width: bars.count, height: rows * (height + gap) - gap)
        for y in 0..<grid.height where y % (height + gap) < height {
            for (x, isDark) in bars.enumerated() where isDark { grid[x, y] = true }
        }
        var renderer = SymbolRenderer(grid, modulePixels: 2)
        renderer.quietZone = (12, 8)
        let symbols = try BarcodeDecoder().decode(renderer.image())
        #expect(
            symbols.map(\.text)
                == [String](repeating: LinearDecodingTests.text(LinearDecodingTests.digits(3)), count: count))
    }
}
