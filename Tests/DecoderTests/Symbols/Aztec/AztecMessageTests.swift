import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Messages of Aztec symbols")
struct AztecMessageTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var label: String
        var bits: [UInt8]
        var bytes: String
        var identifier = "]z0"
        var append: StructuredAppend?
        var testDescription: String { label }

        init(
            _ label: String, _ codes: [[UInt8]], _ bytes: String, _ identifier: String = "]z0",
            append: StructuredAppend? = nil
        ) {
            self.label = label
            bits = codes.flatMap { $0 }
            self.bytes = bytes
            self.identifier = identifier
            self.append = append
        }
    }

    /// Five-bit codes.
    static func five(_ codes: Int...) -> [UInt8] { codes.flatMap { AztecEncoder.bits($0, 5) } }
    /// Four-bit codes, as in digit mode.
    static func four(_ codes: Int...) -> [UInt8] { codes.flatMap { AztecEncoder.bits($0, 4) } }
    static func capitals(_ text: String) -> [UInt8] { text.utf8.flatMap { AztecEncoder.bits(Int($0) - 63, 5) } }
    static let fnc1 = five(0, 0) + AztecEncoder.bits(0, 3)

    static let cases: [Case] = [
        Case("capitals", [five(2, 3, 1, 27)], "AB Z"),
        Case("lower, with a capital shifted in", [five(28, 2, 28, 3, 4)], "aBc"),
        Case("mixed", [five(29, 2, 15, 20, 21, 26, 27, 29, 2)], "\u{01}\u{1B}@\\~\u{7F}A"),
        Case("punctuation, latched and left", [five(29, 30, 1, 2, 3, 6, 30, 31, 2)], "\r\r\n. !}A"),
        Case("a shift to punctuation", [five(2, 0, 6, 3)], "A!B"),
        Case(
            "digits, with a capital shifted in", [five(30), four(2, 11, 12, 13, 1, 15), five(2), four(3, 14), five(2)],
            "09,. A1A"),
        Case("bytes", [five(2, 31, 2), [1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 0, 1], five(3)], "A\u{FF}1B"),
        Case(
            "bytes shifted in from a shifted set go back to that set",
            [five(30), four(2, 15), five(31, 1), AztecEncoder.bits(0x68, 8), five(2, 3)], "0hAB",
            "]z0"),
        Case(
            "32 bytes", [AztecEncoder.binary([UInt8](repeating: 65, count: 32)), five(3)],
            String(repeating: "A", count: 32) + "B"),
        Case("FNC1 first", [fnc1, five(2, 3)], "AB", "]z1"),
        Case("FNC1 later", [fnc1, five(2), fnc1, five(3)], "A\u{1D}B", "]z1"),
        Case("FNC1 after a letter", [five(2), fnc1, five(3)], "AB", "]z2"),
        Case("FNC1 after two digits", [five(30), four(3, 4, 0), five(0), [0, 0, 0], four(5)], "123", "]z2"),
        Case("FNC1 after a digit", [five(30), four(3, 0), five(0), [0, 0, 0], four(5)], "1\u{1D}3"),
        Case("FNC1 after three letters", [five(2, 2, 2), fnc1, five(3)], "AAA\u{1D}B"),
        Case("a part", [five(29, 29), capitals("CF"), five(2)], "A", "]z6", append: .init(index: 2, count: 6)),
        Case(
            "a part with a name", [five(29, 29, 1), capitals("XY"), five(1), capitals("AB"), five(2)], "A", "]z6",
            append: .init(index: 0, count: 2, identifier: "XY")),
        Case(
            "FNC1 after the header of a part", [five(29, 29), capitals("BB"), fnc1, five(2)], "A", "]z7",
            append: .init(index: 1, count: 2)),
        Case("two latches and no header", [five(29, 29), capitals("BA"), five(2)], "BAA"),
    ]

    @Test("Bits decode to bytes", arguments: cases)
    func decodes(_ item: Case) throws {
        let size = AztecSize(isCompact: false, layers: 12)
        let message = try AztecDecoder.decode(AztecEncoder.encode(item.bits, size: size))
        #expect(message.bytes == item.bytes.unicodeScalars.map { UInt8($0.value) })
        #expect(message.symbologyIdentifier == item.identifier)
        #expect(message.structuredAppend == item.append)
    }

    static let broken: [(String, [UInt8], String)] = [
        ("an undefined flag", five(0, 0) + [1, 1, 1], "the flag 7 is not defined"),
        ("an ECI with a letter", five(0, 0) + [0, 0, 1] + four(1), "the number of an ECI contains the code 1"),
        (
            "more bytes than bits", five(31, 30) + [UInt8](repeating: 0, count: 60),
            "30 bytes are announced, but 60 bits are left"
        ),
        ("a message that ends in a flag", five(2, 2, 2, 2, 0, 0), "the message ends within a character"),
    ]

    @Test("Bits that break the rules are a failure", arguments: broken)
    func fails(_ label: String, _ bits: [UInt8], _ message: String) {
        let failure = #expect(throws: AztecMessageParser.Failure.self) {
            try AztecMessageParser.parse(BitStream(bits: bits), codewordBits: 6)
        }
        #expect(failure?.message == message)
    }

    @Test("Random bits never crash the parser")
    func randomBits() {
        var random = SeededGenerator(seed: 24778)
        var read = 0
        for _ in 0..<40_000 {
            let bits = (0..<Int.random(in: 1...300, using: &random)).map { _ in UInt8.random(in: 0...1, using: &random)
            }
            guard let parser = try? AztecMessageParser.parse(BitStream(bits: bits), codewordBits: 8) else { continue }
            read += 1
            #expect(parser.bytes.count <= bits.count)
            #expect(parser.segments.last?.range.upperBound ?? 0 == parser.bytes.count)
        }
        #expect(read > 0)
    }

    @Test("Random grids with a valid core never crash the decoder, and have no message")
    func randomGrids() throws {
        var random = SeededGenerator(seed: 24779)
        for size in AztecSize.all where size.layers < 10 {
            for share in [0.3, 0.5, 0.7] {
                let dataCount = max(1, Int(Double(min(size.codewordCount, size.isCompact ? 64 : 2048)) * share))
                let codewords = (0..<size.codewordCount).map { _ in
                    UInt16.random(in: 0..<(1 << UInt16(size.codewordBits)), using: &random)
                }
                let grid = try AztecEncoder.place(codewords, size: size, dataCount: dataCount)
                #expect(throws: MatrixDecodeFailure.self, "\(size)") { try AztecDecoder.decode(grid) }
            }
        }
    }
}
