import BarcodeCore
import Glibc
import TestSupport
import Testing

@testable import Symbols

@Suite("Data Matrix symbols with uneven modules")
struct DataMatrixUnevenTests {
    /// An uneven spacing of modules: maps the share of a side to the share of its modules, both from 0 to 1.
    struct Warp: CustomTestStringConvertible, Sendable {
        var label: String
        var place: @Sendable (Double) -> Double
        var testDescription: String { label }
    }

    static let warps: [Warp] = [
        Warp(label: "even") { $0 },
        Warp(label: "narrower to the end") { $0 + 0.25 * $0 * ($0 - 1) },
        Warp(label: "wider to the end") { $0 - 0.25 * $0 * ($0 - 1) },
        Warp(label: "around a can, seen from its side") {
            (asin($0 * 1.5 - 0.6) - asin(-0.6)) / (asin(0.9) - asin(-0.6))
        },
        Warp(label: "around a can, seen from its middle") { (asin($0 * 1.6 - 0.8) + asin(0.8)) / (2 * asin(0.8)) },
    ]

    static let margin = 20

    /// Renders a symbol whose columns and rows are spaced by two warps; also returns its corners.
    static func picture(
        _ grid: ModuleGrid, modulePixels: Int, across: Warp, down: Warp
    ) -> (image: LumaImage, corners: Quadrilateral) {
        let (width, height) = (Double(grid.width * modulePixels), Double(grid.height * modulePixels))
        var canvas = GrayCanvas(width: Int(width) + 2 * margin, height: Int(height) + 2 * margin)
        // The module of each quarter of a pixel; -1 outside.
        func modules(_ warp: Warp, count: Int, pixels: Int) -> [Int] {
            (0..<4 * pixels).map { part in
                let share = ((Double(part) + 0.5) / 4 - Double(margin)) / Double(pixels - 2 * margin)
                return share < 0 || share >= 1
                    ? -1 : min(max(0, Int(warp.place(share) * Double(count))), count - 1)
            }
        }
        let columns = modules(across, count: grid.width, pixels: canvas.width)
        let rows = modules(down, count: grid.height, pixels: canvas.height)
        for place in canvas.values.indices {
            let (row, column) = place.quotientAndRemainder(dividingBy: canvas.width)
            let dark = (0..<16).count {
                let (x, y) = (columns[4 * column + $0 % 4], rows[4 * row + $0 / 4])
                return x >= 0 && y >= 0 && grid[x, y]
            }
            canvas.values[place] = Float(220 - dark * 12)
        }
        canvas.blur(0.2 * Double(modulePixels))
        var random = SeededGenerator(seed: UInt64(grid.width * 100 + grid.height))
        canvas.addNoise(10, using: &random)
        let (left, top) = (Double(margin), Double(margin))
        return (
            canvas.image(),
            Quadrilateral(
                topLeft: Point(x: left, y: top), topRight: Point(x: left + width, y: top),
                bottomRight: Point(x: left + width, y: top + height), bottomLeft: Point(x: left, y: top + height))
        )
    }

    @Test("Columns and rows of varying width are read", arguments: warps, warps)
    func warped(across: Warp, down: Warp) throws {
        for modules in [(10, 10), (22, 22), (26, 12)] {
            let size = try DataMatrixPictureTests.size(modules.0, modules.1)
            let (image, corners) = Self.picture(
                try DataMatrixPictureTests.symbol(size), modulePixels: 5, across: across, down: down)
            // The numbers of columns and rows are known approximately.
            let reading = try DataMatrixReader().read(
                image, solidCorners: corners, columns: 0.8 * Double(modules.0), rows: 1.1 * Double(modules.1),
                isInverted: false, shape: .uneven)
            #expect(reading.message.bytes == DataMatrixPictureTests.payload(size), "\(modules)")
            #expect(reading.corners.distance(to: corners) < 4, "\(modules)")
        }
    }

