/// Translates a text into key presses.
public struct KeyPlan: Sendable {
    /// A key press or release.
    public struct Action: Sendable, Hashable {
        /// The key code of the kernel (`linux/input-event-codes.h`).
        public var key: UInt16
        /// Indicates whether the key is pressed.
        public var isDown: Bool

        /// Creates a key press or release.
        public init(key: UInt16, isDown: Bool) {
            self.key = key
            self.isDown = isDown
        }
    }

    /// The replacement for GS (U+001D), the field separator of GS1.
    public enum Separator: Sendable, Hashable {
        /// Control and `]`, as handheld scanners type it.
        case control
        /// Nothing.
        case none
        /// A key, such as F8.
        case key(UInt16)
        /// Another character.
        case character(Unicode.Scalar)
    }

    /// The treatment of control characters other than GS; for example, a line break would submit a form.
    public enum Controls: String, Sendable, CaseIterable {
        /// The text is not typed at all.
        case refuse
        /// A space is typed for each.
        case space
        /// A tab and a line break are typed as their keys, others as Control and a letter.
        case type
    }

    /// The way to type characters that have no keys in the layout.
    public enum Fallback: String, Sendable, CaseIterable {
        /// Control, Shift and U, then the code point in hexadecimal: for GTK, Qt with IBus, and most browsers under
        /// Linux.
        case unicode
        /// The text is not typed at all.
        case refuse
    }

    /// The reason why a text cannot be typed, a clause.
    public struct Untypable: Error, Sendable, Hashable, CustomStringConvertible {
        /// The clause.
        public let description: String
    }

    /// Key codes of the kernel.
    private enum Key {
        static let tab: UInt16 = 15
        static let rightBracket: UInt16 = 27
        static let enter: UInt16 = 28
        static let leftControl: UInt16 = 29
        static let leftShift: UInt16 = 42
        static let rightAlt: UInt16 = 100
    }

    /// The keys that may precede or follow a message, by name.
    private static let named: [String: UInt16] = [
        "enter": Key.enter, "tab": Key.tab, "escape": 1, "space": 57, "home": 102, "end": 107, "up": 103, "down": 108,
        "left": 105, "right": 106,
    ]

    /// The names of the keys that may precede or follow a message, besides the function keys.
    public static let keyNames = named.keys.sorted()

    /// Returns the key code for a name, such as `enter` or `f2`; `nil` for an unknown name.
    public static func key(_ name: String) -> UInt16? { named[name] ?? KeyboardLayout.functionKey(name) }

    /// The replacement for GS.
    public var separator = Separator.control
    /// The treatment of other control characters.
    public var controls = Controls.refuse
    /// The way to type characters that have no keys in the layout.
    public var fallback = Fallback.unicode

    private let tables: (plain: KeyTable, capital: KeyTable)

    /// Creates a plan for a layout, which must be that of the desktop.
    public init(_ layout: KeyboardLayout) {
        tables = (KeyTable(layout), KeyTable(layout, isCapital: true))
    }

    /// Returns the actions that type a text.
    ///
    /// - Parameters:
    ///   - text: the text that is to appear.
    ///   - isCapital: whether Caps Lock is on.
    /// - Throws: ``Untypable`` if a character cannot be typed.
    public func actions(for text: String, isCapital: Bool = false) throws(Untypable) -> [Action] {
        let table = isCapital ? tables.capital : tables.plain
        var actions: [Action] = []
        for character in text.unicodeScalars {
            if character == "\u{1D}" {
                try separate(&actions, table)
            } else if character.properties.generalCategory == .control {
                try control(character, &actions, table)
            } else {
                try type(character, &actions, table)
            }
        }
        return actions
    }

    /// Returns the actions that press and release a single key.
    public static func press(_ key: UInt16) -> [Action] {
        [Action(key: key, isDown: true), Action(key: key, isDown: false)]
    }

    private func separate(_ actions: inout [Action], _ table: KeyTable) throws(Untypable) {
        switch separator {
        case .none: break
        case .key(let key): actions += Self.press(key)
        case .character(let character): try type(character, &actions, table)
        case .control:
            let strokes = table["]"].flatMap { $0.count == 1 ? $0 : nil } ?? [KeyTable.Stroke(key: Key.rightBracket)]
            Self.hold(Key.leftControl, &actions) { $0 += strokes.flatMap(Self.press) }
        }
    }

    private func control(
        _ character: Unicode.Scalar, _ actions: inout [Action], _ table: KeyTable
    ) throws(Untypable) {
        switch controls {
        case .refuse:
            let number = String(character.value, radix: 16, uppercase: true)
            throw Untypable(
                description:
                    "it contains the control character U+00\(number.count < 2 ? "0" : "")\(number); set controls "
                    + "to space or type")
        case .space: try type(" ", &actions, table)
        case .type:
            switch character {
            case "\t": actions += Self.press(Key.tab)
            case "\n": actions += Self.press(Key.enter)
            // It belongs to the line feed that follows, so it is not typed.
            case "\r": break
            default:
                guard character.value < 0x20, let letter = Unicode.Scalar(character.value + 0x60),
                    let strokes = table[letter], strokes.count == 1
                else { throw Untypable(description: "it contains a control character that no keys type") }
                Self.hold(Key.leftControl, &actions) { $0 += strokes.flatMap(Self.press) }
            }
        }
    }

    private func type(
        _ character: Unicode.Scalar, _ actions: inout [Action], _ table: KeyTable
    ) throws(Untypable) {
        if let strokes = table[character] {
            actions += strokes.flatMap(Self.press)
            return
        }
        let digits = String(character.value, radix: 16)
        guard fallback == .unicode, let key = table["u"], key.count == 1 else {
            throw Untypable(description: "the layout has no keys for \"\(character)\" (U+\(digits.uppercased()))")
        }
        Self.hold(Key.leftControl, &actions) { actions in
            Self.hold(Key.leftShift, &actions) { $0 += Self.press(key[0].key) }
        }
        for digit in (digits + " ").unicodeScalars {
            guard let strokes = table[digit], strokes.count == 1 else {
                throw Untypable(description: "the layout has no keys for \"\(character)\" (U+\(digits.uppercased()))")
            }
            actions += strokes.flatMap(Self.press)
        }
    }

    private static func press(_ stroke: KeyTable.Stroke) -> [Action] {
        var actions = press(stroke.key)
        if stroke.isAltGr { actions = held(Key.rightAlt, actions) }
        if stroke.isShifted { actions = held(Key.leftShift, actions) }
        return actions
    }

    private static func held(_ key: UInt16, _ actions: [Action]) -> [Action] {
        [Action(key: key, isDown: true)] + actions + [Action(key: key, isDown: false)]
    }

    private static func hold(_ key: UInt16, _ actions: inout [Action], _ body: (inout [Action]) -> Void) {
        var inner: [Action] = []
        body(&inner)
        actions += held(key, inner)
    }
}
