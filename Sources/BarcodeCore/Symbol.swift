/// A symbol that was read: what it says, exactly, and where it is.
public struct Symbol: Sendable, Hashable {
    /// The kind of symbol.
    public var format: Symbology
    /// The AIM symbology identifier of ISO/IEC 15424, such as `]Q1`.
    public var symbologyIdentifier: String
    /// The message, byte for byte as the symbol holds it.
    ///
    /// For EAN, UPC and ISBN this is the data packet of the symbology identifier: the number in its full form of 13
    /// digits (8 for EAN-8), then the digits of an add-on.
    public var bytes: [UInt8]
    /// The message as text, which is ``bytes`` decoded by ``charset``.
    ///
    /// For an EAN or UPC these are the digits as they are printed, without an add-on: 12 for
    /// UPC-A, and for UPC-E the 12 that its 8 stand for.
    public var text: String
    /// The character set that ``text`` was decoded by, and how it was chosen.
    public var charset: Charset
    /// The two or five digits of an EAN or UPC add-on, where one stands beside the symbol.
    public var addOn: String?
    /// The four corners, in pixels of the stored picture.
    public var corners: Quadrilateral
    /// How far the symbol is turned clockwise in the stored picture, in degrees from 0 up to 360; nil where unknown.
    public var orientation: Double?
    /// How many independent scans agreed, as the reader counts them; larger is better, and 1 is the least.
    public var quality: Int
    /// Whether the symbol is light on dark.
    public var isInverted: Bool
    /// The symbol's place in a message that is spread over several; nil for a message of its own.
    public var structuredAppend: StructuredAppend?

    /// A symbol with all that is known of it.
    public init(
        format: Symbology, symbologyIdentifier: String, bytes: [UInt8], text: String, charset: Charset,
        addOn: String? = nil, corners: Quadrilateral, orientation: Double? = nil, quality: Int = 1,
        isInverted: Bool = false, structuredAppend: StructuredAppend? = nil
    ) {
        self.format = format
        self.symbologyIdentifier = symbologyIdentifier
        self.bytes = bytes
        self.text = text
        self.charset = charset
        self.addOn = addOn
        self.corners = corners
        self.orientation = orientation
        self.quality = quality
        self.isInverted = isInverted
        self.structuredAppend = structuredAppend
    }
}

/// A character set and the reason for it.
public struct Charset: Sendable, Hashable {
    /// The name in lower case as IANA registers it, such as `utf-8`, `gb18030`, `shift_jis`, `iso-8859-1`;
    /// `us-ascii` for plain ASCII, and `binary` for bytes that are no text (each becomes U+0000 to U+00FF).
    public var name: String
    /// How the character set was chosen.
    public var source: Source

    /// The character set `name`, chosen by `source`.
    public init(name: String, source: Source) {
        self.name = name
        self.source = source
    }

    /// How a character set was chosen.
    public struct Source: RawRepresentable, Sendable, Hashable {
        /// A short name of the reason.
        public let rawValue: String

        /// The reason of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The symbology has no other: a linear code is ASCII.
        public static let symbology = Source(rawValue: "symbology")
        /// The symbol names it with an ECI header.
        public static let eci = Source(rawValue: "eci")
        /// The bytes are valid in it, and would hardly be so by chance: UTF-8, or ASCII.
        public static let validity = Source(rawValue: "validity")
        /// Part of the message is in QR's Kanji mode, which is Shift_JIS.
        public static let kanjiMode = Source(rawValue: "kanji_mode")
        /// What the bytes look like: the likeliest of several that they are valid in.
        public static let evidence = Source(rawValue: "evidence")
    }
}

/// The place of a symbol in a message that is spread over several symbols.
public struct StructuredAppend: Sendable, Hashable {
    /// The place, counted from 0.
    public var index: Int
    /// How many symbols hold the message, 2 to 16 for QR; nil where unknown.
    public var count: Int?
    /// What the symbols of one message share: for QR the XOR of all bytes of the whole message.
    public var parity: UInt8?

    /// The place `index` of `count`.
    public init(index: Int, count: Int?, parity: UInt8?) {
        self.index = index
        self.count = count
        self.parity = parity
    }
}
