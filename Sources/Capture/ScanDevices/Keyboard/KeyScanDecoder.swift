/// Makes messages of the keys that a scan gun presses.
///
/// A pure state machine for one device, which nobody else types on: no keys are told from a person's by their speed.
public struct KeyScanDecoder: Sendable {
    private let layout: KeyboardLayout
    /// Keys that mean GS (0x1D), such as F8, where a gun is set so.
    private let separatorKeys: Set<UInt16>
    private var assembler: ScanAssembler
    private var pressed: Set<UInt16> = []
    private var isCapital = false
    /// A mark that waits for its letter.
    private var mark: Unicode.Scalar?
    /// The digits that were pressed on the keypad while Alt was held; nil where Alt is not held alone.
    private var altDigits: String?

    /// The names of keys that may mean GS, in lower case.
    public static let separatorKeyNames = Set(KeyCode.functionKeys.keys)

    /// A decoder with no key pressed.
    ///
    /// - Parameters:
    ///   - layout: the layout that the gun is set to.
    ///   - framing: how its messages end, and what is around them; prefix and suffix are UTF-8.
    ///   - separatorKeys: names of function keys (`f8`) that mean GS; a name that is none is left out.
    public init(layout: KeyboardLayout = .us, framing: ScanFraming = ScanFraming(), separatorKeys: [String] = []) {
        self.layout = layout
        self.separatorKeys = Set(separatorKeys.compactMap { KeyCode.functionKeys[$0.lowercased()] })
        assembler = ScanAssembler(framing)
    }

    /// When ``advance(to:)`` has something to say; nil while nothing waits.
    public var deadline: Duration? { assembler.deadline }

    /// Whether what comes next is no rest of a message whose beginning was not heard.
    public var isReady: Bool { assembler.isReady }

    /// Says that the device may be amid a message, whose beginning was not heard: its rest is discarded, unless it is
    /// silent for a moment.
    public mutating func join(at time: Duration) { assembler.join(at: time) }

    /// Takes that time has passed.
    public mutating func advance(to time: Duration) -> FramedScan? {
        // A mark at the end of a message that ends by a pause: typed now, it ends after one more pause.
        if let deadline, time >= deadline { typePendingMark(at: time) }
        return assembler.advance(to: time)
    }

    /// Says that the kernel lost events (`SYN_DROPPED`): which keys are held is no longer known.
    public mutating func loseInput(at time: Duration) {
        releaseAll()
        assembler.loseInput(at: time)
    }

    /// Takes the end of the connection.
    public mutating func disconnect() -> FramedScan? {
        releaseAll()
        isCapital = false
        return assembler.disconnect()
    }

    /// Takes a key; returns the message that it ended.
    public mutating func handle(_ event: KeyEvent) -> FramedScan? {
        switch event.action {
        case .repeated: return nil
        case .released:
            pressed.remove(event.key)
            if event.key == KeyCode.leftAlt { typeAltCode(at: event.time) }
            return nil
        case .pressed: break
        }
        pressed.insert(event.key)
        switch event.key {
        case KeyCode.leftShift, KeyCode.rightShift, KeyCode.leftControl, KeyCode.rightControl, KeyCode.rightAlt:
            return nil
        case KeyCode.leftAlt:
            altDigits = ""
            return nil
        case KeyCode.capsLock:
            isCapital.toggle()
            return nil
        case KeyCode.enter, KeyCode.keypadEnter, KeyCode.tab:
            typePendingMark(at: event.time)
            return assembler.end(at: event.time)
        default:
            type(event)
            return nil
        }
    }

    private mutating func releaseAll() {
        pressed = []
        mark = nil
        altDigits = nil
    }

    private func isHeld(_ keys: UInt16...) -> Bool { keys.contains { pressed.contains($0) } }

    /// Takes a key that types something.
    private mutating func type(_ event: KeyEvent) {
        if separatorKeys.contains(event.key) {
            typePendingMark(at: event.time)
            assembler.append(0x1D, at: event.time)
            return
        }
        let isControl = isHeld(KeyCode.leftControl, KeyCode.rightControl)
        let isAlt = isHeld(KeyCode.leftAlt)
        if let character = KeyCode.keypad[event.key] {
            if isAlt, !isControl, character.properties.numericType != nil {
                altDigits?.unicodeScalars.append(character)
            } else {
                append(character, at: event.time)
            }
            return
        }
        // Control and Alt together are AltGr where a keyboard has no such key.
        let isAltGr = isHeld(KeyCode.rightAlt) || isControl && isAlt
        let isShifted = isHeld(KeyCode.leftShift, KeyCode.rightShift)
        if isControl, !isAlt {
            if let control = control(of: event.key, isShifted: isShifted, isAltGr: isAltGr) {
                typePendingMark(at: event.time)
                assembler.append(control, at: event.time)
            }
            return
        }
        switch layout.output(of: event.key, isShifted: isShifted, isAltGr: isAltGr, isCapital: isCapital) {
        case .character(let character): append(character, at: event.time)
        case .mark(let next):
            typePendingMark(at: event.time)
            mark = next
        case nil: break
        }
    }

    /// The control character of a key that is pressed with Control: GS is Control and `]`.
    ///
    /// Where the layout has no such character on the key, the position counts, as a gun means it that is set to
    /// another country: the key right of P has `]` on an American keyboard.
    private func control(of key: UInt16, isShifted: Bool, isAltGr: Bool) -> UInt8? {
        let layouts = [
            layout.output(of: key, isShifted: isShifted, isAltGr: isAltGr, isCapital: false),
            KeyboardLayout.us.output(of: key, isShifted: isShifted, isAltGr: false, isCapital: false),
        ]
        for case .character(let character) in layouts {
            let value = character.properties.uppercaseMapping.unicodeScalars.first?.value ?? 0
            if (0x40...0x5F).contains(value) { return UInt8(value) & 0x1F }
        }
        return nil
    }

    /// Types a character, onto which a mark goes that waits for it.
    private mutating func append(_ character: Unicode.Scalar, at time: Duration) {
        guard let waiting = mark else { return write(character, at: time) }
        mark = nil
        if let composed = KeyboardLayout.compose(waiting, character) { return write(composed, at: time) }
        if let alone = KeyboardLayout.compose(waiting, " ") { write(alone, at: time) }
        write(character, at: time)
    }

    /// Types a mark that waits for a letter which does not come.
    private mutating func typePendingMark(at time: Duration) {
        guard let waiting = mark else { return }
        mark = nil
        if let alone = KeyboardLayout.compose(waiting, " ") { write(alone, at: time) }
    }

    private mutating func write(_ character: Unicode.Scalar, at time: Duration) {
        for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter { assembler.append(byte, at: time) }
    }

    /// Types the character whose number was entered on the keypad while Alt was held.
    ///
    /// As Windows has it: with a zero in front a number of Windows-1252, without one of code page 437. Numbers below 32
    /// are control characters in both, since guns send GS as 029 and 29 alike.
    private mutating func typeAltCode(at time: Duration) {
        defer { altDigits = nil }
        guard let digits = altDigits, !digits.isEmpty, digits.utf8.count <= 8, let number = UInt32(digits) else {
            return
        }
        typePendingMark(at: time)
        switch number {
        case 1..<0x80: assembler.append(UInt8(number), at: time)
        case 0x80...0xFF:
            write(AltCode.character(UInt8(number), isANSI: digits.hasPrefix("0")), at: time)
        default: if let character = Unicode.Scalar(number), number > 0 { write(character, at: time) }
        }
    }
}
