/// The characters of Alt codes, which are numbers typed on the keypad while Alt is held.
enum AltCode {
    /// Returns the character of a number of at least 128, in Windows-1252 or code page 437.
    static func character(_ number: UInt8, isANSI: Bool) -> Unicode.Scalar {
        if isANSI { return number < 0xA0 ? windows1252[Int(number) - 0x80] : Unicode.Scalar(number) }
        return codePage437[Int(number) - 0x80]
    }

    /// 0x80 to 0x9F of Windows-1252; from 0xA0 it equals Latin-1.
    ///
    /// Undefined numbers map to the control characters of Latin-1.
    private static let windows1252: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
        "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]

    /// 0x80 to 0xFF of code page 437, from the table of IBM and Unicode (CP437.TXT).
    private static let codePage437 = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ\
        áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
        └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
        αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """.unicodeScalars)
}
