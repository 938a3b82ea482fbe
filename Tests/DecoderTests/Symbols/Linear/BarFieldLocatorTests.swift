import BarcodeCore
import Glibc
import Symbols
import TestSupport
import Testing

@Suite("Fields of bars that continue from line to line")
struct BarFieldLocatorTests {
    static func fields(_ image: LumaImage, step: Int = 4) -> [BarField] {
        BarFieldLocator(BinaryImage(image), step: step).fields
    }

    @Test("A field has the outline and the angle of its bars", arguments: [0.0, 8, 40, 90, 130, 175], [2.0, 6])
    func place(degrees: Double, modulePixels: Double) throws {
        var renderer = SymbolRenderer(bars: LinearLocatorTests.symbol(4), modulePixels: modulePixels)
        renderer.degrees = degrees
        let field = try #require(Self.fields(renderer.image()).first)
        let middle = Double(renderer.width) / 2
        #expect(abs(field.region.center.x - middle) < 12 && abs(field.region.center.y - middle) < 12)
        #expect(abs(field.region.length - 95 * modulePixels) < 0.12 * 95 * modulePixels)
        #expect(abs(sin(field.region.angle - degrees * .pi / 180)) < 0.06)
        // At larger angles, no row or column crosses all bars.
        let isUpright = [0.0, 8, 90, 175].contains(degrees)
        #expect(isUpright ? field.runs == 59 : field.runs >= 25)
    }

    /// Renders rows that are given as dark and light pixels.
    static func picture(_ rows: [[Bool]], margin: Int = 30) -> LumaImage {
        let width = (rows.map(\.count).max() ?? 0) + 2 * margin
        return LumaImage(width: width, height: rows.count) { target in
            for (y, row) in rows.enumerated() {
                for x in 0..<width {
                    let place = x - margin
                    target[y * width + x] = row.indices.contains(place) && row[place] ? 20 : 230
                }
            }
        }
    }

    static func pixels(_ modules: [Bool]) -> [Bool] { modules.flatMap { [$0, $0] } }

    @Test("Two symbols above each other are two fields, whatever the gap", arguments: [0, 6, 20, 100])
    func above(gap: Int) {
        let (one, other) = (Self.pixels(LinearLocatorTests.symbol(1)), Self.pixels(LinearLocatorTests.symbol(2)))
        let paper = [[Bool]](repeating: [], count: 20)
        let rows =
            paper + [[Bool]](repeating: one, count: 30) + [[Bool]](repeating: [], count: gap)
            + [[Bool]](repeating: other, count: 120) + paper
        let fields = Self.fields(Self.picture(rows)).sorted { $0.region.center.y < $1.region.center.y }
        #expect(fields.count == 2)
        for (field, (top, height)) in zip(fields, [(20.0, 30.0), (50 + Double(gap), 120)]) {
            #expect(abs(field.region.center.y - top - height / 2) < 4)
            #expect(abs(field.region.height - height) < 9)
        }
    }

    @Test("Two symbols beside each other are two fields")
    func beside() {
        let quiet = [Bool](repeating: false, count: 20)
        let row = Self.pixels(LinearLocatorTests.symbol(1)) + quiet + Self.pixels(LinearLocatorTests.symbol(2))
        let rows = [[Bool]](repeating: row, count: 60)
        #expect(Self.fields(Self.picture(rows)).count == 2)
    }

    @Test("Rows of different runs are not a field", arguments: 1...5)
    func text(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<60).flatMap { _ in
            let row = (0..<150).flatMap { _ in [Bool](repeating: Bool.random(using: &random), count: 3) }
            return [[Bool]](repeating: row, count: 5)
        }
        #expect(Self.fields(Self.picture(rows)).isEmpty)
    }

    @Test("Tiny pictures have no field, and do not crash")
    func small() {
        for (width, height) in [(0, 0), (1, 1), (7, 3), (9, 24), (100, 1)] {
            #expect(Self.fields(LumaImage(width: width, height: height) { _ in }).isEmpty)
        }
    }
}
