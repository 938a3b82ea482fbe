import BarcodeCore
import Glibc
import Symbols
import TestSupport
import Testing

@Suite("Regions of bars")
struct LinearLocatorTests {
    static func symbol(_ seed: UInt64) -> [Bool] {
        var random = SeededGenerator(seed: seed)
        return LinearModules.ean13(
            LinearModules.checked((0..<12).map { _ in Int.random(in: 0...9, using: &random) }))
    }

    @Test("Bars are found at every angle", arguments: Array(stride(from: 0.0, to: 180, by: 20)), [1.5, 3])
    func angles(degrees: Double, modulePixels: Double) throws {
        var renderer = SymbolRenderer(bars: Self.symbol(4), modulePixels: modulePixels)
        renderer.degrees = degrees
        renderer.noise = 10
        let image = renderer.image()
        let region = try #require(LinearLocator(image).regions.first)
        let length = 95 * modulePixels
        let middle = Double(renderer.width) / 2
        #expect(abs(region.center.x - middle) < 10 && abs(region.center.y - middle) < 10)
        // The edges of the label are parallel to the bars too.
        #expect(region.length > 0.85 * length && region.length < 1.3 * length + 40)
        // In the rectified strip, the first and the last bar are at their true location.
        let strip = try #require(LinearStrip(image, region: region))
        let turn = abs(sin(strip.region.angle - degrees * .pi / 180))
        #expect(turn < 0.02)
        let bars = try #require(strip.profile(from: 0, to: 1).barRange)
        #expect(abs(bars.upperBound - bars.lowerBound - length) < 0.03 * length)
    }

    @Test("Two symbols in a picture are two regions")
    func two() {
        let one = SymbolRenderer(bars: Self.symbol(1), modulePixels: 2).image()
        let image = LumaImage(width: one.width, height: 2 * one.height) { target in
            for y in 0..<2 * one.height {
                for x in 0..<one.width { target[y * one.width + x] = one[x: x, y: y % one.height] }
            }
        }
        let large = LinearLocator(image).regions.filter { $0.length > 150 && $0.height > 40 }
        #expect(large.count == 2)
    }

    /// Draws bars 60 pixels high in the middle of something light and 500 pixels high.
    private static func bars(on width: Double, degrees: Double) -> LumaImage {
        let (angle, modules) = (degrees * .pi / 180, symbol(5))
        return LumaImage(width: 640, height: 640) { target in
            for y in 0..<640 {
                for x in 0..<640 {
                    let (dx, dy) = (Double(x) - 320, Double(y) - 320)
                    let (u, v) = (dx * cos(angle) + dy * sin(angle), dy * cos(angle) - dx * sin(angle))
                    let module = Int((u / 2.5 + 47.5).rounded(.down))
                    let isBar = abs(v) < 30 && modules.indices.contains(module) && modules[module]
                    let isLight = abs(u) < width / 2 && abs(v) < 250
                    target[y * 640 + x] = isBar ? 40 : isLight ? 220 : 110
                }
            }
        }
    }

    @Test(
        "The edges of a narrow label, and the sides of a jar, are not a part of the region of the bars",
        arguments: [(width: 280.0, longest: 330.0), (360, 280)], [0.0, 36, 120])
    func edges(_ item: (width: Double, longest: Double), degrees: Double) throws {
        // The edges of the narrow label touch the bars, so that the region is as long as the label, but not as high.
        let region = try #require(
            LinearLocator(Self.bars(on: item.width, degrees: degrees)).regions.first {
                $0.center.distance(to: Point(x: 320, y: 320)) < 20
            })
        #expect(region.length > 230 && region.length < item.longest)
        #expect(region.height > 50 && region.height < 110)
    }

    @Test("Bars cover most of their region; edges of distant objects cover little")
    func coverage() throws {
        let bars = SymbolRenderer(bars: Self.symbol(3), modulePixels: 2).image()
        let symbol = try #require(LinearLocator(bars).regions.first)
        #expect(symbol.coverage > 0.6 && symbol.coverage < 1.1)
        #expect(symbol.scaled(by: 2).coverage == symbol.coverage)
        // The edges of several sheets in a column must not be taken for parts of one symbol.
        let sheets = LumaImage(width: 200, height: 560) { target in
            for y in 0..<560 {
                for x in 0..<200 { target[y * 200 + x] = (80..<129).contains(x) && y % 112 < 72 ? 220 : 90 }
            }
        }
        let column = try #require(LinearLocator(sheets).regions.first { $0.length > 100 || $0.height > 100 })
        #expect(column.coverage < 0.6)
    }

    @Test(
        "Transitions are counted at every bar, and not in noise",
        arguments: [
            ("flat", [Float](repeating: 90, count: 50), 0),
            ("a slope", (0..<50).map { Float($0) }, 1),
            ("an edge with noise", (0..<50).map { Float($0 < 25 ? 40 : 200) + Float($0 % 3) }, 1),
            ("ten bars of a pixel", (0..<20).map { Float($0 % 2 * 50) }, 19),
            ("three bars of ten pixels", (0..<70).map { Float($0 / 10 % 2 == 0 ? 200 : 20) }, 6),
            ("nothing", [], 0),
        ] as [(String, [Float], Int)])
    func transitions(_ label: String, _ values: [Float], _ count: Int) {
        #expect(LinearProfile(values: values).transitionCount == count, "\(label)")
        #expect(LinearProfile(values: values.reversed()).transitionCount == count, "\(label), reversed")
    }

    @Test("Tiny and blank pictures have no region, and do not crash")
    func small() {
        for (width, height) in [(0, 0), (1, 1), (7, 3), (23, 24), (24, 24), (25, 100)] {
            let image = LumaImage(width: width, height: height, pixels: [UInt8](repeating: 90, count: width * height))
            let regions = LinearLocator(image).regions
            #expect(regions.allSatisfy { $0.confidence == 0 })
            for region in regions { _ = LinearStrip(image, region: region)?.profile(from: 0, to: 1).barRange }
        }
    }

    @Test("The strip of an invalid region is nil, or has the pixels in the picture")
    func badRegions() {
        let image = SymbolRenderer(bars: Self.symbol(2), modulePixels: 1.5).image()
        var random = SeededGenerator(seed: 5)
        let values = [-1e12, -30, 0, 0.5, 3, 100, 1e4, 1e300, .infinity, .nan]
        for _ in 0..<100 {
            func value() -> Double { values.randomElement(using: &random) ?? 0 }
            let region = LinearRegion(
                center: Point(x: value(), y: value()), angle: value(), length: value(), height: value(), confidence: 1)
            guard let strip = LinearStrip(image, region: region) else { continue }
            let profile = strip.profile(from: 0, to: 1)
            #expect(!profile.values.isEmpty)
            #expect(strip.layers(24).allSatisfy { $0.values.count == profile.values.count })
            #expect(
                strip.finer(image).withPaperOutside(image).profile(from: 0, to: 1).values.count == 2
                    * profile.values.count)
        }
    }
}
