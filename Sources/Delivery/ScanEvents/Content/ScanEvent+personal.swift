internal import SymbolContent

extension ScanEvent {
    /// The kind of a message that is treated as personal, because a part of it is about a person, or a secret.
    ///
    /// Of a symbol of a message over several it is `message_part`: alone it does not tell what the whole message says,
    /// which is an event of its own. `nil` also if the message has been removed.
    public var personalKind: String? {
        if symbol.withheld != nil { return nil }
        if symbol.structuredAppend != nil { return "message_part" }
        guard let content = parsedContent, content.fields.contains(where: \.isPersonal) else { return nil }
        return content.kind.rawValue
    }

    /// The event without its message if a part of it is personal, otherwise unchanged.
    public func withholdingPersonal() -> ScanEvent {
        guard let kind = personalKind else { return self }
        var event = self
        event.symbol.withheld = kind
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
        return ScanEvent(station: "", source: .blank, symbol: self).personalKind ?? text
    }
}
