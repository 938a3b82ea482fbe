/// A character set: its registered name and the way in which it is decoded.
struct CharacterEncoding: Sendable, Hashable {
    /// The name in lower case, as IANA registers it.
    let name: String
    /// How bytes become characters.
    let method: Method

    /// How bytes become characters.
    enum Method: Sendable, Hashable {
        /// Only the bytes below 0x80.
        case ascii
        /// Each byte is the character of its number.
        case latin1
        /// UTF-8.
        case utf8
        /// glibc's converter of that name.
        case converter(String)
    }

    /// A set that glibc converts, under its registered name and glibc's.
    init(_ name: String, converter: String) {
        self.init(name, .converter(converter))
    }

    init(_ name: String, _ method: Method) {
        self.name = name
        self.method = method
    }

    /// Shift_JIS as Windows and phones write it.
    ///
    /// glibc's `SHIFT_JIS` would turn the backslash into a yen sign and the tilde into an overline, and lacks the
    /// characters of NEC and IBM, such as circled digits.
    static let shiftJIS = CharacterEncoding("shift_jis", converter: "CP932")
    /// GB18030, of which GBK and GB 2312 are parts.
    static let gb18030 = CharacterEncoding("gb18030", converter: "GB18030")
    /// Big5 with the additions of ETEN, the euro sign among them.
    static let big5 = CharacterEncoding("big5", converter: "BIG5")
    /// EUC-KR with the additions of Windows' code page 949, which has all syllables and not only 2,350.
    static let eucKR = CharacterEncoding("euc-kr", converter: "UHC")

    /// Whether a character takes two or four bytes, ASCII too.
    var isWide: Bool { name.hasPrefix("utf-16") || name.hasPrefix("utf-32") }

    /// The text, or nil where a byte has no meaning in the set or the system lacks the converter.
    ///
    /// A byte order mark in front of UTF-8, UTF-16 or UTF-32 is no part of the text.
    func decode(_ bytes: ArraySlice<UInt8>) -> String? {
        switch method {
        case .ascii: return PlainEncodings.ascii(bytes)
        case .latin1: return PlainEncodings.latin1(bytes)
        case .utf8: return PlainEncodings.utf8(bytes)
        case .converter:
            guard let scalars = scalars(bytes) else { return nil }
            let start = name.hasPrefix("utf-") && scalars.first == "\u{FEFF}" ? 1 : 0
            return String(scalars.dropFirst(start))
        }
    }

    /// The characters of a set that glibc converts; nil as above, and for any other set.
    func scalars(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        guard case .converter(let name) = method, let converter = CharacterConverter(from: name) else { return nil }
        return converter.convert(bytes)
    }
}

extension String {
    /// A text of the given characters.
    init(_ scalars: some Sequence<Unicode.Scalar>) {
        self.init()
        unicodeScalars.append(contentsOf: scalars)
    }
}
