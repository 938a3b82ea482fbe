import BarcodeCore
import Glibc
import TestSupport
import Testing

@testable import Symbols

@Suite("Candidates for Data Matrix symbols")
struct DataMatrixLocatorTests {
    static func symbol(_ size: DataMatrixSize) -> ModuleGrid {
        var random = SeededGenerator(seed: UInt64(size.columns * 1000 + size.rows))
        return DataMatrixEncoder.place(
            (0..<size.codewordCount).map { _ in UInt8.random(in: 0...255, using: &random) }, size: size)
    }

    static func size(_ columns: Int, _ rows: Int) throws -> DataMatrixSize {
        try #require(DataMatrixSize(columns: columns, rows: rows))
    }

    /// Indicates whether a candidate was found whose corners are within `modules` modules of the true ones.
    static func isFound(
        _ renderer: SymbolRenderer, isInverted: Bool = false, better modules: Double = 1
    ) -> Bool {
        let picture = renderer.image()
        let places = DataMatrixLocator(BinaryImage(isInverted ? picture.inverted() : picture)).candidates
        var corners = renderer.corners
        // The corners of a mirrored symbol run counterclockwise; those found run clockwise.
        if renderer.isMirrored { swap(&corners.topLeft, &corners.bottomRight) }
        return places.contains {
            $0.isInverted == isInverted && $0.corners.distance(to: corners) < modules * renderer.modulePixels
        }
    }

    @Test(
        "At least 44 of the 48 sizes are found at any angle, within a module",
        arguments: [(2.3, 0.0), (3, 15), (4, 45), (3, 71), (5, 90), (3, 137), (2.5, 200), (4, 301)])
    func sizes(pose: (modulePixels: Double, degrees: Double)) {
        let missed = DataMatrixSize.all.filter { size in
            !Self.isFound(
                SymbolRenderer(Self.symbol(size), modulePixels: pose.modulePixels, degrees: pose.degrees))
        }
        #expect(missed.count <= 4, "\(pose): \(missed.map { "\($0.columns) by \($0.rows)" })")
    }

    static let flatRectangles = [
        [
            "#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.",
            "#..###.#.#.#..###....#.##....#.#",
            "#.#######.#.....#.##.###.#.#.#..",
            "#.##.#.#...###.##.#.####.#.###.#",
            "##......##......##...#..#.##..#.",
            "########.#.############..#.#...#",
            "##.###...#.####.##.######...###.",
            "################################",
        ],
        [
            "#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.",
            "#.#...#.###..#.##..#.###.###...#",
            "###..#.###.##...#.##.#.#...###..",
            "#.###...#.#######...####.####.##",
            "#..##.###.##....#...###.#..###..",
            "##.##.####..#.###.###..##.#.##.#",
            "##.####.###..#..###.######.##.#.",
            "################################",
        ],
    ]

    @Test("A rectangle of eight rows is found with much dark beside its solid side", arguments: flatRectangles)
    func flatRectangle(rows: [String]) {
        var grid = ModuleGrid(width: 32, height: 8)
        for (y, row) in rows.enumerated() {
            for (x, module) in row.enumerated() { grid[x, y] = module == "#" }
        }
        for degrees in [0.0, 90, 200] {
            #expect(Self.isFound(SymbolRenderer(grid, modulePixels: 4, degrees: degrees)), "\(degrees) degrees")
        }
    }

    struct Condition: CustomTestStringConvertible, Sendable {
        var label: String
        var change: @Sendable (inout SymbolRenderer) -> Void
        var testDescription: String { label }
    }

    static let conditions: [Condition] = [
        Condition(label: "noise") { $0.noise = 40 },
        Condition(label: "blur") { $0.blur = 0.35 },
        Condition(label: "tilt") { $0.tilt = 35 },
        Condition(label: "mirrored") { $0.isMirrored = true },
    ]

    @Test("Nine in ten symbols are found in degraded pictures, dark and light", arguments: conditions)
    func badPictures(condition: Condition) throws {
        var missed: [String] = []
        for modules in [(14, 14), (22, 22), (36, 36), (36, 12), (64, 16)] {
            var renderer = SymbolRenderer(
                Self.symbol(try Self.size(modules.0, modules.1)), modulePixels: 4, degrees: 12)
            condition.change(&renderer)
            for isInverted in [false, true]
            where !Self.isFound(renderer, isInverted: isInverted, better: 1.3) {
                missed.append("\(modules), inverted: \(isInverted)")
            }
        }
        #expect(missed.count <= 1, "\(condition.label): \(missed)")
    }

    @Test("Blank pictures, stripes and slivers have no candidate")
    func nothing() {
        for (width, height) in [(0, 0), (1, 1), (15, 400), (400, 15), (16, 16), (300, 200)] {
            for period in [2, 3, 7, 40, 1000] {
                let image = LumaImage(width: width, height: height) { pixels in
                    for index in 0..<width * height { pixels[index] = index / period % 2 == 0 ? 230 : 20 }
                }
                #expect(DataMatrixLocator(BinaryImage(image)).candidates.isEmpty, "\(width) by \(height), \(period)")
            }
        }
    }

    @Test("Texture of any kind has few candidates", arguments: 0..<40)
    func texture(number: Int) {
        let picture = TexturePicture(number, seed: 17, width: 320, height: 240).image()
        #expect(DataMatrixLocator(BinaryImage(picture)).candidates.count <= 60)
    }

    @Test("An edge that leans out of the picture at its end is no crash")
    func leaningEdge() {
        let (width, height) = (400, 3000)
        // The line fitted to this edge runs eight pixels beyond the right border at its end.
        let pixels = (0..<height).flatMap { y -> [UInt8] in
            let place = 2 * Double(y) / Double(height) - 1
            let edge = Double(width) - 2 - 60 * (2 / 3 - (place - place * place * place / 3))
            return (0..<width).map { Double($0) > edge ? 1 : 0 }
        }
        #expect(DataMatrixLocator(BinaryImage(width: width, height: height, pixels: pixels)).candidates.isEmpty)
    }
}
