import BarcodeCore
import BarcodeDecoding
import Symbols
import TestSupport
import Testing

@Suite("Linear symbols that are seen obliquely")
struct ObliqueSymbolTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The corners from the top left, clockwise, in pixels of a picture of 640 x 480.
        var corners: [(x: Double, y: Double)]

        init(_ name: String, _ corners: (x: Double, y: Double)...) {
            (testDescription, self.corners) = (name, corners)
        }

        var outline: Quadrilateral {
            let points = corners.map { Point(x: $0.x, y: $0.y) }
            return Quadrilateral(
                topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
        }

        /// A low EAN-13 between its corners.
        func renderer() -> SymbolRenderer {
            SymbolRenderer(
                ModulePattern(bars: LinearLocatorTests.symbol(5), height: 20), corners: outline, width: 640,
                height: 480)
        }
    }

    static let fans = [
        Case("bars spread downwards", (150, 200), (460, 200), (495, 270), (115, 270)),
        Case("bars spread to one side", (110, 200), (470, 190), (510, 265), (110, 262)),
        Case("bars spread sideways", (290, 60), (290, 430), (200, 400), (200, 90)),
    ]
    static let slants = [
        Case("the ends of the bars slant to the left", (110, 150), (500, 260), (520, 320), (130, 210)),
        Case("the ends of the bars slant to the right", (110, 300), (500, 190), (480, 250), (90, 360)),
        Case("a column whose bars slant", (270, 85), (310, 445), (240, 420), (200, 60)),
    ]
    static let both = [
        Case("slanted bars spread downwards", (130, 150), (450, 220), (500, 300), (130, 215)),
        Case("slanted bars spread upwards", (90, 210), (540, 130), (510, 190), (100, 275)),
    ]

    @Test("A symbol is read once, where it is", arguments: fans + slants + both)
    func isRead(_ item: Case) throws {
        var renderer = item.renderer()
        renderer.noise = 4
        renderer.blur = 0.2
        let image = renderer.image()
        let symbols = try BarcodeDecoder().decode(image)
        let symbol = try #require(symbols.first)
        #expect(symbols.count == 1)
        #expect(symbol.symbology == .ean13)
        #expect(item.outline.contains(symbol.corners.center))
    }

    @Test("Bars that spread are one field", arguments: fans)
    func isOneField(_ item: Case) throws {
        let fields = BarFieldLocatorTests.fields(item.renderer().image())
        #expect(fields.count == 1)
        #expect(fields.first?.runs == 59)
    }

    @Test("A slant is measured", arguments: slants)
    func slant(_ item: Case) throws {
        let image = item.renderer().image()
        let region = try #require(LinearLocator(image).regions.first)
        let strip = try #require(LinearStrip(image, region: region))
        let sheared = try #require(strip.sheared(image)).region
        // The rows of the strip run along the long side of the symbol.
        let (side, row) = (
            item.outline.topRight - item.outline.topLeft, sheared.corners.topRight - sheared.corners.topLeft
        )
        let sine = (side.x * row.y - side.y * row.x) / (side.length * row.length)
        #expect(abs(sine) < 0.08)
    }

    @Test("Texture of any size at any place gives a strip of gray levels, or none", arguments: UInt64(0)..<40)
    func texture(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (width, height) = (Int.random(in: 8...400, using: &random), Int.random(in: 8...400, using: &random))
        let image = LumaImage(width: width, height: height) { target in
            for place in target.indices { target[place] = UInt8.random(in: 0...255, using: &random) }
        }
        for _ in 0..<20 {
            let region = LinearRegion(
                center: Point(
                    x: Double.random(in: -50...450, using: &random), y: Double.random(in: -50...450, using: &random)),
                angle: Double.random(in: -1.57...1.57, using: &random),
                length: Double.random(in: 1...600, using: &random),
                height: Double.random(in: 1...3000, using: &random), confidence: 1)
            let strip = try #require(LinearStrip(image, region: region))
            for oblique in [strip.sheared(image), strip.straightened(image)].compactMap({ $0 }) {
                let levels = oblique.finer(image).layers(24).flatMap(\.values)
                #expect(levels.allSatisfy { (0...255).contains($0) })
                #expect(oblique.region.corners.points.allSatisfy { $0.x.isFinite && $0.y.isFinite })
            }
        }
    }

    @Test("A symbol seen from the front has no slant", arguments: [0.0, 8, 30, 90, 140])
    func front(degrees: Double) throws {
        var renderer = SymbolRenderer(bars: LinearLocatorTests.symbol(4), modulePixels: 3)
        renderer.degrees = degrees
        let image = renderer.image()
        let region = try #require(LinearLocator(image).regions.first)
        let strip = try #require(LinearStrip(image, region: region))
        #expect(strip.sheared(image) == nil)
    }
}
