/// Puts together the messages of a device, byte by byte, whatever its connection.
///
/// A pure state machine: times come in with what happened, and ``deadline`` says when to call ``advance(to:)``.
struct ScanAssembler: Sendable {
    /// How long nothing comes before what comes is the beginning of a message.
    ///
    /// Longer than guns pause between two characters unless they are set to more.
    static let quietTime: Duration = .milliseconds(150)

    private let framing: ScanFraming
    private var bytes: [UInt8] = []
    /// How many bytes have come since the last end, also those that were not kept.
    private var length = 0
    private var lastTime: Duration = .zero
    /// Why what has come since the last end will be discarded; nil where it will not.
    private var fault: DiscardReason?

    init(_ framing: ScanFraming) {
        self.framing = framing
    }

    /// When ``advance(to:)`` has something to say; nil while nothing waits.
    var deadline: Duration? {
        guard length > 0 || fault != nil else { return nil }
        if isJoining { return lastTime + Self.quietTime }
        return switch framing.end {
        case .terminator(let time), .pause(let time): lastTime + time
        }
    }

    /// Whether nothing has come since ``join(at:)``, and not for long enough.
    private var isJoining: Bool { length == 0 && fault == .begunBefore }

    /// Whether what comes next is no rest of a message whose beginning was not heard.
    var isReady: Bool { fault != .begunBefore }

    /// Says that the device may be amid a message, whose beginning was not heard: its rest is discarded, unless it is
    /// silent for ``quietTime``.
    mutating func join(at time: Duration) {
        lastTime = time
        length = 0
        fault = .begunBefore
        bytes = []
    }

    /// Takes a byte of a message.
    mutating func append(_ byte: UInt8, at time: Duration) {
        lastTime = time
        length &+= 1
        guard fault == nil else { return }
        // What is around the message may be there besides.
        guard bytes.count < framing.maximumLength + framing.prefix.count + framing.suffix.count + 3 else {
            bytes = []
            fault = .tooLong
            return
        }
        bytes.append(byte)
    }

    /// Says that part of the input was lost; what has come of a message is discarded at its end.
    mutating func loseInput(at time: Duration) {
        lastTime = time
        fault = .lostInput
        bytes = []
    }

    /// Takes the end of a message; nil where there was none, as between CR and LF.
    mutating func end(at time: Duration) -> FramedScan? {
        lastTime = time
        return finish(unless: nil)
    }

    /// Takes that time has passed.
    mutating func advance(to time: Duration) -> FramedScan? {
        guard let deadline, time >= deadline else { return nil }
        if isJoining {
            fault = nil
            return nil
        }
        if case .pause = framing.end { return finish(unless: nil) }
        return finish(unless: .withoutEnd)
    }

    /// Takes the end of the connection.
    mutating func disconnect() -> FramedScan? { finish(unless: .disconnected) }

    /// Makes a scan of what has come, or says why it is none.
    private mutating func finish(unless reason: DiscardReason?) -> FramedScan? {
        defer {
            bytes = []
            length = 0
            fault = nil
        }
        // Its last end may be all that was heard of a message.
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

/// The three characters by which a device names a symbology: `]`, a letter and a modifier (ISO/IEC 15424, 5.2).
struct SymbologyIdentifier: Sendable, Hashable {
    /// All three, such as `]C1`.
    let text: String

    /// The identifier at the beginning of a message; nil where there is none.
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
