/// How the message of a scan stands in what a device sends: what is around it, and how long it may be.
public struct ScanFraming: Sendable, Hashable {
    /// The most bytes of a message where nothing else is said: a QR symbol holds 7,089 digits.
    public static let maximumLength = 8192

    /// What comes before each message and is no part of it.
    public var prefix: [UInt8]
    /// What comes after each message, before its end, and is no part of it.
    public var suffix: [UInt8]
    /// How a message ends.
    public var end: End
    /// The most bytes of a message; a longer one is discarded up to its end.
    public var maximumLength: Int
    /// Whether each message begins with its symbology identifier (`]C1`, ISO/IEC 15424), which is no part of it.
    public var hasIdentifier: Bool

    /// How a message ends.
    public enum End: Sendable, Hashable {
        /// By Enter or Tab, or by CR or LF. What has no end after so long is discarded: a part of a code is not a code.
        case terminator(giveUpAfter: Duration)
        /// By a pause: only for a device that cannot be set to send a terminator, since a pause amid a code cuts it in
        /// two.
        case pause(Duration)

        /// By a terminator that comes within three seconds of the last character.
        public static let terminator = End.terminator(giveUpAfter: .seconds(3))
    }

    /// How a message stands in what a device sends.
    public init(
        prefix: [UInt8] = [], suffix: [UInt8] = [], end: End = .terminator, maximumLength: Int = maximumLength,
        hasIdentifier: Bool = false
    ) {
        self.prefix = prefix
        self.suffix = suffix
        self.end = end
        self.maximumLength = maximumLength
        self.hasIdentifier = hasIdentifier
    }
}

/// What a device has read.
public struct DeviceScan: Sendable, Hashable {
    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The symbology identifier (ISO/IEC 15424), such as `]C1`; nil where the device does not tell it.
    public var symbologyIdentifier: String?

    /// What a device has read.
    public init(bytes: [UInt8], symbologyIdentifier: String? = nil) {
        self.bytes = bytes
        self.symbologyIdentifier = symbologyIdentifier
    }
}

/// What came out of what a device sent.
public enum FramedScan: Sendable, Hashable {
    /// A whole message.
    case scan(DeviceScan)
    /// Something that is no whole message, and was discarded.
    case discarded(DiscardReason, length: Int)
}

/// Why something that a device sent was discarded.
public enum DiscardReason: Sendable, Hashable {
    /// It was longer than a message may be.
    case tooLong
    /// Its end did not come.
    case withoutEnd
    /// The configured prefix or suffix was not there.
    case withoutFrame
    /// The symbology identifier that was to come first was not there.
    case withoutIdentifier
    /// The kernel lost part of it, or part of it arrived damaged.
    case lostInput
    /// The device was unplugged, or its connection broke, amid it.
    case disconnected
    /// The device was sending it already when it was connected, so that its beginning is not known.
    case begunBefore
    /// It had fewer bytes than what is configured to be read of it.
    case tooShort

    /// What an operator does about it, as a sentence.
    public var explanation: String {
        switch self {
        case .tooLong: "It was longer than a message may be, as if no end had been sent."
        case .withoutEnd:
            "Its end (Enter, Tab, CR or LF) did not come in time. Set the device to send one, or configure `end: pause`."
        case .withoutFrame: "The configured prefix or suffix was missing."
        case .withoutIdentifier: "It did not begin with a symbology identifier, which `identifiers: true` asks for."
        case .lostInput: "Part of it was lost or arrived damaged. Scan the code again; check cable, speed and parity."
        case .begunBefore: "It had begun before the device was connected. Scan the code again."
        case .tooShort: "It had too few bytes for what is to be read of it: check `offset` and `format`."
        case .disconnected: "The connection ended within it. Scan the code again."
        }
    }
}
