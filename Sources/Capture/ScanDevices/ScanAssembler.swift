/// Assembles the bytes of a device into messages, for any connection.
///
/// A pure state machine: times come in with the input, and ``deadline`` says when to call ``advance(to:)``.
struct ScanAssembler: Sendable {
    /// The silence after which the next byte counts as the beginning of a message.
    ///
    /// It is longer than the pause of scanners between two characters, unless they are set to a longer one.
    static let quietTime: Duration = .milliseconds(150)

    private let framing: ScanFraming
    private var bytes: [UInt8] = []
    /// The number of bytes since the last terminator, including bytes that were not kept.
    private var length = 0
    private var lastTime: Duration = .zero
    /// The reason to discard the current message; `nil` if it is valid so far.
    private var fault: DiscardReason?

    init(_ framing: ScanFraming) {
        self.framing = framing
    }

    /// The time of the next call of ``advance(to:)``; `nil` while nothing is pending.
    var deadline: Duration? {
        guard length > 0 || fault != nil else { return nil }
        if isJoining { return lastTime + Self.quietTime }
        return switch framing.end {
        case .terminator(let time), .pause(let time): lastTime + time
        }
    }

    /// Indicates whether no byte has come since ``join(at:)``, and ``quietTime`` has not passed.
    private var isJoining: Bool { length == 0 && fault == .begunBefore }

    /// Indicates whether the next byte is the beginning of a message.
    var isReady: Bool { fault != .begunBefore }

    /// Says that the device may be in the middle of a message.
    ///
    /// Its rest is discarded, unless the device is silent for ``quietTime``.
    mutating func join(at time: Duration) {
        lastTime = time
        length = 0
        fault = .begunBefore
        bytes = []
    }

    /// Adds a byte to the message.
    mutating func append(_ byte: UInt8, at time: Duration) {
        lastTime = time
        length &+= 1
        guard fault == nil else { return }
        // Leaves room for the prefix, the suffix and the symbology identifier.
        guard bytes.count < framing.maximumLength + framing.prefix.count + framing.suffix.count + 3 else {
            bytes = []
            fault = .tooLong
            return
        }
        bytes.append(byte)
    }

    /// Says that input was lost, so that the current message is discarded at its end.
    mutating func loseInput(at time: Duration) {
        lastTime = time
        fault = .lostInput
        bytes = []
    }

    /// Ends the message; `nil` if it is empty, as between CR and LF.
    mutating func end(at time: Duration) -> FramedScan? {
        lastTime = time
        return finish(unless: nil)
    }

    /// Advances the time, and returns a message that ends with it.
    mutating func advance(to time: Duration) -> FramedScan? {
        guard let deadline, time >= deadline else { return nil }
        if isJoining {
            fault = nil
            return nil
        }
        if case .pause = framing.end { return finish(unless: nil) }
        return finish(unless: .withoutEnd)
    }

    /// Ends the input, because the connection ended.
    mutating func disconnect() -> FramedScan? { finish(unless: .disconnected) }

    /// Returns the message, or the reason why it is discarded.
    private mutating func finish(unless reason: DiscardReason?) -> FramedScan? {
        defer {
            bytes = []
            length = 0
            fault = nil
        }
        // Only the terminator of an earlier message may have come.
        if isJoining { return nil }
        if let fault { return .discarded(fault, length: length) }
        guard length > 0 else { return nil }
        if let reason { return .discarded(reason, length: length) }
        guard bytes.starts(with: framing.prefix),
            bytes.count >= framing.prefix.count + framing.suffix.count,
            bytes.suffix(framing.suffix.count).elementsEqual(framing.suffix)
        else { return .discarded(.withoutFrame, length: length) }
        var message = bytes.dropFirst(framing.prefix.count).dropLast(framing.suffix.count)
        var identifier: String?
        if framing.hasIdentifier {
            guard let parsed = SymbologyIdentifier(message) else {
                return .discarded(.withoutIdentifier, length: length)
            }
            identifier = parsed.text
            message = message.dropFirst(3)
        }
        guard message.count <= framing.maximumLength else { return .discarded(.tooLong, length: length) }
        return .scan(DeviceScan(bytes: Array(message), symbologyIdentifier: identifier))
    }
}

/// The three characters with which a device names a symbology: `]`, a letter and a modifier (ISO/IEC 15424, 5.2).
struct SymbologyIdentifier: Sendable, Hashable {
    /// All three, such as `]C1`.
    let text: String

    /// Parses the identifier at the beginning of a message; `nil` if there is none.
    init?(_ message: some Sequence<UInt8>) {
        let bytes = Array(message.prefix(3))
        guard bytes.count == 3, bytes[0] == UInt8(ascii: "]"), Character(Unicode.Scalar(bytes[1])).isLetter,
            bytes[1] < 0x80, Self.isModifier(bytes[2])
        else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    private static func isModifier(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
