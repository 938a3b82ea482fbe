import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("MaxiCode symbols of another encoder")
struct MaxiCodeFixtureTests {
    @Test("The fixtures have every mode")
    func fixturesAreThere() {
        let modes = Set(MatrixFixture.maxiCode.map { $0.name.prefix(6) })
        #expect(modes == ["mode 2", "mode 3", "mode 4", "mode 5", "mode 6"])
        #expect(MatrixFixture.maxiCode.count >= 300)
    }

    @Test("A symbol of zint decodes to the encoded bytes", arguments: MatrixFixture.maxiCode)
    func decodes(_ fixture: MatrixFixture) throws {
        let message = try MaxiCodeDecoder.decode(fixture.grid)
        #expect(message.bytes == fixture.bytes)
        #expect(message.symbologyIdentifier == fixture.identifier)
        #expect(message.correctedCodewords == 0)
        #expect(fixture.name.hasPrefix("mode \(message.mode),"))
        #expect(message.isReaderProgramming == fixture.name.hasPrefix("mode 6"))
        var ecis: [Int] = []
        for eci in message.segments.compactMap(\.eci) where ecis.last != eci { ecis.append(eci) }
        #expect(ecis == fixture.ecis)
        #expect((message.structuredAppend.map { [$0.index, $0.count ?? 0] } ?? []) == fixture.append)
        // The segments cover the message without gaps.
        var end = 0
        for segment in message.segments {
            #expect(segment.range.lowerBound == end)
            end = segment.range.upperBound
        }
        #expect(end == message.bytes.count)
    }

    @Test("Every bit and every mark has its own module")
    func placement() {
        let places = MaxiCodePlacement.places
        #expect(places.count == 864 && Set(places).count == 864)
        let modules = MaxiCodeLayout.modules
        #expect(modules.count == 864 + 18 + 2)
        #expect(Set(modules.map { $0.y * MaxiCodeLayout.columns + $0.x }).count == modules.count)
        #expect(modules.allSatisfy { $0.x < MaxiCodeLayout.count(inRow: $0.y) })
        // The unused modules are inside the bull's-eye or adjacent to it.
        let used = Set(modules.map { $0.y * MaxiCodeLayout.columns + $0.x })
        for y in 0..<MaxiCodeLayout.rows {
            for x in 0..<MaxiCodeLayout.count(inRow: y) where !used.contains(y * MaxiCodeLayout.columns + x) {
                let center = MaxiCodeLayout.center(x, y)
                #expect((center.x * center.x + center.y * center.y).squareRoot() < 6.1, "\(x), \(y)")
            }
        }
    }

    @Test("Orientation modules and fixed modules match the encoder")
    func marks() {
        for fixture in MatrixFixture.maxiCode.prefix(20) {
            #expect(MaxiCodeLayout.orientationMarks.allSatisfy { fixture.grid[$0.x, $0.y] == $0.isDark })
            #expect(fixture.grid[28, 0] && fixture.grid[29, 0])
        }
    }

    /// The correctable codewords in the primary message, and in each block of the secondary message.
    @Test("Wrong codewords are corrected up to the capacity of the standard", arguments: [(4, 10), (5, 14)])
    func damage(mode: Int, correctable: Int) throws {
        let fixture = try #require(MatrixFixture.maxiCode.first { $0.name == "mode \(mode), 30 of capitals" })
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var grid = fixture.grid
            let primary = (0..<20).shuffled(using: &random).prefix(5)
            let blocks = [20, 21].flatMap { first in
                stride(from: first, to: 144, by: 2).map { $0 }.shuffled(using: &random).prefix(correctable)
            }
            for codeword in primary + blocks {
                let place = MaxiCodePlacement.places[6 * codeword + Int.random(in: 0..<6, using: &random)]
                grid.modules[place] ^= 1
            }
            let message = try MaxiCodeDecoder.decode(grid)
            #expect(message.bytes == fixture.bytes, "seed \(seed)")
            #expect(message.correctedCodewords == 5 + 2 * correctable, "seed \(seed)")
        }
    }

    @Test("More wrong codewords are a failure")
    func tooMuchDamage() throws {
        let fixture = try #require(MatrixFixture.maxiCode.first { $0.name == "mode 4, 30 of capitals" })
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var grid = fixture.grid
            for codeword in (20..<144).shuffled(using: &random).prefix(50) {
                grid.modules[MaxiCodePlacement.places[6 * codeword]] ^= 1
            }
            let failure = #expect(throws: MatrixDecodeFailure.self, "seed \(seed)") {
                try MaxiCodeDecoder.decode(grid)
            }
            #expect(failure?.code == .tooManyErrors && failure?.symbol == "mode 4")
        }
    }

    @Test("Random modules are not a symbol")
    func random() {
        for seed in 0..<2000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var grid = ModuleGrid(width: 30, height: 33)
            for place in grid.modules.indices { grid.modules[place] = UInt8.random(in: 0...1, using: &random) }
            for mark in MaxiCodeLayout.orientationMarks { grid[mark.x, mark.y] = mark.isDark }
            #expect(throws: MatrixDecodeFailure.self, "seed \(seed)") { try MaxiCodeDecoder.decode(grid) }
        }
        #expect(throws: MatrixDecodeFailure.self) { try MaxiCodeDecoder.decode(ModuleGrid(width: 29, height: 33)) }
        #expect(throws: MatrixDecodeFailure.self) { try MaxiCodeDecoder.decode(ModuleGrid(width: 30, height: 33)) }
    }
}
