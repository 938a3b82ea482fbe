internal import ScanDevices
internal import ScanEvents

extension DestinationKind {
    /// Types each event into the focused window.
    public static let keyboard = DestinationKind(
        name: "keyboard", summary: "types each event into the window that has the focus",
        keys: [
            DestinationKey(
                "armed",
                "`true`: it types from the start; otherwise after it is switched on in the station's page",
                fallback: "`false`"),
            DestinationKey(
                "forPages", "`true`: pages that may use the bridge may type texts, see [bridge.md](bridge.md)",
                fallback: "`false`"),
            DestinationKey(
                "layout",
                "the layout of the desktop or the console: "
                    + KeyboardLayout.all.map { "`\($0.name)`" }.joined(separator: ", "), fallback: "`us`"),
            DestinationKey(
                "text", "what is typed, with placeholders as in a template: `{{content.gs1.gtin}}`",
                fallback: "`{{symbol.text}}`"),
            DestinationKey(
                "prefixKeys",
                "a list of keys that are pressed before the text: "
                    + (KeyPlan.keyNames + ["f1", "f24"]).map { "`\($0)`" }.joined(separator: ", ")
                    .replacing("`f1`, `f24`", with: "`f1` to `f24`"),
                form: .list, fallback: "none"),
            DestinationKey("suffixKeys", "the same after the text; `none` for none", form: .list, fallback: "`enter`"),
            DestinationKey(
                "groupSeparator",
                "what GS (U+001D) in a GS1 code becomes: `ctrl-]`, a key such as `f8`, one character such as `|`, or "
                    + "`none`", fallback: "`ctrl-]`"),
            DestinationKey(
                "controls",
                "what to do with other control characters in a code: `refuse` does not type the code; `space`; `type` "
                    + "presses Enter for a line break, Tab for a tab, and Control and a letter for others",
                fallback: "`refuse`"),
            DestinationKey(
                "missingCharacters",
                "how to type characters that the layout has no keys for: `unicode`, which is Control, Shift, U and "
                    + "the number, or `refuse`", fallback: "`unicode`"),
            DestinationKey("keyDelayMilliseconds", "the pause after each key, 0 to 1000", fallback: "5"),
            DestinationKey(
                "maximumAgeSeconds", "how long after its scan a code may be typed, 1 to 3600", fallback: "10"),
        ], maximumConcurrency: 1
    ) { values in
        let isArmed = values.flag("armed")
        let isForPages = values.flag("forPages")
        guard let settings = readSettings(&values) else { return nil }
        return { clients, timeout throws(ConfigurationError) in
            if isArmed { clients.typingControl.isArmed = true }
            let sink = KeyboardSink(settings, control: clients.typingControl, timeout: timeout)
            if isForPages { sink.attachForPages() } else { clients.typingControl.attach() }
            return sink
        }
    }

    private static func readSettings(_ values: inout DestinationValues) -> KeyboardSink.Settings? {
        let names = KeyboardLayout.all.map(\.name).joined(separator: ", ")
        let layout = values.value("layout", "a layout; the layouts are \(names)") { KeyboardLayout.named($0) } ?? .us
        var plan = KeyPlan(layout)
        plan.separator =
            values.value("groupSeparator", "ctrl-], a key such as f8, one character, or none", separator) ?? .control
        plan.controls =
            values.value("controls", "refuse, space or type") { KeyPlan.Controls(rawValue: $0) } ?? .refuse
        plan.fallback =
            values.value("missingCharacters", "unicode or refuse") { KeyPlan.Fallback(rawValue: $0) } ?? .unicode
        let (before, after) = (readKeys("prefixKeys", [], &values), readKeys("suffixKeys", ["enter"], &values))
        let pause = values.whole("keyDelayMilliseconds", 0...1000) ?? 5
        let age = values.number("maximumAgeSeconds", 1...3600) ?? 10
        for key in ["form", "template"] where values.isSet(key) {
            values.report(key, "does not apply to the type keyboard; set text instead")
        }
        do throws(SyntaxError) {
            let text = try TextTemplate(values.text("text") ?? "{{symbol.text}}")
            // Check the fixed parts of the text now.
            for part in text.literals {
                do throws(KeyPlan.Untypable) {
                    _ = try plan.actions(for: part)
                } catch {
                    values.report("text", "a part of it cannot be typed: \(error.description)")
                }
            }
            return KeyboardSink.Settings(
                plan: plan, text: text, before: before, after: after, pause: .milliseconds(pause),
                maximumAge: .seconds(age))
        } catch {
            values.report("text", error.description)
            return nil
        }
    }

    private static func separator(_ text: String) -> KeyPlan.Separator? {
        switch text.lowercased() {
        case "ctrl-]": return .control
        case "none": return KeyPlan.Separator.none
        default: break
        }
        if let key = KeyboardLayout.functionKey(text.lowercased()) { return .key(key) }
        guard text.unicodeScalars.count == 1, let character = text.unicodeScalars.first, character.value > 0x1F else {
            return nil
        }
        return .character(character)
    }

    private static func readKeys(_ key: String, _ fallback: [String], _ values: inout DestinationValues) -> [UInt16] {
        let names = values.isSet(key) ? values.list(key) : fallback
        if names == ["none"] { return [] }
        return names.compactMap { name in
            if let key = KeyPlan.key(name.lowercased()) { return key }
            values.report(
                key, "\"\(name)\" is not a key; the keys are \(KeyPlan.keyNames.joined(separator: ", ")) and f1 to f24")
            return nil
        }
    }
}
