import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("PDF417 symbols of another encoder")
struct PDF417FixtureTests {
    static let symbols = MatrixFixture.symbols("pdf417.tsv")

    /// Returns the codewords of a symbol from its modules, without row indicators; `nil` if a pattern is invalid.
    static func codewords(_ fixture: MatrixFixture) -> (codewords: [Int], size: PDF417Size)? {
        let grid = fixture.grid
        let isCompact = fixture.name.hasPrefix("compact")
        let columns = isCompact ? (grid.width - 18) / 17 - 1 : (grid.width - 35) / 17 - 2
        let places = Dictionary(uniqueKeysWithValues: PDF417Patterns.all.enumerated().map { ($1, $0) })
        func codeword(_ row: Int, _ column: Int) -> Int? {
            let pattern = (0..<17).reduce(UInt32(0)) { $0 << 1 | (grid[17 * (column + 1) + $1, row] ? 1 : 0) }
            guard let place = places[pattern], place / 929 == row % 3 else { return nil }
            return place % 929
        }
        guard let level = codeword(1, 0).map({ $0 % 30 / 3 }),
            let size = PDF417Size(rows: grid.height, columns: columns, level: level)
        else { return nil }
        var codewords: [Int] = []
        for row in 0..<grid.height {
            for column in 1...columns {
                guard let value = codeword(row, column) else { return nil }
                codewords.append(value)
            }
        }
        return (codewords, size)
    }

    @Test("The fixtures have every level and every number of columns")
    func fixturesAreThere() {
        let sizes = Self.symbols.compactMap { Self.codewords($0)?.size }
        #expect(sizes.count == Self.symbols.count && sizes.count > 200)
        #expect(Set(sizes.map(\.level)) == Set(0...8))
        #expect(Set(sizes.map(\.columns)) == Set(1...30))
    }

    @Test("A symbol of zint decodes to the encoded bytes", arguments: symbols)
    func decodes(_ fixture: MatrixFixture) throws {
        let (codewords, size) = try #require(Self.codewords(fixture))
        let message = try PDF417Decoder.decode(codewords, size: size)
        Self.check(message, fixture)
        #expect(message.correctedCodewords == 0)
    }

    static func check(_ message: PDF417Message, _ fixture: MatrixFixture) {
        #expect(message.bytes == fixture.bytes)
        #expect(message.isReaderProgramming == (fixture.name == "reader programming"))
        let reading = PDF417Reading(
            message: message,
            corners: Quadrilateral(
                topLeft: Point(x: 0, y: 0), topRight: Point(x: 1, y: 0), bottomRight: Point(x: 1, y: 1),
                bottomLeft: Point(x: 0, y: 1)), isInverted: false, isMirrored: false, isCompact: false
        ).reading
        #expect(reading.symbology.traits.symbologyIdentifier(reading) == fixture.identifier)
        fixture.check(message.segments, append: reading.structuredAppend, of: message.bytes)
    }

    @Test("Errors and erasures are corrected up to the capacity", arguments: 1...5)
    func corrects(level: Int) throws {
        let fixture = try #require(Self.symbols.first { $0.name == "level \(level)" })
        let (codewords, size) = try #require(Self.codewords(fixture))
        var random = SeededGenerator(seed: UInt64(level))
        for erased in stride(from: 0, through: size.checkCount, by: max(1, size.checkCount / 4)) {
            let places = (0..<codewords.count).shuffled(using: &random)
            let wrong = min((size.checkCount - erased) / 2, codewords.count - erased)
            var damaged = codewords
            for place in places[..<(erased + wrong)] {
                damaged[place] = (damaged[place] + Int.random(in: 1..<929, using: &random)) % 929
            }
            var corrected = damaged
            let changes = PDF417Correction.correct(
                &corrected, checkCount: size.checkCount, erasures: Array(places[..<erased]))
            #expect(changes == erased + wrong && corrected == codewords, "\(erased) erased, \(wrong) wrong")
            var again = damaged
            let syndromes = PDF417Correction.syndromes(of: damaged, count: size.checkCount)
            let same = PDF417Correction.correct(
                &again, checkCount: size.checkCount, erasures: Array(places[..<erased]), syndromes: syndromes)
            #expect(same == changes && again == corrected)
            // One more error is not correctable, except by a very unlikely chance.
            guard erased == 0, level > 2, wrong < codewords.count else { continue }
            damaged[places[wrong]] = (damaged[places[wrong]] + 1) % 929
            #expect(PDF417Correction.correct(&damaged, checkCount: size.checkCount) == nil)
        }
    }

