public import BarcodeCore
public import SymbolContent

/// The parsed content of a symbol's message, as in JSON.
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

    /// The decoded content.
    package var content: SymbolContent {
        SymbolContent(
            SymbolContent.Kind(rawValue: kind),
            fields.map {
                SymbolContent.Field(
                    $0.name, $0.value, label: $0.label, meaning: $0.meaning, isPersonal: $0.personal ?? false)
            })
    }

    /// Creates the record of a content.
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
    /// Parses the message; `nil` for plain text.
    ///
    /// - Parameters:
    ///   - currentYear: the year of the scan, which resolves two-digit years.
    ///   - keys: the keys to check a signature with; `nil` to check none.
    public func content(currentYear: Int, keys: SigningKeys? = nil) -> SymbolContent? {
        SymbolContent.parse(
            ContentMessage(
                text: text, bytes: bytes, isGS1: isGS1, symbology: symbology.rawValue, currentYear: currentYear,
                composite: composite?.bytes), keys: keys)
    }
}
