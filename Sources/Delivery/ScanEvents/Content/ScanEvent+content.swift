internal import BarcodeCore
public import SymbolContent

extension ScanEvent {
    /// What the message says: ``content``, or what is parsed now; nil for plain text.
    ///
    /// Two digits of a year are taken to be near the year of ``time``, so that the answer never changes.
    public var parsedContent: SymbolContent? {
        content
            ?? SymbolContent.parse(
                ContentMessage(
                    text: symbol.text, bytes: symbol.bytes, isGS1: symbol.isGS1, symbology: symbol.symbology.rawValue,
                    currentYear: Int(time.rfc3339.prefix(4)) ?? 2026, composite: symbol.composite?.bytes))
    }

    /// The event with what its message says.
    package func withContent() -> ScanEvent {
        var event = self
        event.content = parsedContent
        return event
    }
}

extension ScannedSymbol {
    /// Whether the symbol says that its message is GS1 element strings: by its symbology or by its identifier, those of
    /// the GS1 General Specifications, figure 5.1.2-2.
    var isGS1: Bool {
        symbology.traits.isGS1 || symbologyIdentifier.map(Self.identifiersOfGS1.contains) ?? false
    }

    private static let identifiersOfGS1: Set<String> = ["]C1", "]d2", "]Q3", "]J1"]
}