    @Test("Inverted, mirrored and rotated symbols are read the same")
    func orders() throws {
        let size = try DataMatrixPictureTests.size(26, 12)
        for (degrees, isMirrored) in [(0.0, false), (90, true), (200, false)] {
            let renderer = SymbolRenderer(
                try DataMatrixPictureTests.symbol(size), modulePixels: 4, degrees: degrees, isMirrored: isMirrored)
            var corners = renderer.corners
            if isMirrored { swap(&corners.topLeft, &corners.bottomRight) }
            let (columns, rows) = isMirrored ? (12.0, 26.0) : (26.0, 12.0)
            let reading = try DataMatrixReader().read(
                renderer.image().inverted(), solidCorners: corners, columns: columns, rows: rows, isInverted: true,
                shape: .uneven)
            #expect(reading.message.bytes == DataMatrixPictureTests.payload(size))
            #expect(reading.message.isMirrored == isMirrored && reading.isInverted)
            #expect(reading.corners.distance(to: renderer.corners) < 3)
        }
    }

    @Test(
        "Symbols whose sides are bent are read, and those that are not bent as well",
        arguments: [(16, 16), (22, 22), (26, 12)], [-1.5, -1, 0.5, 1, 1.5])
    func bent(modules: (Int, Int), bend: Double) throws {
        let size = try DataMatrixPictureTests.size(modules.0, modules.1)
        var renderer = SymbolRenderer(try DataMatrixPictureTests.symbol(size), modulePixels: 5, degrees: 4)
        renderer.bend = bend
        let reading = try DataMatrixReader().read(
            renderer.image(), solidCorners: renderer.corners, columns: 0.9 * Double(modules.0),
            rows: 1.1 * Double(modules.1), isInverted: false, shape: .bent)
        #expect(reading.message.bytes == DataMatrixPictureTests.payload(size))
        #expect(reading.corners.distance(to: renderer.corners) < 7)
    }

    @Test(
        "A symbol on a sheet that is not flat is read by the edges between its modules",
        arguments: [(16, 16), (20, 20), (22, 22)], [-0.8, -0.5, 0.5, 0.8])
    func bowed(modules: (Int, Int), bend: Double) throws {
        let size = try DataMatrixPictureTests.size(modules.0, modules.1)
        var renderer = SymbolRenderer(try DataMatrixPictureTests.symbol(size), modulePixels: 8, degrees: 4)
        renderer.bend = bend
        let reading = try DataMatrixReader().read(
            renderer.image(), solidCorners: renderer.corners, columns: Double(modules.0), rows: Double(modules.1),
            isInverted: false)
        #expect(reading.message.bytes == DataMatrixPictureTests.payload(size))
    }

    @Test("Nothing is read in texture", arguments: 0..<40)
    func texture(number: Int) {
        let texture = TexturePicture(number, seed: 33, width: 320, height: 240)
        let picture = texture.image()
        var random = SeededGenerator(seed: UInt64(number))
        for attempt in 0..<6 {
            let side = Double.random(in: 30...180, using: &random)
            let frame = SymbolRenderer(
                ModuleGrid(width: 10, height: 10), modulePixels: side / 10,
                degrees: Double.random(in: 0..<360, using: &random))
            let middle = frame.corners.center
            let reading = try? DataMatrixReader().read(
                picture, solidCorners: frame.corners.moved(right: 160 - middle.x, down: 120 - middle.y),
                columns: Double.random(in: 8...30, using: &random), rows: Double.random(in: 8...30, using: &random),
                isInverted: attempt.isMultiple(of: 2), shape: attempt < 3 ? .uneven : .bent)
            #expect(reading == nil, "\(texture), place \(attempt)")
        }
    }

    @Test("Invalid corners and sizes are failures, not crashes")
    func badCorners() throws {
        let picture = SymbolRenderer(
            try DataMatrixPictureTests.symbol(DataMatrixPictureTests.size(12, 12)), modulePixels: 3
        ).image()
        let values = [-1e300, -50, 0, 30, 60, 1e9, .infinity, .nan]
        var random = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            func value() -> Double { values.randomElement(using: &random) ?? 0 }
            let corners = Quadrilateral(
                topLeft: Point(x: value(), y: value()), topRight: Point(x: value(), y: value()),
                bottomRight: Point(x: value(), y: value()), bottomLeft: Point(x: value(), y: value()))
            let reading = try? DataMatrixReader(maximumAttempts: 2).read(
                picture, solidCorners: corners, columns: value(), rows: value(), isInverted: false,
                shape: Bool.random(using: &random) ? .uneven : .bent)
            #expect(reading == nil, "\(corners)")
        }
    }
}
