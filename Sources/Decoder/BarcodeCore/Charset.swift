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
