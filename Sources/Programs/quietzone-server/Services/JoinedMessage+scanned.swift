import BarcodeCore
import BarcodeDecoding
import ScanEvents

extension JoinedMessage {
    /// Joins scanned symbols to the symbol of their whole message; `nil` if one is missing or they contradict each
    /// other.
    static func joined(_ parts: [ScannedSymbol]) -> ScannedSymbol? {
        let messages = join(parts.map(Symbol.init(part:)))
        guard messages.count == 1, let text = messages[0].text, let bytes = messages[0].bytes else { return nil }
        var whole = ScannedSymbol(
            symbology: messages[0].symbology, text: text, bytes: bytes,
            symbologyIdentifier: parts.first?.symbologyIdentifier, charset: messages[0].charset?.name)
        // Each of its parts must be right.
        let confidences = parts.compactMap(\.confidence)
        if confidences.count == parts.count { whole.confidence = confidences.reduce(1, *) }
        return whole
    }
}

extension Symbol {
    /// Creates the symbol of a part, with all that its message is joined by.
    fileprivate init(part symbol: ScannedSymbol) {
        let origin = Point(x: 0, y: 0)
        self.init(
            symbology: symbol.symbology, symbologyIdentifier: symbol.symbologyIdentifier ?? "", bytes: symbol.bytes,
            text: symbol.text,
            charset: Charset(
                name: symbol.charset ?? "",
                source: Charset.Source(rawValue: symbol.structuredAppend?.charsetSource ?? "")),
            corners: symbol.corners
                ?? Quadrilateral(topLeft: origin, topRight: origin, bottomRight: origin, bottomLeft: origin))
        structuredAppend = symbol.structuredAppend.map {
            StructuredAppend(
                index: $0.index, count: $0.count, parity: $0.parity.flatMap(UInt8.init(exactly:)),
                identifier: $0.identifier)
        }
    }
}
