internal import BarcodeCore

extension ScannedSymbol {
    /// Creates a symbol from the output of a scanner with its own decoder.
    ///
    /// The text is the message in UTF-8, or in ISO-8859-1 if it is not valid UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: the message, byte for byte.
    ///   - identifier: the symbology identifier (ISO/IEC 15424) that the scanner sent, such as `]C1`; `nil` if it sent
    ///     none. The symbology is `unknown` then.
    public init(scanned bytes: [UInt8], symbologyIdentifier identifier: String?) {
        let utf8 = String(validating: bytes, as: UTF8.self)
        let latin = { String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }
        self.init(
            symbology: identifier.flatMap { Self.symbology(of: $0, bytes) } ?? Symbology(rawValue: "unknown"),
            text: utf8 ?? latin(), bytes: bytes, symbologyIdentifier: identifier,
            charset: utf8 == nil ? "iso-8859-1" : "utf-8")
    }

    /// The symbology of an identifier (ISO/IEC 15424, annex A); `nil` if there is none in ``SymbologyTraits/all``.
    ///
    /// Symbologies that share a letter are distinguished by the modifier; otherwise the first of them is returned.
    /// Some share both and are distinguished by the message: a message with only a GTIN is a GS1 DataBar, or an
    /// ITF-14.
    private static func symbology(of identifier: String, _ bytes: [UInt8]) -> Symbology? {
        guard identifier.utf8.count == 3 else { return nil }
        if identifier == "]e0", bytes.count != 16 || !bytes.starts(with: [0x30, 0x31]) { return .dataBarExpanded }
        if identifier == "]I1", bytes.count != 14 { return .itf }
        return symbologies[identifier] ?? symbologies[String(identifier.prefix(2))]
    }

    /// The first symbology of each identifier, and of each two-character prefix of an identifier.
    private static let symbologies: [String: Symbology] = {
        let corner = Point(x: 0, y: 0)
        let corners = Quadrilateral(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        let named = SymbologyTraits.all.flatMap { row in
            [nil, 0].flatMap { modifier in
                let identifier = row.symbologyIdentifier(
                    Reading(symbology: row.symbology, bytes: [], corners: corners, modifier: modifier))
                return [(identifier, row.symbology), (String(identifier.prefix(2)), row.symbology)]
            }
        }
        // `]X` stands for every symbology without a letter of its own.
        return Dictionary(named.filter { !$0.0.hasPrefix("]X") }, uniquingKeysWith: { first, _ in first })
    }()
}
