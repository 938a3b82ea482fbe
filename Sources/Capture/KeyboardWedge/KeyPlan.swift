public import ScanDevices

/// Which keys go down and up, one after the other, to type a text.
public struct KeyPlan: Sendable {
    /// A key that goes down or up.
    public struct Action: Sendable, Hashable {
        /// The key code of the kernel (`linux/input-event-codes.h`).
        public var key: UInt16
        /// Whether it goes down.
        public var isDown: Bool

        /// A key that goes down or up.
        public init(key: UInt16, isDown: Bool) {
            self.key = key
            self.isDown = isDown
        }
    }

    /// What GS (U+001D), which divides the fields of GS1, becomes.
    public enum Separator: Sendable, Hashable {
        /// Control and `]`, as scan guns type it.
        case control
        /// Nothing.
        case none
        /// A key, such as F8.
        case key(UInt16)
        /// Another character.
        case character(Unicode.Scalar)
    }

    /// What becomes of control characters other than GS that a code holds: a line break would submit a form.
    public enum Controls: String, Sendable, CaseIterable {
        /// The text is not typed at all.
        case refuse
        /// A space is typed for each.
        case space
        /// A tab and a line break are typed as their keys, others as Control and a letter.
        case type
    }

    /// How characters are typed that the layout has no keys for.
    public enum Fallback: String, Sendable, CaseIterable {
        /// As GTK, Qt with IBus, and most browsers under Linux take them: Control, Shift and U, then the number.
        case unicode
        /// The text is not typed at all.
        case refuse
    }

    /// Why a text cannot be typed, a clause.
    public struct Untypable: Error, Sendable, Hashable, CustomStringConvertible {
        /// The clause.
        public let description: String
    }

    /// Keys of the kernel.
    private enum Key {
        static let tab: UInt16 = 15
        static let rightBracket: UInt16 = 27
        static let enter: UInt16 = 28
        static let leftControl: UInt16 = 29
        static let leftShift: UInt16 = 42
        static let rightAlt: UInt16 = 100
    }

    /// Keys that a message may be put between, by name.
    private static let named: [String: UInt16] = [
        "enter": Key.enter, "tab": Key.tab, "escape": 1, "space": 57, "home": 102, "end": 107, "up": 103, "down": 108,
        "left": 105, "right": 106,
    ]

    /// The names of the keys that a message may be put between, besides those of function keys.
    public static let keyNames = named.keys.sorted()

    /// The key of a name, such as `enter` or `f2`.
    public static func key(_ name: String) -> UInt16? { named[name] ?? KeyboardLayout.functionKey(name) }

    /// What GS becomes.
    public var separator = Separator.control
    /// What becomes of other control characters.
    public var controls = Controls.refuse
    /// How characters are typed that the layout lacks.
    public var fallback = Fallback.unicode

    private let tables: (plain: KeyTable, capital: KeyTable)

    /// Plans for a layout, which has to be that of the desktop.
    public init(_ layout: KeyboardLayout) {
        tables = (KeyTable(layout), KeyTable(layout, isCapital: true))
    }

    /// The actions that type a text.
    ///
    /// - Parameters:
    ///   - text: what is to stand there.
    ///   - isCapital: whether Caps Lock is on.
    public func actions(for text: String, isCapital: Bool = false) throws(Untypable) -> [Action] {
        let table = isCapital ? tables.capital : tables.plain
        var actions: [Action] = []
        for character in text.unicodeScalars {
            if character == "\u{1D}" {
                try separate(&actions, table)
            } else if character.value < 0x20 || character.value == 0x7F {
                try control(character, &actions, table)
            } else {
                try type(character, &actions, table)
            }
        }
        return actions
    }

    /// The actions that press a key alone.
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
                description: "it holds the control character U+00\(number.count < 2 ? "0" : "")\(number); set controls "
                    + "to space or type")
        case .space: try type(" ", &actions, table)
        case .type:
            switch character {
            case "\t": actions += Self.press(Key.tab)
            case "\n": actions += Self.press(Key.enter)
            // Before a line feed it is none of its own.
            case "\r": break
            default:
                guard let letter = Unicode.Scalar((character.value & 0x1F) + 0x60), let strokes = table[letter],
                    strokes.count == 1
                else { throw Untypable(description: "it holds a control character that no keys type") }
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
