extension Unicode.Scalar {
    /// Indicates whether a terminal, a log or a web page would interpret the character instead of showing it.
    ///
    /// These are control characters, line and paragraph separators, bidirectional controls, and the characters without
    /// a form of their own (Unicode's Default_Ignorable_Code_Point, and fillers that are blank), with which one text can
    /// pass for another. The joiners U+200C and U+200D and the variation selectors U+FE00 to U+FE0F and of Mongolian are
    /// excluded: Persian, Indic scripts, Mongolian and emoji need them.
    public var isHidden: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E, 0x200B,
            0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB,
            0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }
}

extension String {
    /// The text on one line, safe for a terminal or a log: hidden characters are escaped as in `\u{1b}`.
    public var printable: String { printable { _ in false } }

    /// The text, safe for a terminal, with its line feeds and tabs.
    public var printableLines: String { printable { $0 == "\n" || $0 == "\t" } }

    private func printable(keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: { $0.isHidden && !isKept($0) }) else { return self }
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isHidden && !isKept(scalar) {
                shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }
}

/// Escapes hidden characters in JSON.
public enum PrintableJSON {
    /// Returns equivalent JSON in which each hidden character beyond ASCII, and U+007F, is escaped as in `\u009b`.
    ///
    /// JSON has such characters only in strings, and encoders escape the others.
    public static func escaped(_ json: [UInt8]) -> [UInt8] {
        // The first UTF-8 bytes of hidden characters: most JSON has none of them, and is returned as it is.
        let leading: Set<UInt8> = [0x7F, 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3]
        guard json.contains(where: { $0 >= 0x7F && leading.contains($0) }) else { return json }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(json.count + 64)
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if scalar.value >= 0x7F && scalar.isHidden {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    escaped += Array("\\u".utf8) + Array(repeating: 0x30, count: 4 - digits.count) + Array(digits.utf8)
                }
            } else {
                escaped += UTF8.encode(scalar)!
            }
        }
        return escaped
    }
}
