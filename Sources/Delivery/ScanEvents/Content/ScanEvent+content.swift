internal import BarcodeCore
public import SymbolContent

extension ScanEvent {
    /// The parsed content of the message: ``content``, or the result of parsing it now; `nil` for plain text.
    ///
    /// Two-digit years are taken to be near the year of ``time``, so that the result never changes.
    /// A checked signature adds its fields.
    public var parsedContent: SymbolContent? { content ?? SymbolContent.parse(contentMessage)?.adding(signature) }

    private var contentMessage: ContentMessage {
        ContentMessage(
            text: symbol.text, bytes: symbol.bytes, isGS1: symbol.isGS1, symbology: symbol.symbology.rawValue,
            currentYear: Int(time.rfc3339.prefix(4)) ?? 2026, composite: symbol.composite?.bytes)
    }

    /// The event with the result of a check of its signature; unchanged if there are no keys.
    package func checkingSignature(_ keys: SigningKeys?) -> ScanEvent {
        guard let keys else { return self }
        var event = self
        event.signature = SymbolContent.checkSignature(of: contentMessage, keys: keys)
        return event
    }

    /// The event with its parsed content.
    package func withContent() -> ScanEvent {
        var event = self
        event.content = parsedContent
        return event
    }
}

extension ScannedSymbol {
    /// Indicates whether the message consists of GS1 element strings, by its symbology or its symbology identifier.
    ///
    /// The identifiers are those of the GS1 General Specifications, figure 5.1.2-2, and the ones of the same symbologies
    /// with ECIs, and of Aztec Code.
    var isGS1: Bool {
        symbology.traits.isGS1 || symbologyIdentifier.map(Self.identifiersOfGS1.contains) ?? false
    }

    private static let identifiersOfGS1: Set<String> = [
        "]C1", "]d2", "]d5", "]Q3", "]Q4", "]J1", "]J4", "]L3", "]z1", "]z4", "]z7", "]zA",
    ]
}
