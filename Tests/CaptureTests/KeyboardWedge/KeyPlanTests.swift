import Synchronization
import TestSupport
import Testing

@testable import ScanDevices

/// The keys that type a text, checked with the decoder of scan guns, which has the inverse layouts.
@Suite struct KeyPlanTests {
    private func plan(_ layout: String) throws -> KeyPlan { KeyPlan(try #require(KeyboardLayout.named(layout))) }

    /// Decodes the keys of a plan like those of a scan gun.
    private func read(_ actions: [KeyPlan.Action], _ layout: KeyboardLayout, isCapital: Bool = false) -> [UInt8]? {
        var decoder = KeyScanDecoder(layout: layout, separatorKeys: ["f8"])
        let caps = isCapital ? KeyPlan.press(58) : []
        for action in caps + actions + KeyPlan.press(28) {
            let event = KeyEvent(key: action.key, action: action.isDown ? .pressed : .released, time: .zero)
            if case .scan(let scan)? = decoder.handle(event) { return scan.bytes }
        }
        return nil
    }

    /// Every character of a layout, alone and beside others, with and without Caps Lock.
    @Test(arguments: KeyboardLayout.all)
    func everyCharacter(_ layout: KeyboardLayout) throws {
        var plan = KeyPlan(layout)
        plan.fallback = .refuse
        for isCapital in [false, true] {
            let characters = KeyTable(layout, isCapital: isCapital).characters
            #expect(characters.count > 60)
            for character in characters {
                for text in ["1\(character)", "1\(character)\(character)2"] {
                    let actions = try plan.actions(for: text, isCapital: isCapital)
                    #expect(read(actions, layout, isCapital: isCapital) == Array(text.utf8), "\(text) \(isCapital)")
                    #expect(Set(actions.filter(\.isDown).map(\.key)) == Set(actions.filter { !$0.isDown }.map(\.key)))
                }
            }
        }
        // All layouts have the digits and the other characters of a GTIN.
        #expect((try? plan.actions(for: "0123456789")) != nil)
    }

    @Test(arguments: ["us", "gb", "de", "fr", "es", "it", "cz", "jp"])
    func texts(_ layout: String) throws {
        let plan = try plan(layout)
        for text in ["https://example.com/?a=1&b=%20#c", "ABC-abc/1$+%.", "]C1 (01)09501101530003", "a b"] {
            #expect(read(try plan.actions(for: text), try #require(.named(layout))) == Array(text.utf8))
        }
    }

    @Test func charactersThatTheLayoutLacks() throws {
        let us = try plan("us")
        // Control and Shift are held while U is pressed, then the code point and a space follow.
        let expected: [(UInt16, Bool)] = [
            (29, true), (42, true), (22, true), (22, false), (42, false), (29, false), (5, true), (5, false),
            (18, true), (18, false), (3, true), (3, false), (46, true), (46, false), (57, true), (57, false),
        ]
        #expect(
            try us.actions(for: "\u{4E2C}").map { [Int($0.key), $0.isDown ? 1 : 0] }
                == expected.map { [Int($0.0), $0.1 ? 1 : 0] })
        var refusing = us
        refusing.fallback = .refuse
        let error = #expect(throws: KeyPlan.Untypable.self) { try refusing.actions(for: "中") }
        #expect(error?.description == "the layout has no keys for \"中\" (U+4E2D)")
        // A layout without Latin letters cannot enter a code point.
        #expect(throws: KeyPlan.Untypable.self) { try plan("ru").actions(for: "中") }
    }

    @Test(
        arguments: [
            (.control, "a\u{1D}b"), (.none, "ab"), (.key(66), "a\u{1D}b"), (.character("|"), "a|b"),
        ] as [(KeyPlan.Separator, String)])
    func separators(_ separator: KeyPlan.Separator, _ expected: String) throws {
        for layout in ["us", "de", "fr", "ru"] {
            var plan = try plan(layout)
            plan.separator = separator
            guard layout != "ru" || separator != .character("|") else { continue }
            let text = layout == "ru" ? "1\u{1D}2" : "a\u{1D}b"
            let expected = layout == "ru" ? expected.replacing("a", with: "1").replacing("b", with: "2") : expected
            #expect(
                read(try plan.actions(for: text), try #require(.named(layout))) == Array(expected.utf8), "\(layout)")
        }
    }

    @Test func controlCharacters() throws {
        var plan = try plan("us")
        let error = #expect(throws: KeyPlan.Untypable.self) { try plan.actions(for: "a\nb") }
        #expect(error?.description == "it contains the control character U+000A; set controls to space or type")
        plan.controls = .space
        #expect(read(try plan.actions(for: "a\nb\u{1B}"), .us) == Array("a b ".utf8))
        plan.controls = .type
        #expect(try plan.actions(for: "\t\r\n") == KeyPlan.press(15) + KeyPlan.press(28))
        #expect(read(try plan.actions(for: "a\u{4}"), .us) == Array("a\u{4}".utf8))
    }

    /// Terminals act on U+009B and the like as on an escape sequence.
    @Test func controlCharactersBeyondASCII() throws {
        var plan = try plan("us")
        let error = #expect(throws: KeyPlan.Untypable.self) { try plan.actions(for: "a\u{9B}b") }
        #expect(error?.description == "it contains the control character U+009B; set controls to space or type")
        plan.controls = .space
        #expect(read(try plan.actions(for: "a\u{9B}b"), .us) == Array("a b".utf8))
        plan.controls = .type
        #expect(throws: KeyPlan.Untypable.self) { try plan.actions(for: "a\u{9B}b") }
    }

    @Test func keyNames() {
        #expect(KeyPlan.key("enter") == 28)
        #expect(KeyPlan.key("f12") == 88)
        #expect(KeyPlan.key("hyper") == nil)
    }

    @Test func noRight() {
        #expect(throws: VirtualKeyboard.Failure.self) { try VirtualKeyboard(name: "x", path: "/nowhere") }
        #expect(throws: VirtualKeyboard.Failure.self) { try VirtualKeyboard(name: "x", path: "/dev/null") }
    }
}
