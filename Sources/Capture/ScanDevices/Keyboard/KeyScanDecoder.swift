/// Decodes the key presses of a scanner in keyboard mode into messages.
///
/// A pure state machine for one device that nobody else types on; it does not tell a scanner from a person by
/// typing speed.
public struct KeyScanDecoder: Sendable {
    private let layout: KeyboardLayout
    /// Keys that stand for GS (0x1D), such as F8, if the scanner is set up so.
    private let separatorKeys: Set<UInt16>
    private var assembler: ScanAssembler
    private var pressed: Set<UInt16> = []
    private var isCapital = false
    /// A dead key that waits for its letter.
    private var mark: Unicode.Scalar?
    /// The keypad digits that were typed while Alt was held; `nil` if Alt is not held.
    private var altDigits: String?

    /// The names of keys that may stand for GS, in lower case.
    public static let separatorKeyNames = Set(KeyCode.functionKeys.keys)

    /// Creates a decoder with no key pressed.
    ///
    /// - Parameters:
    ///   - layout: the layout that the scanner is set to.
    ///   - framing: the terminator, prefix and suffix of its messages; prefix and suffix are UTF-8.
    ///   - separatorKeys: names of function keys (`f8`) that stand for GS; unknown names are ignored.
    public init(layout: KeyboardLayout = .us, framing: ScanFraming = ScanFraming(), separatorKeys: [String] = []) {
        self.layout = layout
        self.separatorKeys = Set(separatorKeys.compactMap { KeyCode.functionKeys[$0.lowercased()] })
        assembler = ScanAssembler(framing)
    }

    /// The time of the next call of ``advance(to:)``; `nil` while nothing is pending.
    public var deadline: Duration? { assembler.deadline }

    /// Indicates whether the next input is the beginning of a message.
    public var isReady: Bool { assembler.isReady }

    /// Says that the device may be in the middle of a message.
    ///
    /// Its rest is discarded, unless the device is silent for 150 ms.
    public mutating func join(at time: Duration) { assembler.join(at: time) }

    /// Advances the time, and returns a message that ends with it.
    public mutating func advance(to time: Duration) -> FramedScan? {
        // A dead key at the end of a message that ends with a pause counts as typed now, so the message ends after
        // another pause.
        if let deadline, time >= deadline { typePendingMark(at: time) }
        return assembler.advance(to: time)
    }

    /// Says that the kernel lost events (`SYN_DROPPED`), so that the set of held keys is no longer known.
    public mutating func loseInput(at time: Duration) {
        releaseAll()
        assembler.loseInput(at: time)
    }

    /// Ends the input, because the connection ended.
    public mutating func disconnect() -> FramedScan? {
        releaseAll()
        isCapital = false
        return assembler.disconnect()
    }

    /// Handles a key event, and returns the message that it completes.
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

    /// Handles a key that types a character.
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
                // One more than a character can have is invalid already.
                if (altDigits?.unicodeScalars.count ?? 0) <= 8 { altDigits?.unicodeScalars.append(character) }
            } else {
                append(character, at: event.time)
            }
            return
        }
        // Control and Alt together stand for AltGr on keyboards without that key.
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

    /// Returns the control character that a key types with Control; for example, GS is Control and `]`.
    ///
    /// If the layout has no such character on the key, the key of the US layout counts, because a scanner that is
    /// set to another country may mean its position: the second key right of P has `]` on a US keyboard.
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

    /// Types a character, combined with a pending dead key.
    private mutating func append(_ character: Unicode.Scalar, at time: Duration) {
        guard let waiting = mark else { return write(character, at: time) }
        mark = nil
        if let composed = KeyboardLayout.compose(waiting, character) { return write(composed, at: time) }
        if let alone = KeyboardLayout.compose(waiting, " ") { write(alone, at: time) }
        write(character, at: time)
    }

    /// Types a pending dead key that gets no letter.
    private mutating func typePendingMark(at time: Duration) {
        guard let waiting = mark else { return }
        mark = nil
        if let alone = KeyboardLayout.compose(waiting, " ") { write(alone, at: time) }
    }

    private mutating func write(_ character: Unicode.Scalar, at time: Duration) {
        for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter { assembler.append(byte, at: time) }
    }

    /// Types the character of an Alt code.
    ///
    /// As in Windows: a leading zero means Windows-1252, no leading zero code page 437. Numbers below 32 are
    /// control characters in both, since scanners send GS as 029 and as 29.
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
