import BarcodeCore
import Testing

@Suite struct HexadecimalEscapesTests {
    @Test(
        "Escapes become bytes; strictly, a text with an invalid one is none",
        arguments: [
            ("nothing", "", "", ""), ("no escape", "a+b", "a+b", "a+b"), ("both cases", "%2f%2F", "//", "//"),
            ("a sign before a digit", "%+5%-0", "%+5%-0", nil), ("one digit", "a%4", "a%4", nil),
            ("no digit", "%", "%", nil), ("another letter", "%zz%41", "%zzA", nil),
            ("an escaped mark", "%2541", "%41", "%41"),
        ])
    func decoding(_ label: String, _ text: String, _ expected: String, _ strictly: String?) {
        #expect(HexadecimalEscapes.decoded(text.utf8) == Array(expected.utf8))
        #expect(HexadecimalEscapes.strictlyDecoded(text.utf8) == strictly.map { Array($0.utf8) })
    }

    @Test("Other marks, and a plus as a space")
    func variants() {
        #expect(HexadecimalEscapes.decoded("=41%41".utf8, mark: UInt8(ascii: "=")) == Array("A%41".utf8))
        #expect(HexadecimalEscapes.decoded("a+%2B".utf8, plus: 0x20) == Array("a +".utf8))
    }
}
