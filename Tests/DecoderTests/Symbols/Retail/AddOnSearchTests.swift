import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@Suite("Add-ons beside EAN and UPC symbols in pictures")
struct AddOnSearchTests {
    struct Content: CustomTestStringConvertible, Sendable {
        var main: String
        var bars: [Bool]
        var testDescription: String { main }
    }

    static let contents = [
        Content(main: "ean_13 4006381333931", bars: LinearModules.ean13(digits("4006381333931"))),
        Content(main: "upc_a 036000291452", bars: LinearModules.upcA(digits("036000291452"))),
        Content(main: "ean_8 96385074", bars: LinearModules.ean8(digits("96385074"))),
        Content(main: "upc_e 042100005264", bars: LinearModules.upcE(digits("425261"), check: 4)),
    ]

    static func digits(_ text: String) -> [Int] { text.compactMap(\.wholeNumberValue) }

    static func renderer(_ content: Content, _ addOn: String, modulePixels: Double = 3) -> SymbolRenderer {
        let bars = content.bars + [Bool](repeating: false, count: 9) + LinearModules.addOn(digits(addOn))
        return SymbolRenderer(bars: bars, modulePixels: modulePixels)
    }

    static func read(_ image: LumaImage) throws -> [String] {
        try BarcodeDecoder().decode(image).map { "\($0.symbology) \($0.text) + \($0.addOn ?? "none")" }
    }

    struct Condition: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable (inout SymbolRenderer) -> Void
    }

    static let conditions = [
        Condition(testDescription: "clear") { _ in },
        Condition(testDescription: "turned by 33 degrees") { $0.degrees = 33 },
        Condition(testDescription: "turned by 180 degrees") { $0.degrees = 180 },
        Condition(testDescription: "turned by 262 degrees") { $0.degrees = 262 },
        Condition(testDescription: "tilted") { $0.tilt = 40 },
        Condition(testDescription: "tilted sideways") { ($0.degrees, $0.tilt) = (90, 40) },
        Condition(testDescription: "noise") { $0.noise = 60 },
        Condition(testDescription: "blur") { $0.blur = 0.4 },
        Condition(testDescription: "1.5 pixels per module") { $0.modulePixels = 1.5 },
        Condition(testDescription: "9 pixels per module") { $0.modulePixels = 9 },
    ]

    @Test("Add-ons are read", arguments: conditions, contents)
    func readsAddOns(condition: Condition, content: Content) throws {
        for addOn in ["47", "54495"] {
            var renderer = Self.renderer(content, addOn)
            condition.change(&renderer)
            #expect(try Self.read(renderer.image()) == ["\(content.main) + \(addOn)"])
        }
    }

    @Test("A symbol with an add-on has its own corners and the identifier ]E3")
    func details() throws {
        let symbols = try BarcodeDecoder().decode(Self.renderer(Self.contents[0], "54495").image())
        let symbol = try #require(symbols.first)
        #expect(symbol.symbologyIdentifier == "]E3")
        #expect(symbol.bytes == Array("400638133393154495".utf8))
        let corners = symbol.corners
        #expect(abs(corners.topRight.x - corners.topLeft.x - 95 * 3) < 9)
    }

    @Test("A picture that ends within the add-on has none", arguments: ["04", "08962", "42793"])
    func cut(addOn: String) throws {
        let image = Self.renderer(Self.contents[0], addOn, modulePixels: 2).image()
        var read: Set<String> = []
        for width in stride(from: image.width / 2, through: image.width, by: 2) {
            let cut = LumaImage(width: width, height: image.height) { pixels in
                for index in pixels.indices { pixels[index] = image[x: index % width, y: index / width] }
            }
            try read.formUnion(Self.read(cut))
        }
        #expect(read == ["\(Self.contents[0].main) + none", "\(Self.contents[0].main) + \(addOn)"])
    }

    @Test("Add-ons that are partly covered are not misread", arguments: [1, 2] as [UInt64])
    func covered(seed: UInt64) throws {
        print("covered add-ons with seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var count = 0
        for _ in 0..<60 {
            guard let content = Self.contents.randomElement(using: &random) else { return }
            let addOn = (0..<(Bool.random(using: &random) ? 2 : 5)).map { _ in Int.random(in: 0...9, using: &random) }
            let text = addOn.map(String.init).joined()
            var renderer = Self.renderer(content, text, modulePixels: Double.random(in: 1.7...4, using: &random))
            renderer.noise = 10
            renderer.seed = .random(in: 0...9_999, using: &random)
            let whole = renderer.image()
            let map = renderer.map
            let columns = content.bars.count + 9
            let first = Double.random(in: Double(columns)...Double(renderer.pattern.columns), using: &random)
            let width = Double.random(in: 2...30, using: &random)
            let (left, right) = (map.map(first, 0).x, map.map(first + width, 0).x)
            let tone = UInt8.random(in: 50...190, using: &random)
            let covered = LumaImage(width: whole.width, height: whole.height) { pixels in
                for index in pixels.indices {
                    let (x, y) = (index % whole.width, index / whole.width)
                    pixels[index] = Double(x) >= left && Double(x) < right ? tone : whole[x: x, y: y]
                }
            }
            for symbol in try BarcodeDecoder().decode(covered) {
                #expect(symbol.addOn == nil || symbol.addOn == text, "\(content.main) + \(text) at \(first), \(width)")
                if symbol.addOn != nil { count += 1 }
            }
        }
        print("\(count) of 60 were read")
    }
}
