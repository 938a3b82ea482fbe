internal import BarcodeCore

extension ScannedSymbol {
    /// What a scanner with a decoder of its own has read.
    ///
    /// The text is the message in UTF-8, or in ISO-8859-1 where it is none.
    ///
    /// - Parameters:
    ///   - bytes: the message, byte for byte.
    ///   - identifier: the symbology identifier (ISO/IEC 15424) that the scanner tells, such as `]C1`; nil where it tells
    ///     none. The symbology is `unknown` then.
    public init(scanned bytes: [UInt8], symbologyIdentifier identifier: String?) {
        let utf8 = String(validating: bytes, as: UTF8.self)
        let latin = { String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }
        self.init(
            symbology: identifier.flatMap { Self.symbology(of: $0, bytes) } ?? Symbology(rawValue: "unknown"),
            text: utf8 ?? latin(), bytes: bytes, symbologyIdentifier: identifier,
            charset: utf8 == nil ? "iso-8859-1" : "utf-8")
    }

    /// The symbology that an identifier names (ISO/IEC 15424, annex A); nil where one letter is for several.
    private static func symbology(of identifier: String, _ bytes: [UInt8]) -> Symbology? {
        let characters = Array(identifier)
        guard characters.count == 3 else { return nil }
        return switch (characters[1], characters[2]) {
        case ("A", _): .code39
        case ("B", _): .telepen
        case ("C", _): .code128
        case ("d", _): .dataMatrix
        case ("E", "4"): .ean8
        case ("E", _): .ean13
        case ("e", "0"): bytes.count == 16 && bytes.starts(with: [0x30, 0x31]) ? .dataBar : .dataBarExpanded
        case ("F", _): .codabar
        case ("G", _): .code93
        case ("H", _): .code11
        case ("I", _): .itf
        case ("L", _): .pdf417
        case ("M", _): .msi
        case ("Q", _): .qrCode
        case ("U", _): .maxiCode
        case ("z", _): .aztec
        default: nil
        }
    }
}
