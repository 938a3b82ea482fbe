import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Han Xin symbols of another encoder")
struct HanXinFixtureTests {
    @Test("The fixtures have every version, level and mask")
    func fixturesAreThere() {
        let parts = MatrixFixture.hanXin.map { $0.name.split(separator: ",")[0].split(separator: "-") }
        #expect(Set(parts.compactMap { Int($0[0]) }) == Set(1...84))
        #expect(Set(parts.compactMap { Int($0[1]) }) == Set(1...4))
        #expect(Set(parts.compactMap { Int($0[2]) }) == Set(0...3))
    }

    @Test("A symbol of zint decodes to the encoded bytes", arguments: MatrixFixture.hanXin)
    func decodes(_ fixture: MatrixFixture) throws {
        let message = try HanXinDecoder.decode(fixture.grid)
        #expect(message.bytes == fixture.bytes)
        #expect(message.symbologyIdentifier == fixture.identifier)
        #expect(message.correctedCodewords == 0 && !message.isMirrored)
        fixture.check(message.segments, append: nil, of: message.bytes)
        let mirrored = try HanXinDecoder.decode(fixture.grid.antitransposed())
        #expect(mirrored.bytes == fixture.bytes && mirrored.isMirrored)
    }

    @Test("The blocks of each level fill the modules of each version")
    func blocks() {
        for number in 1...84 {
            guard let version = HanXinVersion(number) else { continue }
            let count = HanXinPatterns.of(version).dataOrder.count / 8
            for level in 1...4 {
                let blocks = HanXinBlocks.of(version: number, level: level)
                #expect(blocks.reduce(0) { $0 + $1.count * ($1.dataCount + $1.checkCount) } == count)
                #expect(blocks.allSatisfy { $0.checkCount % 2 == 0 && $0.dataCount + $0.checkCount < 256 })
            }
        }
        #expect(HanXinVersion(0) == nil && HanXinVersion(85) == nil)
        #expect(HanXinVersion(size: 24) == nil && HanXinVersion(size: 23)?.number == 1)
    }

    @Test("Wrong modules are corrected up to the capacity of the level")
    func damage() throws {
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let fixture = try #require(
                MatrixFixture.hanXin.first { $0.name == "\(4 + seed)-4-0, every version" }
                    ?? MatrixFixture.hanXin.first { $0.name.hasPrefix("\(4 + seed)-4-") })
            let version = try #require(HanXinVersion(size: fixture.grid.size))
            var grid = fixture.grid
            // One wrong bit in every tenth codeword.
            for place in HanXinPatterns.of(version).dataOrder.map(Int.init)
            where Int.random(in: 0..<80, using: &random) == 0 {
                grid.modules[place] ^= 1
            }
            let message = try HanXinDecoder.decode(grid)
            #expect(message.bytes == fixture.bytes && message.correctedCodewords > 0, "seed \(seed)")
            for place in HanXinPatterns.of(version).dataOrder.map(Int.init) where Bool.random(using: &random) {
                grid.modules[place] ^= 1
            }
            #expect(throws: MatrixDecodeFailure.self, "seed \(seed)") { try HanXinDecoder.decode(grid) }
        }
    }

    @Test(
        "Bits that break the rules are refused",
        arguments: [
            ("a mode that is not read", "1001"), ("digits without an end", "0001" + "0000000001"),
            ("more digits than said", "0001" + "0000001100" + "1111111101"), ("no digits", "0001" + "1111111111"),
            ("too few bytes", "0011" + "0000000000010" + "01000001"), ("no such region one", "0100" + "111111101111"),
            ("no such four bytes", "0111" + "111111111111111111111"), ("no such ECI", "1000" + "11100000"),
        ])
    func refused(_ label: String, _ bits: String) {
        #expect(throws: HanXinMessageParser.Failure.self, "\(label)") {
            try HanXinMessageParser.parse(BitStream(bits: bits.utf8.map { $0 - 48 }))
        }
    }
}
