/// The framing of the messages of a scanner: prefix, suffix, terminator and maximum length.
public struct ScanFraming: Sendable, Hashable {
    /// The default for the longest message in bytes; a QR Code holds 7,089 digits.
    public static let maximumLength = 8192

    /// The bytes before each message, which are not a part of it.
    public var prefix: [UInt8]
    /// The bytes after each message and before its terminator, which are not a part of it.
    public var suffix: [UInt8]
    /// The end of a message.
    public var end: End
    /// The longest message in bytes; a longer one is discarded up to its end.
    public var maximumLength: Int
    /// Indicates whether each message begins with a symbology identifier (`]C1`, ISO/IEC 15424), which is not a
    /// part of it.
    public var hasIdentifier: Bool

    /// The end of a message.
    public enum End: Sendable, Hashable {
        /// Enter or Tab, or CR or LF. Without a terminator within this time the input is discarded, since a partial
        /// code is not a code.
        case terminator(giveUpAfter: Duration)
        /// A pause; only for a device that cannot be set to send a terminator, since a pause within a code splits
        /// it.
        case pause(Duration)

        /// A terminator that comes within three seconds of the last character.
        public static let terminator = End.terminator(giveUpAfter: .seconds(3))
    }

    /// Creates a framing.
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

/// A scan of a device.
public struct DeviceScan: Sendable, Hashable {
    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The symbology identifier (ISO/IEC 15424), such as `]C1`; `nil` if the device does not send it.
    public var symbologyIdentifier: String?

    /// Creates a scan.
    public init(bytes: [UInt8], symbologyIdentifier: String? = nil) {
        self.bytes = bytes
        self.symbologyIdentifier = symbologyIdentifier
    }
}

/// A message of a device, or discarded input.
public enum FramedScan: Sendable, Hashable {
    /// A complete message.
    case scan(DeviceScan)
    /// Input that is not a complete message; `length` is in bytes.
    case discarded(DiscardReason, length: Int)
}

/// A reason why input of a device was discarded.
public enum DiscardReason: Sendable, Hashable {
    /// It was longer than the longest message.
    case tooLong
    /// Its terminator did not come.
    case withoutEnd
    /// The configured prefix or suffix was missing.
    case withoutFrame
    /// The symbology identifier was missing.
    case withoutIdentifier
    /// The kernel lost a part of it, or a part was damaged.
    case lostInput
    /// The device was disconnected in the middle of it.
    case disconnected
    /// It began before the device was connected, so that its beginning is not known.
    case begunBefore
    /// It had fewer bytes than the configured format needs.
    case tooShort

    /// The problem and the remedy, as a sentence.
    public var explanation: String {
        switch self {
        case .tooLong: "It was longer than the limit for a message; its end was probably not sent."
        case .withoutEnd:
            "Its end (Enter, Tab, CR or LF) did not come in time. Set the device to send one, or configure `end: pause`."
        case .withoutFrame: "The configured prefix or suffix was missing."
        case .withoutIdentifier: "It did not begin with a symbology identifier, which `identifiers: true` requires."
        case .lostInput:
            "Part of it was lost or arrived damaged. Scan the code again; check the cable, the speed and the parity."
        case .begunBefore: "It began before the device was connected. Scan the code again."
        case .tooShort: "It was too short for the configured number: check `offset` and `format`."
        case .disconnected: "The connection ended in the middle of it. Scan the code again."
        }
    }
}
