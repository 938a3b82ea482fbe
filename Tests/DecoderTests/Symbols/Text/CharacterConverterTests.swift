import Testing

@testable import Symbols

/// The converter of the system's library by itself.
@Suite struct CharacterConverterTests {
    @Test func anUnknownCharacterSetIsNil() {
        // As in a container without the package of converters.
        let isNil = CharacterConverter(from: "NO-SUCH-SET") == nil
        #expect(isNil)
        #expect(CharacterEncoding("no-such-set", converter: "NO-SUCH-SET").decode([0x41]) == nil)
    }

    @Test(arguments: [("GB18030", "d5"), ("GB18030", "d5ff"), ("CP932", "80"), ("CP932", "93"), ("UTF-16BE", "d800")])
    func whatIsNotValidIsNil(_ charset: String, _ bytes: String) {
        #expect(CharacterEncoding("x", converter: charset).scalars(hex(bytes)[...]) == nil)
    }

    @Test func convertsASlice() {
        #expect(CharacterEncoding.gb18030.decode(hex("00d5c5ceb000")[1..<5]) == "张伟")
        #expect(CharacterEncoding.gb18030.decode([]) == "")
    }

    @Test func aBaseThatWaitsForAnAccentIsNotForgotten() {
        // glibc delays the A of TCVN, because a combining accent might follow.
        #expect(CharacterEncoding("tcvn", converter: "TCVN5712-1").decode([0x41]) == "A")
    }
}
