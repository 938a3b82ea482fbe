import BarcodeCore
import BarcodeDecoding
import Foundation
import Symbols
import TestSupport
import Testing

/// Symbols of zint, rendered and decoded from the whole picture.
@Suite("Postal symbols in pictures")
struct PostalTests {
    struct Fixture: CustomTestStringConvertible, Sendable {
        var symbology: Symbology
        var message: String
        var states: [Int]
        var testDescription: String { "\(symbology.rawValue) \(message)" }

        /// Renders the bars: three modules above the two of the tracker, and three below.
        func renderer(modulePixels: Double, degrees: Double) -> SymbolRenderer {
            var grid = ModuleGrid(width: 2 * states.count - 1, height: 8)
            for (index, state) in states.enumerated() {
                for y in 0..<8 {
                    grid[2 * index, y] = y < 3 ? state < 2 : y < 5 || state % 2 == 0
                }
            }
            return SymbolRenderer(grid, modulePixels: modulePixels, degrees: degrees)
        }
    }

    static let all: [Fixture] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/postal.tsv")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 3 else { return nil }
            return Fixture(
                symbology: Symbology(rawValue: fields[0]), message: fields[1],
                states: fields[2].compactMap(\.wholeNumberValue))
        }
    }()

    static let postal: Set<Symbology> = [
        .intelligentMail, .postnet, .planet, .royalMail, .kix, .australiaPost, .japanPost,
    ]

    static func read(_ renderer: SymbolRenderer, _ symbologies: Set<Symbology> = postal) throws -> [Symbol] {
        try BarcodeDecoder().decode(renderer.image(), options: DecodeOptions(symbologies: symbologies))
    }

    @Test("The fixtures have all kinds")
    func fixturesAreThere() {
        #expect(Set(Self.all.map(\.symbology)) == Self.postal)
        #expect(PostalReader.supportedSymbologies == Self.postal)
    }

    /// Every fifth symbol, and at least one of each symbology.
    static let some = all.enumerated().filter { index, fixture in
        index % 5 == 0 || index == all.firstIndex { $0.symbology == fixture.symbology }
    }.map(\.element)

    @Test("A symbol is read at every angle", arguments: some)
    func angles(_ fixture: Fixture) throws {
        for degrees in [0.0, 90, 180, 270, 33] {
            let renderer = fixture.renderer(modulePixels: 3, degrees: degrees)
            let symbols = try Self.read(renderer, [fixture.symbology])
            #expect(symbols.map(\.text) == [fixture.message], "\(degrees) degrees")
            #expect(symbols.map(\.symbologyIdentifier) == ["]X0"])
            let turn = (symbols.first?.orientation ?? 0) - degrees
            #expect(abs(turn - 360 * (turn / 360).rounded()) < 3, "\(degrees) degrees")
        }
    }

    @Test("No symbol is read as another kind", arguments: some)
    func kinds(_ fixture: Fixture) throws {
        let others = Self.postal.subtracting([fixture.symbology])
        #expect(try Self.read(fixture.renderer(modulePixels: 3, degrees: 0), others).isEmpty)
        #expect(try Self.read(fixture.renderer(modulePixels: 3, degrees: 0), Symbology.standard).isEmpty)
    }

    @Test("One wrong or missing bar is detected or corrected", arguments: all)
    func wrongBar(_ fixture: Fixture) {
        let reader = PostalReader(symbologies: Self.postal)
        func bars(_ states: [Int]) -> [PostalBar] {
            states.map { PostalBar(hasAscender: $0 < 2, hasDescender: $0 % 2 == 0) }
        }
        func isWrong(_ states: [Int]) -> Bool {
            guard let answer = reader.read(bars(states)) else { return false }
            return answer.symbology != fixture.symbology || answer.bytes != Array(fixture.message.utf8)
        }
        #expect(reader.read(bars(fixture.states))?.bytes == Array(fixture.message.utf8))
        for place in fixture.states.indices {
            for state in 0..<4 where state != fixture.states[place] {
                var states = fixture.states
                states[place] = state
                #expect(!isWrong(states), "bar \(place), state \(state)")
            }
            var states = fixture.states
            states.remove(at: place)
            #expect(!isWrong(states), "without bar \(place)")
        }
    }

    @Test("Bars with other bars beside them are part of a longer row", arguments: [false, true])
    func partOfARow(hasMore: Bool) throws {
        let fixture = try #require(Self.all.first { $0.symbology == .postnet && $0.message.count == 5 })
        var grid = ModuleGrid(width: 2 * fixture.states.count + 3, height: 8)
        for (index, state) in fixture.states.enumerated() {
            for y in 0..<8 { grid[2 * index, y] = y < 3 ? state < 2 : y < 5 || state % 2 == 0 }
        }
        // Two bars that have merged.
        if hasMore {
            for x in 2 * fixture.states.count..<grid.width { for y in 3..<8 { grid[x, y] = true } }
        }
        let symbols = try Self.read(SymbolRenderer(grid, modulePixels: 3))
        #expect(symbols.map(\.text) == (hasMore ? [] : [fixture.message]))
    }

    @Test("Small, tilted, noisy and blurred symbols are read", arguments: [3.0, 6])
    func scales(modulePixels: Double) throws {
        for name in ["usps_imail", "royal_mail", "postnet"] {
            let fixture = try #require(Self.all.first { $0.symbology.rawValue == name })
            for degrees in [0.0, 3, 71] {
                var renderer = fixture.renderer(modulePixels: modulePixels, degrees: degrees)
                renderer.noise = 8
                if modulePixels > 4 {
                    renderer.tilt = 20
                    renderer.blur = 0.3
                }
                #expect(try Self.read(renderer).map(\.text) == [fixture.message], "\(name), \(degrees) degrees")
            }
        }
    }
}
