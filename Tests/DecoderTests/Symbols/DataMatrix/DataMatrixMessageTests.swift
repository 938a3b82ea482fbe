import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Data Matrix messages")
struct DataMatrixMessageTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var label: String
        var codewords: [UInt8]
        var bytes: [UInt8]
        var modes: [Reading.Segment] = []
        var identifier = "]d1"
        var indicator: String?
        var testDescription: String { label }
    }

    static func ascii(_ text: String) -> [UInt8] { text.utf8.map { $0 + 1 } }

    static let cases: [Case] = [
        Case(label: "no codeword", codewords: [], bytes: []),
        Case(
            label: "ASCII, digits, upper shift", codewords: ascii("A") + [142, 235, 1, 235, 128],
            bytes: [0x41, 0x31, 0x32, 128, 255], modes: [.init(range: 0..<5, mode: .bytes, eci: nil)]),
        Case(
            label: "C40 of the standard's example", codewords: [230, 91, 11, 91, 11, 91, 11, 254],
            bytes: Array("AIMAIMAIM".utf8)),
        Case(
            label: "Text is C40 with the other letters", codewords: [239, 91, 11, 254] + ascii("!"),
            bytes: Array("aim!".utf8)),
        Case(
            label: "C40 with an upper shift",
            codewords: [230] + triple(1, 30, 14) + triple(1, 30, 2) + triple(1, 4, 4) + [254],
            bytes: [0xC1, 0xE1, 0x30, 0x30], modes: [.init(range: 0..<4, mode: .bytes, eci: nil)]),
        Case(
            label: "C40, all of shift sets 1 and 2",
            codewords: [230] + triple(0, 31, 1) + triple(14, 1, 15) + triple(1, 22, 1)
                + triple(26, 1, 27) + [254],
            bytes: [31, 0x2F, 0x3A, 0x5B, 0x5F, 0x1D]),
        Case(
            label: "Text, all of shift set 3",
            codewords: [239] + triple(2, 0, 2) + triple(1, 2, 26) + triple(2, 27, 2)
                + triple(31, 3, 3) + [254],
            bytes: Array("`AZ{\u{7F}  ".utf8)),
        Case(
            label: "X12",
            codewords: [238] + triple(0, 1, 2) + triple(3, 4, 13) + triple(14, 39, 3) + [254] + ascii("a"),
            bytes: Array("\r*> 09AZ a".utf8)),
        Case(
            label: "EDIFACT", codewords: [240] + quad(1, 26, 32, 63) + quad(1, 31, 0, 0).prefix(2) + ascii("a"),
            bytes: Array("AZ ?Aa".utf8)),
        Case(
            label: "EDIFACT with the unlatch in each place",
            codewords: [240] + quad(31, 0, 0, 0).prefix(1) + [240] + quad(1, 2, 31, 0) + [240] + quad(1, 2, 3, 31)
                + ascii("z"),
            bytes: Array("ABABCz".utf8)),
        Case(
            label: "Base 256 between ASCII",
            codewords: ascii("A") + DataMatrixEncoder.base256([0x42, 0, 255], at: 1) + ascii("C"),
            bytes: [0x41, 0x42, 0, 255, 0x43],
            modes: [
                .init(range: 0..<1, mode: .ascii, eci: nil), .init(range: 1..<4, mode: .bytes, eci: nil),
                .init(range: 4..<5, mode: .ascii, eci: nil),
            ]),
        Case(
            label: "ECI of one, two and three codewords",
            codewords: [241, 27] + ascii("A") + [241, 128, 1] + ascii("B") + [241, 207, 63, 129] + ascii("C"),
            bytes: Array("ABC".utf8),
            modes: [
                .init(range: 0..<1, mode: .bytes, eci: 26), .init(range: 1..<2, mode: .bytes, eci: 127),
                .init(range: 2..<3, mode: .bytes, eci: 15 * 64516 + 62 * 254 + 128 + 16383),
            ], identifier: "]d4"),
        Case(
            label: "GS1 with a separator", codewords: [232] + ascii("A") + [232] + ascii("B"),
            bytes: Array("A\u{1D}B".utf8), identifier: "]d2"),
        Case(
            label: "GS1 with ECI", codewords: [241, 4, 232] + ascii("A"), bytes: [0x41],
            modes: [.init(range: 0..<1, mode: .bytes, eci: 3)], identifier: "]d5"),
        Case(
            label: "AIM with a letter", codewords: ascii("a") + [232] + ascii("B"), bytes: Array("aB".utf8),
            identifier: "]d3", indicator: "a"),
        Case(
            label: "AIM with two digits and a separator", codewords: [137, 232] + ascii("B") + [232],
            bytes: Array("07B\u{1D}".utf8), identifier: "]d3", indicator: "07"),
        Case(
            label: "AIM with ECI", codewords: [241, 4] + ascii("Z") + [232], bytes: [0x5A],
            modes: [.init(range: 0..<1, mode: .bytes, eci: 3)], identifier: "]d6", indicator: "Z"),
        Case(
            label: "FNC1 after another character separates", codewords: ascii("!") + [232] + ascii("B"),
            bytes: Array("!\u{1D}B".utf8)),
        Case(
            label: "FNC1 after two letters separates", codewords: ascii("AB") + [232], bytes: Array("AB\u{1D}".utf8)),
        Case(
            label: "FNC1 after a latch separates", codewords: [230, 254, 232] + ascii("A"),
            bytes: Array("\u{1D}A".utf8)),
        Case(
            label: "macro 05", codewords: [236] + ascii("A"), bytes: Array("[)>\u{1E}05\u{1D}A\u{1E}\u{04}".utf8)),
        Case(
            label: "macro 06 around Base 256", codewords: [237] + DataMatrixEncoder.base256([200], at: 1),
            bytes: Array("[)>\u{1E}06\u{1D}".utf8) + [200, 0x1E, 0x04],
            modes: [
                .init(range: 0..<7, mode: .ascii, eci: nil), .init(range: 7..<8, mode: .bytes, eci: nil),
                .init(range: 8..<10, mode: .ascii, eci: nil),
            ]),
        Case(
            label: "structured append and GS1", codewords: [233, 0x2D, 1, 254, 232] + ascii("A"), bytes: [0x41],
            identifier: "]d2"),
    ]

    static func triple(_ first: Int, _ second: Int, _ third: Int) -> [UInt8] {
        let value = 1600 * first + 40 * second + third + 1
        return [UInt8(value >> 8), UInt8(value & 255)]
    }

    static func quad(_ values: Int...) -> [UInt8] {
        let bits = values.reduce(0) { $0 << 6 | $1 }
        return [UInt8(bits >> 16), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
    }

    @Test("Codewords give bytes", arguments: cases, [[26, 26], [64, 12], [144, 144]])
    func decodes(_ test: Case, size: [Int]) throws {
        let size = try #require(DataMatrixSize(columns: size[0], rows: size[1]))
        let message = try DataMatrixDecoder.decode(DataMatrixEncoder.encode(test.codewords, size: size))
        #expect(message.bytes == test.bytes)
        let plain = test.bytes.isEmpty ? [] : [Reading.Segment(range: 0..<test.bytes.count, mode: .ascii, eci: nil)]
        #expect(message.segments == (test.modes.isEmpty ? plain : test.modes))
        #expect(message.symbologyIdentifier == test.identifier)
        #expect(message.applicationIndicator == test.indicator)
    }

    @Test(
        "A segment may run to the end of the symbol",
        arguments: [
            ("C40 that fills it", [230, 91, 11], "AIM"),
            ("C40 with one codeword of ASCII after it", [230, 91, 11, 67], "AIMB"),
            ("C40 with an unlatch at the end", [230, 91, 11, 254], "AIM"),
            ("C40 with an unlatch and a codeword of ASCII", [230, 91, 11, 254, 67], "AIMB"),
            ("X12 with one codeword of ASCII after it", [238] + triple(14, 15, 16) + [67], "ABCB"),
            ("EDIFACT with one codeword of ASCII after it", [240] + quad(1, 2, 3, 4) + [67], "ABCDB"),
            ("EDIFACT with two codewords of ASCII after it", [240] + quad(1, 2, 3, 4) + [67, 68], "ABCDBC"),
            ("ASCII with an unlatch at the end", [67, 254], "B"),
        ] as [(String, [UInt8], String)])
    func toTheEnd(_ label: String, _ codewords: [UInt8], _ text: String) throws {
        let parser = try DataMatrixMessageParser.parse(codewords)
        #expect(parser.bytes == Array(text.utf8))
        #expect(parser.isPaddingRegular)
    }

    @Test("ASCII under an ECI of two bytes a character is decoded by it")
    func wideECI() throws {
        let parser = try DataMatrixMessageParser.parse([241, 26, 1, 66, 0x67 + 1, 0x2C + 1])
        #expect(TextDecoder.decode(parser.bytes, segments: parser.segments).text == "A\u{672C}")
    }

    @Test(
        "Base 256 of every kind of length, and to the end of the symbol",
        arguments: [1, 249, 250, 499, 500, 1500])
    func base256(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let codewords = DataMatrixEncoder.base256(bytes)
        #expect(try DataMatrixMessageParser.parse(codewords + [129]).bytes == bytes)
        if count < 250 {
            var open = codewords
            open[1] = UInt8(149 * 2 % 255 + 1)
            #expect(try DataMatrixMessageParser.parse(open).bytes == bytes)
        }
    }

    static let broken: [(String, [UInt8], String)] = [
        ("an undefined codeword", [0], "ASCII encodation has no codeword 0"),
        ("a reserved codeword", [242], "ASCII encodation has no codeword 242"),
        ("an unlatch without a latch", [254], "ASCII encodation has no codeword 254"),
        ("an upper shift before digits", [235, 142], "an upper shift is followed by the codeword 142"),
        ("a triple above the range", [230, 251, 1], "the codewords 251, 1 are not a triple of values"),
        ("a triple below the range", [238, 0, 0], "the codewords 0, 0 are not a triple of values"),
        ("a value outside shift set 1", [230] + triple(0, 32, 4), "shift set 1 has no value 32"),
        ("a value outside shift set 2", [239] + triple(1, 28, 4), "shift set 2 has no value 28"),
        ("a value outside shift set 3", [230] + triple(2, 39, 4), "shift set 3 has no value 39"),
        (
            "more bytes than codewords", DataMatrixEncoder.base256([UInt8](repeating: 7, count: 249)).prefix(2) + [],
            "249 bytes are announced, but 42 codewords are left"
        ),
        ("an ECI that begins with 208", [241, 208], "an ECI begins with the codeword 208"),
        ("an ECI with a 255", [241, 130, 255], "an ECI has the codeword 255"),
        ("an ECI above 999999", [241, 207, 254, 254], "the ECI 1048638 is not valid"),
        ("structured append after data", [66, 233], "the codeword 233 is not at the beginning"),
        ("a part after the last", [233, 0x2F, 1, 1], "symbol 3 of 2 is not a valid position"),
        ("a part of seventeen", [233, 0x00, 1, 1], "symbol 1 of 17 is not a valid position"),
        ("a file identifier of 0", [233, 0x0F, 0, 1], "0, 1 is not a valid file identifier"),
        ("reader programming after data", [66, 234], "the codeword 234 is not at the beginning"),
        ("a macro after data", [66, 236], "the codeword 236 is not at the beginning"),
        ("a macro after FNC1", [232, 237], "a macro follows FNC1"),
    ]

    @Test("Codewords that break the rules are a failure", arguments: broken)
    func fails(_ label: String, _ codewords: [UInt8], _ message: String) throws {
        let size = try #require(DataMatrixSize(columns: 26, rows: 26))
        let grid = try DataMatrixEncoder.encode(codewords, size: size)
        #expect(
            throws: MatrixDecodeFailure(.badBitStream, message, symbol: "26 by 26 modules")
        ) {
            try DataMatrixDecoder.decode(grid)
        }
    }

    @Test(
        "A truncated message is a failure",
        arguments: [[235], [241], [241, 130], [233, 0x0F, 1], [231]] as [[UInt8]])
    func cutOff(codewords: [UInt8]) {
        #expect(throws: DataMatrixMessageParser.Failure.self) { try DataMatrixMessageParser.parse(codewords) }
    }

    @Test("Random codewords never crash the parser")
    func randomCodewords() {
        var random = SeededGenerator(seed: 16022)
        var read = 0
        for _ in 0..<40_000 {
            var data = (0..<Int.random(in: 1...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            // Half of them begin with a latch or similar, which reaches more code than random data.
            if Bool.random(using: &random) { data[0] = UInt8.random(in: 229...241, using: &random) }
            guard let parser = try? DataMatrixMessageParser.parse(data) else { continue }
            read += 1
            #expect(parser.bytes.count <= 2 * data.count + 9)
            #expect(parser.segments.last?.range.upperBound ?? 0 == parser.bytes.count)
        }
        #expect(read > 0)
    }

    @Test("Messages with changed codewords never crash the parser")
    func changedCodewords() {
        var random = SeededGenerator(seed: 16023)
        var read = 0
        for fixture in MatrixFixture.dataMatrix {
            guard let size = DataMatrixSize(columns: fixture.grid.width, rows: fixture.grid.height) else { continue }
            let codewords = DataMatrixCodewords.read(fixture.grid, placement: .of(size)).prefix(size.dataCount)
            for _ in 0..<10 {
                var data = Array(codewords)
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                guard let parser = try? DataMatrixMessageParser.parse(data) else { continue }
                read += 1
                #expect(parser.bytes.count <= 2 * data.count + 9)
            }
        }
        #expect(read > MatrixFixture.dataMatrix.count)
    }

    @Test("An empty message needs padding")
    func emptyMessage() throws {
        let size = try #require(DataMatrixSize(columns: 10, rows: 10))
        #expect(try DataMatrixDecoder.decode(DataMatrixEncoder.encode([], size: size)).bytes == [])
        let wrong = DataMatrixEncoder.place(DataMatrixEncoder.interleave([129, 129, 129], size: size), size: size)
        let failure = #expect(throws: MatrixDecodeFailure.self) { try DataMatrixDecoder.decode(wrong) }
        #expect(failure?.code == .badBitStream)
    }
}
