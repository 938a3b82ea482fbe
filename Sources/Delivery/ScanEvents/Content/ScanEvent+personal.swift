public import SymbolContent

extension ScanEvent {
    /// The kind of what the message says, where a part of that is personal: about a person, or a secret.
    ///
    /// Nil also where the message is not there any more.
    public var personalContent: SymbolContent.Kind? {
        guard symbol.withheld == nil, let content = parsedContent, content.fields.contains(where: \.isPersonal) else {
            return nil
        }
        return content.kind
    }

    /// The event without its message where a part of that is personal, and as it is where none is.
    public func withholdingPersonal() -> ScanEvent {
        guard let kind = personalContent else { return self }
        var event = self
        event.symbol.withheld = kind.rawValue
        event.symbol.text = ""
        event.symbol.bytes = []
        event.symbol.addOn = nil
        event.symbol.composite = nil
        event.content = nil
        return event
    }
}

extension ScannedSymbol {
    /// The text, or of a personal message what kind it is, for what is kept longer than the message.
    package var textOrPersonalKind: String {
        if let withheld { return withheld }
        return ScanEvent(station: "", source: .blank, symbol: self).personalContent?.rawValue ?? text
    }
}
