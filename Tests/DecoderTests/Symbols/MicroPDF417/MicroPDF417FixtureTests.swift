import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("MicroPDF417 symbols of another encoder")
struct MicroPDF417FixtureTests {
    static let symbols = MatrixFixture.symbols("micro-pdf417.tsv")

    /// Returns the codewords of a symbol from its modules; `nil` if a row address pattern or a codeword is invalid,
    /// or does not match the size.
    static func codewords(_ fixture: MatrixFixture) -> (codewords: [Int], size: MicroPDF417Size)? {
        let grid = fixture.grid
        let size = MicroPDF417Size.all.first {
            $0.rows == grid.height && $0.parts.reduce(RowAddressPatterns.width + 1) { $0 + $1.width } == grid.width
        }
        guard let size else { return nil }
        let places = Dictionary(uniqueKeysWithValues: PDF417Patterns.all.enumerated().map { ($1, $0) })
        func bits(_ row: Int, _ from: Int, _ count: Int) -> Int {
            (from..<from + count).reduce(0) { $0 << 1 | (grid[$1, row] ? 1 : 0) }
        }
        func isPattern(_ patterns: RowAddressPatterns, _ number: Int, _ row: Int, _ x: Int) -> Bool {
            patterns.patterns[(number - 1 + row) % RowAddressPatterns.count] == bits(row, x, RowAddressPatterns.width)
        }
        var codewords: [Int] = []
        for row in 0..<size.rows {
            guard isPattern(.side, size.left, row, 0), grid[grid.width - 1, row] else { return nil }
            var x = RowAddressPatterns.width
            for part in size.parts {
                switch part {
                case .centerPattern: guard isPattern(.center, size.center, row, x) else { return nil }
                case .rightPattern: guard isPattern(.side, size.right, row, x) else { return nil }
                case .codeword:
                    guard let place = places[UInt32(bits(row, x, 17))], place / 929 == size.cluster(ofRow: row) else {
                        return nil
                    }
                    codewords.append(place % 929)
                }
                x += part.width
            }
        }
        return (codewords, size)
    }

    @Test("The fixtures have every size")
    func fixturesAreThere() {
        let sizes = Set(Self.symbols.compactMap { Self.codewords($0)?.size })
        #expect(sizes == Set(MicroPDF417Size.all) && sizes.count == 34)
    }

    @Test("A symbol of zint decodes to the encoded bytes", arguments: symbols)
    func decodes(_ fixture: MatrixFixture) throws {
        let (codewords, size) = try #require(Self.codewords(fixture))
        let message = try MicroPDF417Decoder.decode(codewords, size: size)
        #expect(message.correctedCodewords == 0)
        Self.check(message, fixture)
    }

    static func check(_ message: MicroPDF417Message, _ fixture: MatrixFixture) {
        #expect(message.bytes == fixture.bytes)
        #expect(message.isReaderProgramming == (fixture.name == "reader programming"))
        #expect(message.symbologyIdentifier == fixture.identifier)
        fixture.check(message.segments, append: message.macro?.structuredAppend, of: message.bytes)
    }

    struct Emulation: CustomTestStringConvertible, Sendable {
        var codewords: [Int]
        var text: String?
        var identifier = ""
        var testDescription: String { "\(codewords)" }

        init(_ codewords: [Int], _ text: String?, _ identifier: String = "") {
            self.codewords = codewords
            self.text = text
            self.identifier = identifier
        }
    }

    /// Digits are encoded as a number in base 900 with a leading 1: 190 is 1 and `90`.
    static let emulations = [
        Emulation([903, 1], "AB", "]L3"), Emulation([904, 190], "90", "]L3"), Emulation([905, 190], "0190", "]L3"),
        Emulation([906, 1], "AB", "]L3"), Emulation([907, 190], "90", "]L3"), Emulation([908, 1], "AB", "]L4"),
        Emulation([909, 190], "90", "]L4"), Emulation([910, 1], "AB", "]L5"), Emulation([911, 190], "90", "]L5"),
        Emulation([914, 1], "10AB", "]L3"), Emulation([915, 1], "21AB", "]L3"), Emulation([912, 190], nil),
        Emulation([900, 1, 903], nil), Emulation([920, 1], nil), Emulation([918, 900, 1], "AB", "]L2"),
        Emulation([916, 190], "[)>\u{1E}05\u{1D}90\u{1E}\u{4}", "]L2"),
        Emulation([917, 32], "[)>\u{1E}06\u{1D}12\u{1E}\u{4}", "]L2"), Emulation([900, 1, 916, 190], nil),
    ]

    @Test("The first codeword gives the kind of the message", arguments: emulations)
    func emulates(_ test: Emulation) throws {
        let parsed = try? PDF417MessageParser.parse(test.codewords, isMicro: true)
        #expect(parsed?.bytes == test.text.map { Array($0.utf8) })
        guard let parsed else { return }
        let message = MicroPDF417Message(
            bytes: parsed.bytes, segments: parsed.segments, size: MicroPDF417Size.all[0], macro: nil,
            emulation: parsed.emulation, isReaderProgramming: false, correctedCodewords: 0)
        #expect(message.symbologyIdentifier == test.identifier)
        #expect(parsed.segments.last?.range.upperBound == parsed.bytes.count)
        // These codewords are undefined in PDF417.
        if test.codewords[0] < 920 {
            #expect((try? PDF417MessageParser.parse(test.codewords)) == nil || test.codewords[0] == 900)
        }
    }

    @Test("Wrong codewords are corrected up to the capacity")
    func corrects() throws {
        var random = SeededGenerator(seed: 24728)
        for fixture in Self.symbols.prefix(34) {
            let (codewords, size) = try #require(Self.codewords(fixture))
            var damaged = codewords
            let places = codewords.indices.shuffled(using: &random)
            for place in places.prefix(size.checkCount / 2) {
                damaged[place] = (damaged[place] + Int.random(in: 1..<929, using: &random)) % 929
            }
            let message = try MicroPDF417Decoder.decode(damaged, size: size)
            #expect(message.bytes == fixture.bytes && message.correctedCodewords == size.checkCount / 2)
            for place in places.prefix(size.checkCount / 2 + 2) {
                damaged[place] = (codewords[place] + Int.random(in: 1..<929, using: &random)) % 929
            }
            #expect((try? MicroPDF417Decoder.decode(damaged, size: size)) == nil)
        }
    }

    @Test("Random codewords never crash the parser")
    func parserNeverTraps() {
        var random = SeededGenerator(seed: 417)
        for _ in 0..<3000 {
            let data = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                Int.random(in: Bool.random(using: &random) ? 0..<929 : 895..<929, using: &random)
            }
            guard let parsed = try? PDF417MessageParser.parse(data, isMicro: true) else { continue }
            #expect(parsed.bytes.count <= data.count * 3 + 9)
        }
    }
}
