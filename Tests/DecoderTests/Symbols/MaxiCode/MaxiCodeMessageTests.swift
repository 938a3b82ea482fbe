import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("MaxiCode messages")
struct MaxiCodeMessageTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var label: String
        var codewords: [UInt8]
        var bytes: [UInt8]
        var testDescription: String { label }
    }

    /// The codewords 59 to 62 shift to the sets B, C, D and E in set A; 63 latches between A and B.
    static let cases: [Case] = [
        Case(label: "nothing", codewords: [33, 33, 33], bytes: []),
        Case(label: "set A", codewords: [1, 2, 48, 0, 32], bytes: Array("AB0\r ".utf8)),
        Case(label: "shift to B", codewords: [1, 59, 1, 1], bytes: Array("AaA".utf8)),
        Case(label: "latch to B and back", codewords: [63, 1, 2, 63, 1], bytes: Array("abA".utf8)),
        Case(label: "two of set A in B", codewords: [63, 1, 56, 1, 2, 3], bytes: Array("aABc".utf8)),
        Case(label: "three of set A in B", codewords: [63, 57, 1, 2, 3, 4], bytes: Array("ABCd".utf8)),
        Case(label: "one of set A in B", codewords: [63, 59, 1, 1], bytes: Array("Aa".utf8)),
        Case(label: "shift to C, D and E", codewords: [60, 0, 61, 0, 62, 0, 1], bytes: [0xC0, 0xE0, 0x00, 0x41]),
        Case(label: "lock in C, latch to B", codewords: [60, 60, 0, 1, 63, 1], bytes: [0xC0, 0xC1, 0x61]),
        Case(label: "lock in D, shift to C", codewords: [61, 61, 0, 60, 0, 0], bytes: [0xE0, 0xC0, 0xE0]),
        Case(label: "lock in E, latch to A", codewords: [62, 62, 30, 58, 1], bytes: [0x1B, 0x41]),
        Case(
            label: "a shift within a shift returns to the latched set", codewords: [63, 60, 61, 0, 1],
            bytes: [0xE0, 0x61]),
        Case(label: "a latch ends a shift", codewords: [63, 57, 63, 1, 1], bytes: Array("aa".utf8)),
        Case(
            label: "nine digits", codewords: [31, 7, 22, 60, 52, 21, 1], bytes: Array("123456789A".utf8)),
        Case(label: "leading zeros", codewords: [31, 0, 0, 0, 0, 7], bytes: Array("000000007".utf8)),
        Case(label: "pads between and after", codewords: [1, 33, 2, 33, 33], bytes: Array("AB".utf8)),
        Case(label: "separators", codewords: [28, 29, 30], bytes: [0x1C, 0x1D, 0x1E]),
    ]

    @Test("Codewords become bytes", arguments: cases)
    func bytes(_ example: Case) throws {
        let parser = try MaxiCodeMessageParser.parse(example.codewords)
        #expect(parser.bytes == example.bytes)
        #expect(!parser.hasECI && parser.structuredAppend == nil)
    }

    @Test("Every code set has 64 codewords, and together they contain every byte")
    func codeSets() {
        var bytes: Set<UInt8> = []
        for set in [MaxiCodeCodeSet.a, .b, .c, .d, .e] {
            for codeword in 0..<64 as Range<UInt8> {
                if case .byte(let byte) = set.symbol(codeword) { bytes.insert(byte) }
            }
        }
        #expect(bytes.count == 256)
    }

    @Test(
        "A message that is truncated or has too large a number is a failure",
        arguments: [
            [31], [31, 1, 2, 3, 4], [27], [27, 0x20], [27, 0x38, 1, 2], [31, 63, 63, 63, 63, 63],
            [27, 0x3B, 63, 63, 63],
        ] as [[UInt8]])
    func failures(codewords: [UInt8]) {
        let failure = #expect(throws: MaxiCodeMessageParser.Failure.self) {
            try MaxiCodeMessageParser.parse(codewords)
        }
        #expect(failure?.message.isEmpty == false)
    }

    @Test(
        "The position in a structured append message",
        arguments: [
            ([33, 0b000_001, 1], 0, 2), ([33, 0b111_111, 1], 7, 8), ([33, 0b010_100, 1], 2, 5),
        ] as [([UInt8], Int, Int)])
    func structuredAppend(codewords: [UInt8], index: Int, count: Int) throws {
        let parser = try MaxiCodeMessageParser.parse(codewords)
        #expect(parser.structuredAppend == StructuredAppend(index: index, count: count))
        #expect(parser.bytes == [0x41])
    }

    @Test("Text under an ECI of two bytes a character is decoded by it")
    func wideECI() throws {
        // ECI 25, a shift to set B for g, and a comma in set A: bytes 0x67 and 0x2C.
        let parser = try MaxiCodeMessageParser.parse([27, 25, 59, 7, 44])
        #expect(TextDecoder.decode(parser.bytes, segments: parser.segments).text == "\u{672C}")
    }

    /// Returns a primary message from its sixty bits, with the mode in the lowest four.
    static func primary(postalCode: UInt64, length: UInt64, country: UInt64, service: UInt64, mode: UInt64) -> [UInt8] {
        let bits = mode | postalCode << 4 | length << 34 | country << 40 | service << 50
        return (0..<10).map { UInt8(bits >> (6 * UInt64($0)) & 63) }
    }

    @Test("A carrier message precedes the message, or follows its header")
    func carrierMessage() throws {
        let primary = Self.primary(postalCode: 12_345, length: 9, country: 56, service: 7, mode: 2)
        let plain = try MaxiCodeDecoder.parse(primary: primary, secondary: [1, 27, 26, 2], mode: 2)
        #expect(plain.bytes == Array("000012345\u{1D}056\u{1D}007\u{1D}AB".utf8))
        #expect(plain.segments.map(\.range) == [0..<18, 18..<19, 19..<20])
        #expect(plain.segments.map(\.eci) == [nil, nil, 26])
        // A part of a postal code would be another place.
        let long = Self.primary(postalCode: 123_456, length: 5, country: 56, service: 7, mode: 2)
        let whole = try MaxiCodeDecoder.parse(primary: long, secondary: [33], mode: 2)
        #expect(whole.bytes == Array("123456\u{1D}056\u{1D}007\u{1D}".utf8))
        // "[)>", RS, "01", GS and "96" in sets B and A, then a character after an ECI.
        let header: [UInt8] = [59, 42, 41, 59, 40, 30, 48, 49, 29, 57, 54, 27, 3, 1]
        let behind = try MaxiCodeDecoder.parse(primary: primary, secondary: header, mode: 2)
        #expect(behind.bytes == Array("[)>\u{1E}01\u{1D}96000012345\u{1D}056\u{1D}007\u{1D}A".utf8))
        #expect(behind.segments.map(\.range) == [0..<27, 27..<28] && behind.segments.map(\.eci) == [nil, 3])
    }

    @Test("Postal codes with letters, and with other characters")
    func letters() throws {
        // Six codewords of set A, the first one in the highest bits: "B1050 ".
        func primary(_ codewords: [UInt64]) -> [UInt8] {
            let code = codewords.reduce(0) { $0 << 6 | $1 }
            return Self.primary(
                postalCode: code & (1 << 30 - 1), length: code >> 30, country: 840, service: 999, mode: 3)
        }
        let parser = try MaxiCodeDecoder.parse(primary: primary([2, 49, 48, 53, 48, 32]), secondary: [33], mode: 3)
        #expect(parser.bytes == Array("B1050 \u{1D}840\u{1D}999\u{1D}".utf8))
        #expect(throws: MaxiCodeMessageParser.Failure.self) {
            try MaxiCodeDecoder.parse(primary: primary([2, 49, 48, 53, 48, 31]), secondary: [33], mode: 3)
        }
        let nowhere = Self.primary(postalCode: 1, length: 9, country: 1000, service: 1, mode: 2)
        #expect(throws: MaxiCodeMessageParser.Failure.self) {
            try MaxiCodeDecoder.parse(primary: nowhere, secondary: [33], mode: 2)
        }
    }

    @Test("Any codewords are a message or a failure, and segments cover all bytes")
    func anyCodewords() {
        for seed in 0..<3000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let data = (0..<Int.random(in: 0...93, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            guard let parser = try? MaxiCodeMessageParser.parse(data) else { continue }
            var end = 0
            for segment in parser.segments {
                #expect(segment.range.lowerBound == end, "seed \(seed)")
                end = segment.range.upperBound
            }
            #expect(end == parser.bytes.count, "seed \(seed)")
        }
    }
}
