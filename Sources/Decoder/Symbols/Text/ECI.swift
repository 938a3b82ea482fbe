/// The Extended Channel Interpretations: the numbers by which a symbol names a character set.
///
/// Source: AIM's "Extended Channel Interpretations: Part 3, Register", as ISO/IEC 18004 and its readers use it.
enum ECI {
    /// The number of Shift_JIS.
    static let shiftJIS = 20

    /// The character set that a number stands for; nil where it stands for none that can be decoded.
    static func encoding(_ number: Int) -> CharacterEncoding? {
        switch number {
        case 0, 2: CharacterEncoding("ibm437", converter: "IBM437")
        case 1, 3: CharacterEncoding("iso-8859-1", .latin1)
        // The numbers run parallel to the parts of ISO 8859, by two apart. There is no part 12, and so no ECI 14.
        case 4...13, 15...18: CharacterEncoding("iso-8859-\(number - 2)", converter: "ISO-8859-\(number - 2)")
        case shiftJIS: .shiftJIS
        case 21: CharacterEncoding("windows-1250", converter: "CP1250")
        case 22: CharacterEncoding("windows-1251", converter: "CP1251")
        case 23: CharacterEncoding("windows-1252", converter: "CP1252")
        case 24: CharacterEncoding("windows-1256", converter: "CP1256")
        case 25: CharacterEncoding("utf-16be", converter: "UTF-16BE")
        case 26: CharacterEncoding("utf-8", .utf8)
        // 170 is the part of ASCII that all national variants share; a message that strays from it is still ASCII.
        case 27, 170: CharacterEncoding("us-ascii", .ascii)
        case 28: .big5
        // GB 2312: encoders put its successors under its number.
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
