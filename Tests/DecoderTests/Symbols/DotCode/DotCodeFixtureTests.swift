import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("DotCode symbols of another encoder")
struct DotCodeFixtureTests {
    @Test("The fixtures have both kinds of sides, and more than one block")
    func fixturesAreThere() {
        #expect(MatrixFixture.dotCode.count > 130)
        for isEven in [false, true] {
            #expect(MatrixFixture.dotCode.contains { ($0.grid.height % 2 == 0) == isEven })
        }
        #expect(MatrixFixture.dotCode.contains { $0.grid.width * $0.grid.height > 2 * 9 * 113 })
    }

    @Test("A symbol of zint decodes to the encoded bytes, also rotated and mirrored", arguments: MatrixFixture.dotCode)
    func decodes(_ fixture: MatrixFixture) throws {
        let grid = fixture.grid
        let turned = grid.transposed().flipped()
        for (grid, isMirrored) in [
            (grid, false), (grid.flipped(), true), (turned, false), (turned.transposed().antitransposed(), false),
            (grid.transposed(), true),
        ] {
            let message = try DotCodeDecoder.decode(grid)
            #expect(message.bytes == fixture.bytes)
            #expect(message.symbologyIdentifier == fixture.identifier)
            // Encoders may light the corner dots, which makes one codeword wrong.
            #expect(message.correctedCodewords <= 1 && message.isMirrored == isMirrored)
            #expect(message.isReaderProgramming == fixture.name.hasPrefix("reader programming"))
            fixture.check(message.segments, append: message.structuredAppend, of: message.bytes)
        }
    }

    @Test("Wrong dots are corrected, and too many never give a wrong message", arguments: 0..<20 as Range<UInt64>)
    func damage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try #require(MatrixFixture.dotCode.filter { $0.bytes.count > 7 }.randomElement(using: &random))
        var grid = fixture.grid
        for _ in 0..<2 {
            let place = try #require(grid.modules.indices.randomElement(using: &random))
            grid.modules[place] = 0
        }
        #expect(try DotCodeDecoder.decode(grid).bytes == fixture.bytes, "seed \(seed)")
        for place in grid.modules.indices where Int.random(in: 0..<4, using: &random) == 0 { grid.modules[place] = 0 }
        do {
            let message = try DotCodeDecoder.decode(grid)
            #expect(message.bytes == fixture.bytes, "seed \(seed)")
        } catch {
            #expect(error.code == .tooManyErrors, "seed \(seed)")
        }
    }

    /// Returns the codewords of base 103 for values of base 259.
    private static func bytes(_ values: [Int]) -> [Int] {
        var value = values.reduce(0) { $0 * 259 + $1 }
        var codewords: [Int] = []
        for _ in 0...values.count {
            codewords.insert(value % 103, at: 0)
            value /= 103
        }
        return codewords
    }

    @Test(
        "Codewords that break the rules are refused",
        arguments: [
            ("three pairs of digits that end early", [100, 12, 31]), ("a shift to nothing", [102]),
            ("an ECI without a number", [108, 40, 1]), ("an upper shift of no character", [110, 96]),
            ("FNC3 within the message", [1, 109]), ("letters in place of digits", [101, 103, 100, 1]),
            ("a group of bytes out of range", [112, 102, 102]), ("a group of one", [112, 1]),
            ("no position among several", [101, 33, 108]), ("the third of two", [101, 19, 18, 108]),
            ("no codeword within bytes", [112, 112]),
            ("an ECI beyond the last", [112] + Self.bytes([258, 255, 255, 255])),
        ])
    func refused(_ label: String, _ codewords: [Int]) {
        #expect(throws: DotCodeMessageParser.Failure.self, "\(label)") { try DotCodeMessageParser.parse(codewords) }
    }

    @Test(
        "FNC1 is a flag at the beginning and a separator elsewhere",
        arguments: [
            ("digits", [12, 34], "1234", "]J1"), ("digits after FNC1", [107, 12, 34], "1234", "]J0"),
            ("a date and a batch", [100, 27, 12, 31, 42], "172712311042", "]J1"),
            ("a separator", [12, 107, 34], "12\u{1D}34", "]J1"),
            ("a letter and FNC1", [106, 33, 107, 34], "AB", "]J2"),
            ("two digits and FNC1", [107, 12, 107, 34], "1234", "]J2"),
        ])
    func marks(_ label: String, _ codewords: [Int], _ text: String, _ identifier: String) throws {
        let parser = try DotCodeMessageParser.parse(codewords)
        #expect(parser.bytes == Array(text.utf8), "\(label)")
        #expect("]J\(parser.isGS1 ? 1 : parser.isAIM ? 2 : 0)" == identifier, "\(label)")
    }
}
