/// A character set: its registered name and its decoding method.
struct CharacterEncoding: Sendable, Hashable {
    /// The IANA name in lowercase.
    let name: String
    /// The method of decoding.
    let method: Method

    /// A method of decoding bytes.
    enum Method: Sendable, Hashable {
        /// ASCII: only bytes below 0x80.
        case ascii
        /// ISO 8859-1: each byte is the character with its number.
        case latin1
        /// UTF-8.
        case utf8
        /// The iconv converter with that name.
        case converter(String)
    }

    /// Creates a set that iconv converts, from its registered name and its name in iconv.
    init(_ name: String, converter: String) {
        self.init(name, .converter(converter))
    }

    init(_ name: String, _ method: Method) {
        self.name = name
        self.method = method
    }

    /// Shift_JIS as Windows and phones write it.
    ///
    /// iconv's `SHIFT_JIS` would convert the backslash to a yen sign and the tilde to an overline, and lacks the
    /// characters of NEC and IBM, such as circled digits.
    static let shiftJIS = CharacterEncoding("shift_jis", converter: "CP932")
    /// GB18030, which includes GBK and GB 2312.
    static let gb18030 = CharacterEncoding("gb18030", converter: "GB18030")
    /// Big5 with the extensions of ETEN, including the euro sign.
    static let big5 = CharacterEncoding("big5", converter: "BIG5")
    /// EUC-KR with the extensions of Windows code page 949, which has all syllables instead of 2,350.
    static let eucKR = CharacterEncoding("euc-kr", converter: "UHC")

    /// True if every character takes two or four bytes, including ASCII.
    var isWide: Bool { name.hasPrefix("utf-16") || name.hasPrefix("utf-32") }

    /// Returns the text; `nil` if a byte is invalid or the system lacks the converter.
    ///
    /// A byte order mark at the beginning of UTF-8, UTF-16 or UTF-32 is not part of the text.
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

    /// Returns the characters of a set that iconv converts; `nil` as above, and for any other set.
    func scalars(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        guard case .converter(let name) = method, let converter = CharacterConverter(from: name) else { return nil }
        return converter.convert(bytes)
    }
}

extension String {
    /// Creates a text from characters.
    init(_ scalars: some Sequence<Unicode.Scalar>) {
        self.init()
        unicodeScalars.append(contentsOf: scalars)
    }
}
