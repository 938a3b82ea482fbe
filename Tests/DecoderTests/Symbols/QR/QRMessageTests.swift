import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Messages")
struct QRMessageTests {
    typealias Segment = QREncoder.Segment

    struct Case: CustomTestStringConvertible, Sendable {
        var label: String
        var segments: [Segment]
        var bytes: [UInt8]
        var modes: [Reading.Segment]
        var identifier = "]Q1"
        var indicator: String?
        var testDescription: String { label }
    }

    static let cases: [Case] = [
        Case(label: "no segment", segments: [], bytes: [], modes: []),
        Case(label: "a segment of no bytes", segments: [.bytes([])], bytes: [], modes: []),
        Case(
            label: "mixed", segments: [.numeric([0x31, 0x32]), .alphanumeric([0x41]), .bytes([0, 255])],
            bytes: [0x31, 0x32, 0x41, 0, 255],
            modes: [
                .init(range: 0..<2, mode: .ascii, eci: nil), .init(range: 2..<3, mode: .ascii, eci: nil),
                .init(range: 3..<5, mode: .bytes, eci: nil),
            ]),
        Case(
            label: "Kanji, both ranges", segments: [.kanji([0x93, 0x5F, 0xE4, 0xAA, 0x81, 0x40, 0xEB, 0xBF])],
            bytes: [0x93, 0x5F, 0xE4, 0xAA, 0x81, 0x40, 0xEB, 0xBF],
            modes: [.init(range: 0..<8, mode: .kanji, eci: nil)]),
        Case(
            label: "Hanzi, both ranges", segments: [.hanzi([0xA1, 0xA1, 0xAA, 0xFE, 0xB0, 0xA1, 0xFA, 0xFE])],
            bytes: [0xA1, 0xA1, 0xAA, 0xFE, 0xB0, 0xA1, 0xFA, 0xFE],
            modes: [.init(range: 0..<8, mode: .bytes, eci: 29)]),
        Case(
            label: "ECI of one, two and three bytes",
            segments: [.eci(127), .bytes([1]), .eci(128), .bytes([2]), .eci(999_999), .bytes([3])], bytes: [1, 2, 3],
            modes: [
                .init(range: 0..<1, mode: .bytes, eci: 127), .init(range: 1..<2, mode: .bytes, eci: 128),
                .init(range: 2..<3, mode: .bytes, eci: 999_999),
            ], identifier: "]Q2"),
        Case(
            label: "GS1 with %, %% and a % at the end", segments: [.fnc1First, .alphanumeric(Array("A%B%%C%".utf8))],
            bytes: Array("A\u{1D}B%C\u{1D}".utf8), modes: [.init(range: 0..<6, mode: .ascii, eci: nil)],
            identifier: "]Q3"),
        Case(
            label: "GS1 with a % in bytes", segments: [.fnc1First, .bytes(Array("A%%".utf8))],
            bytes: Array("A%%".utf8), modes: [.init(range: 0..<3, mode: .bytes, eci: nil)], identifier: "]Q3"),
        Case(
            label: "ECI, then GS1", segments: [.eci(26), .fnc1First, .bytes([1])], bytes: [1],
            modes: [.init(range: 0..<1, mode: .bytes, eci: 26)], identifier: "]Q4"),
        Case(
            label: "AIM with two digits", segments: [.fnc1Second(indicator: 7), .alphanumeric(Array("A%".utf8))],
            bytes: Array("07A\u{1D}".utf8),
            modes: [.init(range: 0..<2, mode: .ascii, eci: nil), .init(range: 2..<4, mode: .ascii, eci: nil)],
            identifier: "]Q5", indicator: "07"),
        Case(
            label: "AIM with a letter and ECI", segments: [.eci(3), .fnc1Second(indicator: 197), .numeric([0x39])],
            bytes: Array("a9".utf8),
            modes: [.init(range: 0..<1, mode: .ascii, eci: 3), .init(range: 1..<2, mode: .ascii, eci: 3)],
            identifier: "]Q6", indicator: "a"),
        Case(
            label: "FNC1 after data has no meaning",
            segments: [.alphanumeric([0x41]), .fnc1First, .alphanumeric(Array("%".utf8))], bytes: Array("A%".utf8),
            modes: [.init(range: 0..<1, mode: .ascii, eci: nil), .init(range: 1..<2, mode: .ascii, eci: nil)]),
    ]

