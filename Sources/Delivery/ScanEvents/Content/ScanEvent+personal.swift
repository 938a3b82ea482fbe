public import SymbolContent

extension ScanEvent {
    /// The kind of content, if a part of it is personal: about a person, or a secret.
    ///
    /// `nil` also if the message has been removed.
    public var personalContent: SymbolContent.Kind? {
        guard symbol.withheld == nil, let content = parsedContent, content.fields.contains(where: \.isPersonal) else {
            return nil
        }
        return content.kind
    }

    /// The event without its message if a part of it is personal, otherwise unchanged.
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
    /// The text, or the kind of content of a personal message, for records that are kept longer than the message.
    package var textOrPersonalKind: String {
        if let withheld { return withheld }
        return ScanEvent(station: "", source: .blank, symbol: self).personalContent?.rawValue ?? text
    }
}
