public import BarcodeCore
public import SymbolContent

/// What a symbol's message says, as it stands in JSON.
package struct ContentRecord: Codable {
    struct Field: Codable {
        var name: String
        var value: String
        var label: String?
        var meaning: String?
        var personal: Bool?
    }

    var kind: String
    var fields: [Field]

    /// The content again.
    package var content: SymbolContent {
        SymbolContent(
            SymbolContent.Kind(rawValue: kind),
            fields.map {
                SymbolContent.Field(
                    $0.name, $0.value, label: $0.label, meaning: $0.meaning, isPersonal: $0.personal ?? false)
            })
    }

    /// What is written of a content.
    package init(_ content: SymbolContent) {
        kind = content.kind.rawValue
        fields = content.fields.map { field in
            Field(
                name: field.name, value: field.value, label: field.label, meaning: field.meaning,
                personal: field.isPersonal ? true : nil)
        }
    }
}

extension Symbol {
    /// What the message says; nil for plain text.
    ///
    /// - Parameter currentYear: the year in which it is read, which two digits of a year are near to.
    public func content(currentYear: Int) -> SymbolContent? {
        SymbolContent.parse(
            ContentMessage(
                text: text, bytes: bytes, isGS1: isGS1, symbology: symbology.rawValue, currentYear: currentYear,
                composite: composite?.bytes))
    }
}
