extension String {
    /// The text in UTF-8, with every byte percent-encoded except the unreserved characters of RFC 3986.
    package var percentEncoded: String {
        utf8.map { byte in
            byte.isUnreserved
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// The text in quotation marks, with those within it doubled, as in CSV and SQL.
    ///
    /// By scalars, because a quotation mark and a combining mark behind it are one `Character`.
    package var inQuotationMarks: String {
        let doubled = unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }

    /// Indicates whether the text has a control character, such as a line break.
    package var hasControlCharacters: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension UInt8 {
    /// Indicates whether the byte is an unreserved character of RFC 3986.
    fileprivate var isUnreserved: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
