/// A character set and the reason for it.
public struct Charset: Sendable, Hashable {
    /// The lowercase IANA name, such as `utf-8`, `gb18030`, `shift_jis` or `iso-8859-1`.
    ///
    /// `us-ascii` stands for plain ASCII, and `binary` for bytes that are not text (each becomes U+0000 to U+00FF).
    public var name: String
    /// The reason for the choice of the character set.
    public var source: Source

    /// Creates a character set with the reason for it.
    public init(name: String, source: Source) {
        self.name = name
        self.source = source
    }

    /// A reason for the choice of a character set.
    public struct Source: RawRepresentable, Sendable, Hashable {
        /// A short name of the reason.
        public let rawValue: String

        /// Creates a reason with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The symbology has no other: a linear barcode is ASCII.
        public static let symbology = Source(rawValue: "symbology")
        /// The symbol declares it with an ECI.
        public static let eci = Source(rawValue: "eci")
        /// The bytes are valid in it, which is unlikely by chance: UTF-8, or ASCII.
        public static let validity = Source(rawValue: "validity")
        /// A part of the message is in QR's Kanji mode, which is Shift_JIS.
        public static let kanjiMode = Source(rawValue: "kanji_mode")
        /// The statistics of the bytes: the likeliest of the character sets in which they are valid.
        public static let evidence = Source(rawValue: "evidence")
    }
}
