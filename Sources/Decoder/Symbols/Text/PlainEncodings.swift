internal import BarcodeCore

/// The encodings recognized by their form alone: ASCII, UTF-8, and encodings with a byte order mark.
enum PlainEncodings {
    /// Decodes bytes that are valid in one of them; `nil` if there is none.
    static func decode(_ bytes: ArraySlice<UInt8>) -> TextDecoder.Result? {
        if let text = ascii(bytes) { return result(text, "us-ascii") }
        if let text = utf8(bytes), !isLikelyChinese(text, bytes) { return result(text, "utf-8") }
        return wide(bytes)
    }

    /// Returns the text if each byte is below 0x80, including NUL and control characters; else `nil`.
    static func ascii(_ bytes: ArraySlice<UInt8>) -> String? {
        bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Returns the text without a byte order mark; `nil` if the bytes are not UTF-8.
    static func utf8(_ bytes: ArraySlice<UInt8>) -> String? {
        String(validating: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes, as: UTF8.self)
    }

    /// Returns the text as ISO-8859-1: each byte is the character with its number.
    static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
        String(bytes.lazy.map { Unicode.Scalar($0) })
    }

    private static func wide(_ bytes: ArraySlice<UInt8>) -> TextDecoder.Result? {
        // UTF-32 first: its little-endian mark begins with that of UTF-16.
        let marks: [(mark: [UInt8], converter: String, name: String)] = [
            ([0xFF, 0xFE, 0, 0], "UTF-32LE", "utf-32"), ([0, 0, 0xFE, 0xFF], "UTF-32BE", "utf-32"),
            ([0xFF, 0xFE], "UTF-16LE", "utf-16"), ([0xFE, 0xFF], "UTF-16BE", "utf-16"),
        ]
        for (mark, converter, name) in marks where bytes.starts(with: mark) && bytes.count > mark.count {
            if let text = CharacterEncoding(name, converter: converter).decode(bytes) { return result(text, name) }
        }
        return nil
    }

    private static func result(_ text: String, _ name: String) -> TextDecoder.Result {
        TextDecoder.Result(text: text, charset: Charset(name: name, source: .validity))
    }

    /// Indicates whether text that is valid UTF-8 is more likely a Chinese name.
    ///
    /// One in six characters of running Chinese in GB 2312 is valid UTF-8 by chance: the four bytes of the name Xie
    /// Wei (U+8C22 U+4F1F) are also a Cyrillic and a Greek letter, those of Wei Wei (U+9B4F U+4F1F) two Greek ones.
    /// A few characters of two bytes each without a Latin letter beside them are therefore left to
    /// ``CharsetEvidence`` in two cases: their scripts do not go together, or there are just two and the first is a
    /// Chinese family name.
    private static func isLikelyChinese(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        let scalars = text.unicodeScalars
        let high = scalars.filter { !$0.isASCII }
        guard high.count <= 6, high.allSatisfy({ $0.value < 0x800 }) else { return false }
        if zip(scalars, scalars.dropFirst()).contains(where: { isJoint($0, $1) || isJoint($1, $0) }) { return false }
        let pairs = bytes.filter { $0 >= 0x80 }
        // Level 1 of GB 2312, which has all but the rarest characters.
        for index in stride(from: 0, to: pairs.count, by: 2) {
            guard (0xB0...0xD7).contains(pairs[index]), pairs[index + 1] >= 0xA1 else { return false }
        }
        let scripts = Set(high.map(\.script))
        if scripts.count > 1 || scripts.contains(nil) { return true }
        let family = CharacterEncoding.gb18030.scalars(pairs.prefix(2))?.first
        return high.count == 2 && family.map(Set.chineseFamilyNames.contains) == true
    }

    private static func isJoint(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        first.isASCIILetter && !second.isASCII
    }
}

extension Unicode.Scalar {
    /// True for A to Z and a to z.
    var isASCIILetter: Bool { isASCII && (0x41...0x5A).contains(value & ~0x20) }

    /// The approximate script of a letter below U+0800; `nil` for one that seldom occurs without Latin letters.
    fileprivate var script: Int? {
        switch value {
        case 0xA0...0x17F: 1
        case 0x370...0x3FF: 2
        case 0x400...0x52F: 3
        case 0x530...0x58F: 4
        case 0x590...0x5FF: 5
        case 0x600...0x77F: 6
        default: nil
        }
    }
}