    @Test("The share of the correction used grows with the wrong codewords", arguments: [0, 1, 5, 16])
    func correctionUsed(wrong: Int) throws {
        let fixture = try #require(Self.symbols.first { $0.name == "level 4" })
        var (codewords, size) = try #require(Self.codewords(fixture))
        for place in 1..<(1 + wrong) { codewords[place] = (codewords[place] + 7) % 929 }
        let message = try PDF417Decoder.decode(codewords, size: size)
        #expect(message.bytes == fixture.bytes)
        #expect(message.correctionUsed == Double(2 * wrong) / Double(size.checkCount))
    }

    @Test("More errors than the few check codewords of levels 0 and 1 can tell give no other message", arguments: 0...1)
    func detects(level: Int) throws {
        let fixture = try #require(Self.symbols.first { $0.name == "level \(level)" })
        let (codewords, size) = try #require(Self.codewords(fixture))
        var random = SeededGenerator(seed: UInt64(level))
        let messages = (0..<2000).compactMap { _ in
            var damaged = codewords
            // Not the first one, which is checked besides.
            for place in (1..<codewords.count).shuffled(using: &random)[..<(level + 2)] {
                damaged[place] = (damaged[place] + Int.random(in: 1..<929, using: &random)) % 929
            }
            return try? PDF417Decoder.decode(damaged, size: size).bytes
        }
        #expect(messages.count { $0 != fixture.bytes } <= 2)
    }

    @Test("A budget is limited, and larger in a larger picture")
    func budget() {
        let small = LumaImage(width: 10, height: 10, pixels: [UInt8](repeating: 255, count: 100))
        let large = LumaImage(width: 1000, height: 1000, pixels: [UInt8](repeating: 255, count: 1_000_000))
        func symbols(_ image: LumaImage) -> Int {
            var budget = PDF417Reader.Budget(image)
            var count = 0
            while !budget.isSpent, count < 1000 {
                budget.spend(PDF417Size.maximumCodewords)
                count += 1
            }
            return count
        }
        #expect(symbols(small) == 4)
        #expect((5...10).contains(symbols(large)))
    }

    @Test("Random codewords never crash the parser")
    func parserNeverTraps() {
        var random = SeededGenerator(seed: 417)
        for _ in 0..<3000 {
            let count = Int.random(in: 0...30, using: &random)
            let data = (0..<count).map { _ in
                Int.random(in: Bool.random(using: &random) ? 0..<929 : 895..<929, using: &random)
            }
            guard let parsed = try? PDF417MessageParser.parse(data) else { continue }
            #expect(parsed.bytes.count <= data.count * 3)
        }
    }

    @Test(
        "An ECI after single bytes, between groups of five, and after a shift to one byte",
        arguments: [
            (
                "five single bytes before a new block", [927, 3, 901, 233, 252, 232, 241, 224, 927, 9, 901, 225],
                [0xE9, 0xFC, 0xE8, 0xF1, 0xE0, 0xE1]
            ),
            (
                "five single bytes before text", [901, 65, 66, 67, 68, 69, 927, 3, 900, 1],
                [65, 66, 67, 68, 69, 65, 66]
            ),
            (
                "a group in a block that continues", [901, 8, 370, 724, 833, 706, 927, 3, 70],
                [0x05, 0x05, 0x05, 0x05, 0x05, 0x06, 70]
            ),
            ("after a shift", [913, 927, 3, 233], [0xE9]),
        ] as [(String, [Int], [UInt8])])
    func besideECI(_ label: String, _ codewords: [Int], _ bytes: [UInt8]) throws {
        #expect(try PDF417MessageParser.parse(codewords).bytes == bytes, "\(label)")
    }

    @Test("Text under an ECI of two bytes a character is decoded by it")
    func wideECI() throws {
        // Bytes 0x67 and 0x2C as the letters of text compaction: lowercase g, then a comma in the mixed alphabet.
        let parsed = try PDF417MessageParser.parse([927, 25, 900, 27 * 30 + 6, 28 * 30 + 13])
        #expect(parsed.bytes == [0x67, 0x2C])
        #expect(TextDecoder.decode(parsed.bytes, segments: parsed.segments).text == "\u{672C}")
    }

    @Test(
        "Numbers of ECIs do not contain functions",
        arguments: [
            ("a text latch", [927, 900, 1]), ("of two codewords", [926, 928, 928, 1]), ("a user's", [925, 901, 1]),
        ])
    func wrongECI(_ label: String, _ codewords: [Int]) {
        #expect(throws: PDF417MessageParser.Failure.self, "\(label)") { try PDF417MessageParser.parse(codewords) }
    }
}
