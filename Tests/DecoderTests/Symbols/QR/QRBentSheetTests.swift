import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

/// Symbols on bent sheets, without alignment patterns that would show the bend.
@Suite("Bent sheets")
struct QRBentSheetTests {
    struct Sheet: CustomTestStringConvertible, Sendable {
        var label: String
        var version: Int
        var bend: Double
        var modulePixels = 5.0
        var isInverted = false
        var change: @Sendable (inout SymbolRenderer) -> Void = { _ in }
        var testDescription: String { label }

        func renderer() throws -> SymbolRenderer {
            var renderer = SymbolRenderer(
                try QRPictureTests.symbol(version: version), modulePixels: modulePixels, degrees: 9)
            renderer.bend = bend
            change(&renderer)
            return renderer
        }
    }

    static let sheets: [Sheet] = [
        Sheet(label: "bent by one module", version: 3, bend: 1),
        Sheet(label: "tilted", version: 4, bend: 1.5) { $0.tilt = 35 },
        Sheet(label: "a version that names itself", version: 8, bend: 2),
        Sheet(label: "around a can", version: 1, bend: 3),
        Sheet(label: "around a can, bent to the other side", version: 2, bend: -2),
        Sheet(label: "around a can, light on dark", version: 4, bend: 2.5, isInverted: true),
    ]

    @Test("Symbols on bent sheets with three visible finder patterns are read", arguments: sheets)
    func reading(_ sheet: Sheet) throws {
        let renderer = try sheet.renderer()
        let drawn = renderer.image()
        let image = sheet.isInverted ? drawn.inverted() : drawn
        let readings = QRLocator(image).candidates.compactMap { candidate in
            try? QRReader().readBent(
                image, finderCorners: candidate.corners, size: candidate.size, isInverted: candidate.isInverted)
        }
        #expect(readings.first?.message.bytes == QRPictureTests.payload(version: sheet.version))
        #expect(readings.first?.isInverted == sheet.isInverted)
        #expect((readings.first?.corners.distance(to: renderer.corners) ?? .infinity) < 1.5 * sheet.modulePixels)
    }

    @Test("The field follows the sheet within a fifth of a module", arguments: [0.0, 0.7], [2, 5])
    func field(bend: Double, version: Int) throws {
        let renderer = try Sheet(label: "", version: version, bend: bend).renderer()
        let image = renderer.image()
        let size = QRVersion.size(version)
        image.withUnsafePixels { buffer in
            guard let pixels = PixelSampler(buffer, of: image),
                let field = LatticeField(pixels, map: renderer.map, size: size)
            else {
                Issue.record("no lattice was seen")
                return
            }
            for row in stride(from: 1, to: size - 1, by: 3) {
                for column in stride(from: 3, to: size - 3, by: 3) {
                    let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
                    let along = y / Double(size)
                    let shift = field.shift(x, y)
                    #expect(abs(shift.x - bend * 4 * along * (1 - along)) < 0.2, "at \(x), \(y)")
                    #expect(abs(shift.y) < 0.2, "at \(x), \(y)")
                }
            }
        }
    }

    @Test("Noise and plain paper have no lattice", arguments: [0.0, 40, 200], [21, 37, 57])
    func nothing(noise: Double, size: Int) {
        var renderer = SymbolRenderer(ModuleGrid(size: size), modulePixels: 4)
        renderer.noise = noise
        let image = renderer.image()
        image.withUnsafePixels { buffer in
            guard let pixels = PixelSampler(buffer, of: image) else { return }
            let field = LatticeField(pixels, map: renderer.map, size: size)
            #expect(field?.shift(9, 9) == nil)
        }
    }

    @Test("Invalid corners are failures, not crashes")
    func badCorners() throws {
        let image = try Sheet(label: "", version: 2, bend: 1).renderer().image()
        let values = [-1e300, -50, 0, 30, 60, 1e9, .infinity, .nan]
        var random = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            func point() -> Point {
                Point(x: values.randomElement(using: &random) ?? 0, y: values.randomElement(using: &random) ?? 0)
            }
            let corners = Quadrilateral(topLeft: point(), topRight: point(), bottomRight: point(), bottomLeft: point())
            for size in [-1, 0, 21, 25, 1e9, .nan] {
                let reading = try? QRReader().readBent(image, finderCorners: corners, size: size, isInverted: false)
                #expect(reading == nil, "\(corners), size \(size)")
            }
        }
        // A homography whose horizon crosses the symbol.
        let horizon = Homography(
            size: 21,
            to: Quadrilateral(
                topLeft: Point(x: 0, y: 0), topRight: Point(x: 80, y: 10), bottomRight: Point(x: 20, y: 15),
                bottomLeft: Point(x: 5, y: 90)))
        image.withUnsafePixels { buffer in
            guard let pixels = PixelSampler(buffer, of: image), let horizon else { return }
            _ = LatticeField(pixels, map: horizon, size: 21)
        }
    }
}
