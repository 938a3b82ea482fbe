/// The Extended Channel Interpretations (ECI): the numbers by which a symbol specifies a character set.
///
/// Source: AIM's "Extended Channel Interpretations: Part 3, Register", as used by ISO/IEC 18004 and its readers.
enum ECI {
    /// The number of Shift_JIS.
    static let shiftJIS = 20

    /// Returns the character set of a number; `nil` if it is unknown or not supported.
    static func encoding(_ number: Int) -> CharacterEncoding? {
        switch number {
        case 0, 2: CharacterEncoding("ibm437", converter: "IBM437")
        case 1, 3: CharacterEncoding("iso-8859-1", .latin1)
        // The numbers are those of the parts of ISO 8859 plus two. There is no part 12, and so no ECI 14.
        case 4...13, 15...18: CharacterEncoding("iso-8859-\(number - 2)", converter: "ISO-8859-\(number - 2)")
        case shiftJIS: .shiftJIS
        case 21: CharacterEncoding("windows-1250", converter: "CP1250")
        case 22: CharacterEncoding("windows-1251", converter: "CP1251")
        case 23: CharacterEncoding("windows-1252", converter: "CP1252")
        case 24: CharacterEncoding("windows-1256", converter: "CP1256")
        case 25: CharacterEncoding("utf-16be", converter: "UTF-16BE")
        case 26: CharacterEncoding("utf-8", .utf8)
        // 170 is the part of ASCII common to all national variants; a message with other characters is still ASCII.
        case 27, 170: CharacterEncoding("us-ascii", .ascii)
        case 28: .big5
        // GB 2312: encoders also use its number for its successors.
        case 29, 32: .gb18030
        case 30: .eucKR
        case 31: CharacterEncoding("gbk", converter: "GBK")
        case 33: CharacterEncoding("utf-16le", converter: "UTF-16LE")
        case 34: CharacterEncoding("utf-32be", converter: "UTF-32BE")
        case 35: CharacterEncoding("utf-32le", converter: "UTF-32LE")
        case 899: CharacterEncoding("binary", .latin1)
        default: nil
        }
    }
}
