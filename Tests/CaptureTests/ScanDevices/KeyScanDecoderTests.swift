import TestSupport
import Testing

@testable import ScanDevices

@Suite struct KeyScanDecoderTests {
    /// The position of keys, and the characters that national layouts have there.
    @Test(
        arguments: [
            // French keyboards have the digits on Shift: a gun configured for one presses Shift for each.
            ("fr", [11, 11, 2, 4, 8, 5, 9, 10, 2, 2], true, "0013748911"),
            ("us", [11, 11, 2, 4, 8, 5, 9, 10, 2, 2], false, "0013748911"),
            ("fr", [11, 11, 2, 4, 8, 5, 9, 10, 2, 2], false, "àà&\"è'_ç&&"),
            ("de", [21, 44], false, "zy"), ("us", [21, 44], false, "yz"), ("fr", [16, 30], false, "aq"),
            ("gb", [3], true, "\""), ("us", [3], true, "@"), ("de", [12], false, "ß"), ("es", [39], false, "ñ"),
            ("it", [26], false, "è"), ("cn", [3], true, "@"), ("ru", [16], false, "й"),
        ] as [(String, [UInt16], Bool, String)])
    func positions(_ layout: String, _ keys: [UInt16], _ isShifted: Bool, _ expected: String) throws {
        var gun = SimulatedGun(layout: layout)
        for key in keys { gun.press(key, holding: isShifted ? [KeyCode.leftShift] : []) }
        gun.press(KeyCode.enter)
        var decoder = KeyScanDecoder(layout: try #require(.named(layout)))
        #expect(decoder.run(gun.events).map(\.text) == [expected])
    }

    /// All characters of a layout survive typing and decoding, in every layout.
    @Test(arguments: KeyboardLayout.all.map(\.name))
    func everyCharacter(_ layout: String) throws {
        var gun = SimulatedGun(layout: layout)
        let alphabet = gun.alphabet
        // A layout may have a dead key twice, and it could combine with a letter that follows by chance.
        let text = String(String.UnicodeScalarView(alphabet))
        gun.type(text)
        var decoder = KeyScanDecoder(layout: try #require(.named(layout)))
        #expect(decoder.run(gun.events).map(\.text) == [text])
        let printable = (0x20..<0x7F).map { Unicode.Scalar(UInt8($0)) }
        let missing = printable.filter { !alphabet.contains($0) }
        if !["ru", "gr"].contains(layout) { #expect(missing.isEmpty, "a gun cannot type these") }
    }

    /// Ten thousand typical codes.
    @Test(arguments: ["us", "de", "fr", "gb", "es", "it", "cn"])
    func manyCodes(_ layout: String) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let characters = (0x20..<0x7F).map { Unicode.Scalar(UInt8($0)) } + ["\u{1D}"]
        var decoder = KeyScanDecoder(layout: try #require(.named(layout)))
        var codes: [String] = []
        var scans: [String?] = []
        for _ in 0..<1500 {
            var code = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                code.append(characters.randomElement(using: &random) ?? "0")
            }
            var gun = SimulatedGun(layout: layout)
            gun.type(String(code), end: Bool.random(using: &random) ? KeyCode.enter : KeyCode.tab)
            codes.append(String(code))
            scans += decoder.run(gun.events).map(\.text)
        }
        #expect(scans == codes, "seed \(seed)")
    }

    @Test func capsLock() {
        var gun = SimulatedGun(layout: "us")
        gun.press(KeyCode.capsLock)
        gun.type("Ab1!")
        gun.press(KeyCode.capsLock)
        gun.type("Ab1!")
        var decoder = KeyScanDecoder()
        #expect(decoder.run(gun.events).map(\.text) == ["aB1!", "Ab1!"])
    }

    @Test(
        arguments: [
            ([82, 80, 73], "\u{1D}"), ([80, 73], "\u{1D}"), ([77, 76], "A"), ([82, 77, 76], "A"),
        ] as [([UInt16], String)])
    func altCodesOfControls(_ keys: [UInt16], _ expected: String) {
        #expect(typedWithAlt(keys) == expected)
    }

    @Test(
        arguments: [
            // 0128 is the euro sign of Windows-1252, 128 the Ç of code page 437, 8364 the euro sign's code point.
            ([82, 79, 80, 72], "€"), ([79, 80, 72], "Ç"), ([79, 80, 73], "ü"), ([72, 81, 77, 75], "€"),
            ([82, 80, 81, 81], "é"),
            ([79, 81, 82], "é"), ([], ""), ([82], ""), ([73, 73, 73, 73, 73, 73, 73, 73, 73, 73], ""),
        ] as [([UInt16], String)])
    func altCodes(_ keys: [UInt16], _ expected: String) {
        #expect(typedWithAlt(keys) == expected)
    }

    private func typedWithAlt(_ keys: [UInt16]) -> String {
        var events = [KeyEvent(key: KeyCode.leftAlt, action: .pressed, time: .seconds(1))]
        for key in keys {
            events.append(KeyEvent(key: key, action: .pressed, time: .seconds(1)))
            events.append(KeyEvent(key: key, action: .released, time: .seconds(1)))
        }
        events.append(KeyEvent(key: KeyCode.leftAlt, action: .released, time: .seconds(1)))
        events.append(KeyEvent(key: KeyCode.enter, action: .pressed, time: .seconds(1)))
        var decoder = KeyScanDecoder()
        return decoder.run(events).compactMap(\.text).joined()
    }

    /// GS as guns send it: Control and `]`, wherever that is on the layout, or a function key.
    @Test(
        arguments: [
            ("us", 27, [KeyCode.leftControl]), ("us", 27, [KeyCode.rightControl]), ("de", 27, [KeyCode.leftControl]),
            ("fr", 27, [KeyCode.leftControl]), ("de", 10, [KeyCode.leftControl, KeyCode.rightAlt]), ("us", 66, []),
        ] as [(String, UInt16, [UInt16])])
    func separators(_ layout: String, _ key: UInt16, _ modifiers: [UInt16]) throws {
        var gun = SimulatedGun(layout: layout)
        gun.type("10A1", end: nil)
        gun.press(key, holding: modifiers)
        gun.type("17")
        var decoder = KeyScanDecoder(layout: try #require(.named(layout)), separatorKeys: ["F8", "none"])
        #expect(decoder.run(gun.events).map(\.text) == ["10A1\u{1D}17"])
    }

    @Test func controlAndAltAreAltGr() throws {
        var gun = SimulatedGun(layout: "de")
        gun.press(16, holding: [KeyCode.leftControl, KeyCode.leftAlt])
        gun.press(KeyCode.enter)
        var decoder = KeyScanDecoder(layout: try #require(.named("de")))
        #expect(decoder.run(gun.events).map(\.text) == ["@"])
    }

    @Test func aMarkWithoutALetter() throws {
        var gun = SimulatedGun(layout: "fr")
        gun.press(26)
        gun.press(26)
        gun.press(33)
        gun.press(26)
        gun.press(KeyCode.enter)
        var decoder = KeyScanDecoder(layout: try #require(.named("fr")))
        #expect(decoder.run(gun.events).map(\.text) == ["^^f^"])
    }

    /// The kernel repeats a held key, for example if the release is lost; a gun means it once.
    @Test func repeatsAreNoCharacters() {
        var gun = SimulatedGun(layout: "us")
        gun.type("1", end: nil)
        let held = KeyEvent(key: 3, action: .repeated, time: gun.time)
        var decoder = KeyScanDecoder()
        var scans = decoder.run(gun.events + [held, held])
        scans += decoder.run([KeyEvent(key: KeyCode.enter, action: .pressed, time: gun.time)])
        #expect(scans.map(\.text) == ["1"])
    }

    @Test func lostInput() {
        var gun = SimulatedGun(layout: "us")
        gun.type("123", end: nil)
        var decoder = KeyScanDecoder()
        #expect(decoder.run(gun.events).isEmpty)
        decoder.loseInput(at: gun.time)
        var rest = SimulatedGun(layout: "us")
        rest.type("789")
        rest.type("next")
        #expect(
            decoder.run(rest.events) == [
                .discarded(.lostInput, length: 6), .scan(DeviceScan(bytes: Array("next".utf8))),
            ])
    }
}