    @Test("Segments decode to bytes", arguments: cases, [1, 9, 10, 26, 27, 40])
    func decodes(_ test: Case, version: Int) throws {
        let level: QRErrorCorrectionLevel = .low
        let version = version == 1 ? 2 : version
        let message = try QRDecoder.decode(QREncoder.encode(test.segments, version: version, level: level, mask: 5))
        #expect(message.bytes == test.bytes)
        #expect(message.segments == test.modes)
        #expect(message.symbologyIdentifier == test.identifier)
        #expect(message.applicationIndicator == test.indicator)
        #expect(message.mask == 5)
    }

    /// Version 1-L has 19 data codewords, 152 bits: after 4 + 8 bits for a byte segment's header, 17 bytes and four
    /// bits are left.
    @Test("A message that fills the symbol needs no terminator", arguments: [15, 16, 17])
    func fullSymbol(count: Int) throws {
        let bytes = (0..<count).map { UInt8($0) }
        let message = try QRDecoder.decode(QREncoder.encode([.bytes(bytes)], version: 1, level: .low))
        #expect(message.bytes == bytes)
    }

    @Test("A message that ends one, two or three bits before the end is complete", arguments: [1, 2, 3])
    func shortTerminator(bitsLeft: Int) throws {
        // 152 bits: a header of 14 bits for digits, 3 1/3 bits per digit.
        let digits = [41, 40, 39].map { [UInt8](repeating: 0x37, count: $0) }[bitsLeft - 1]
        let message = try QRDecoder.decode(QREncoder.encode([.numeric(digits)], version: 1, level: .low))
        #expect(message.bytes == digits)
    }

    static let broken: [(String, [Segment], String)] = [
        (
            "more bytes than bits", [.raw(value: 0b0100 << 8 | 255, count: 12)],
            "a segment is longer than the 152 bits of the symbol"
        ),
        (
            "more digits than bits", [.raw(value: 0b0001 << 10 | 1023, count: 14)],
            "a segment is longer than the 152 bits of the symbol"
        ),
        (
            "more Kanji than bits", [.raw(value: 0b1000 << 8 | 255, count: 12)],
            "a segment is longer than the 152 bits of the symbol"
        ),
        ("an undefined mode", [.raw(value: 0b1111, count: 4)], "the mode 15 is not defined"),
        (
            "three digits above 999", [.raw(value: (1 << 10 | 3) << 10 | 1000, count: 24)],
            "a group of 3 digits has the value 1000"
        ),
        (
            "two alphanumeric characters above 2024", [.raw(value: (2 << 9 | 2) << 11 | 2025, count: 24)],
            "2 alphanumeric characters have the value 2025"
        ),
        (
            "an ECI that begins with 111", [.raw(value: 7 << 8 | 0xE0, count: 12)],
            "an ECI designator begins with the byte 224"
        ),
        ("an ECI above 999999", [.raw(value: 7 << 24 | 0xCF4240, count: 28)], "the ECI 1000000 is not valid"),
        ("an unknown Hanzi subset", [.raw(value: 0xD << 4 | 2, count: 8)], "the Hanzi subset 2 is not defined"),
        (
            "an invalid application indicator", [.fnc1Second(indicator: 120)],
            "invalid application indicator 120"
        ),
    ]

    @Test("A bit stream that breaks the rules is a failure", arguments: broken)
    func fails(_ label: String, _ segments: [Segment], _ message: String) throws {
        let grid = try QREncoder.encode(segments, version: 1, level: .low, mask: 2)
        #expect(
            throws: MatrixDecodeFailure(
                .badBitStream, message, symbol: "version 1, level L, mask 2")
        ) {
            try QRDecoder.decode(grid)
        }
    }

    @Test("Random codewords never crash the parser")
    func randomStreams() {
        var random = SeededGenerator(seed: 7)
        var read = 0
        for _ in 0..<20_000 {
            let data = (0..<Int.random(in: 1...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            if (try? QRMessageParser.parse(data, version: Int.random(in: 1...40, using: &random))) != nil { read += 1 }
        }
        #expect(read > 0)
    }

    @Test("An empty message needs padding: texture that repeats like a mask is not a symbol", arguments: 0..<8)
    func emptyMessages(mask: Int) throws {
        let empty = try QREncoder.encode([], version: 1, level: .low, mask: mask)
        #expect(try QRDecoder.decode(empty).bytes == [])
        let zeros = QREncoder.place(
            [UInt8](repeating: 0, count: 26), version: 1, level: .low, mask: mask)
        let failure = #expect(throws: MatrixDecodeFailure.self) { try QRDecoder.decode(zeros) }
        #expect(failure?.code == .badBitStream)
    }
}
