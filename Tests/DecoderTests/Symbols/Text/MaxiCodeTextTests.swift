import BarcodeCore
import Testing

@testable import Symbols

@Suite("Text of MaxiCode symbols")
struct MaxiCodeTextTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var parts: [(bytes: [UInt8], eci: Int?)]
        var text: String
        var charset: Charset
    }

    private static let latin = Charset(name: "iso-8859-1", source: .symbology)

    static let cases = [
        Case(testDescription: "German", parts: [(hex("4df6646c"), nil)], text: "Mödl", charset: latin),
        Case(
            testDescription: "two letters in a row, which are a Chinese character in GB18030",
            parts: [(hex("c4e3bac3"), nil)], text: "ÄãºÃ", charset: latin),
        Case(
            testDescription: "letters only, which are Russian in windows-1251", parts: [(hex("e020e020e0"), nil)],
            text: "à à à", charset: latin),
        Case(
            testDescription: "control characters of code set E", parts: [(hex("41858a"), nil)], text: "A\u{85}\u{8A}",
            charset: latin),
        Case(
            testDescription: "UTF-8", parts: [(hex("5ac3bc72696368"), nil)], text: "Zürich",
            charset: Charset(name: "utf-8", source: .validity)),
        Case(
            testDescription: "an ECI of another character set", parts: [(hex("c4e3bac3"), 29)], text: "你好",
            charset: Charset(name: "gb18030", source: .eci)),
        Case(
            testDescription: "an ECI after other letters", parts: [(hex("c4"), nil), (hex("c4e3bac3"), 29)],
            text: "Ä你好", charset: Charset(name: "gb18030", source: .eci)),
        Case(
            testDescription: "ASCII", parts: [(Array("ABC".utf8), nil)], text: "ABC",
            charset: Charset(name: "us-ascii", source: .validity)),
    ]

    @Test("Characters beyond ASCII are those of ISO 8859-1 unless an ECI names another set", arguments: cases)
    func text(_ test: Case) {
        var message = MaxiCodeMessage(
            bytes: [], segments: [], mode: 4, hasECI: test.parts.contains { $0.eci != nil }, correctedCodewords: 0)
        for part in test.parts {
            let start = message.bytes.count
            message.bytes += part.bytes
            message.segments.append(
                Reading.Segment(
                    range: start..<message.bytes.count, mode: part.bytes.contains { $0 > 127 } ? .bytes : .ascii,
                    eci: part.eci))
        }
        let point = Point(x: 0, y: 0)
        let symbol = Symbol(
            MaxiCodeReading(
                message: message, grid: ModuleGrid(width: 30, height: 33),
                corners: Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point),
                isInverted: false, isMirrored: false))
        #expect(symbol.text == test.text)
        #expect(symbol.charset == test.charset)
    }
}
