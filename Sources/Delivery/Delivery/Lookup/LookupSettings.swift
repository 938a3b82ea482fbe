internal import ScanEvents

/// The configuration of lookups: the section `lookup`.
public struct LookupSettings: Sendable {
    /// The default timeout of a lookup.
    public static let standardTimeout: Duration = .seconds(1)

    /// The keys of the section.
    public static let keys: [String: ConfigurationSchema.Form] = [
        "url": .scalar, "text": .scalar, "goodField": .scalar, "imageField": .scalar,
        "timeoutSeconds": .scalar, "headers": .list, "headerFiles": .list, "userFile": .scalar, "passwordFile": .scalar,
        "tokenFile": .scalar,
        "certificateAuthorities": .scalar, "allowPrivateAddress": .scalar, "address": .scalar, "formats": .list,
        "textMatches": .scalar, "contentMatches": .list,
    ]

    let receiver: HTTPReceiver
    let exchange: HTTPExchange
    let text: JSONTemplate
    /// The field and its value in the answer for a good code; `nil` if answers are neither good nor bad.
    let goodField: HTTPAcceptance.Field?
    /// The field of the answer with the address of a picture; `nil` for no pictures.
    let imageField: String?
    var timeout: Duration
    /// The codes that are looked up.
    let filter: EventFilter

    /// Reads the section `lookup`; `nil` if it is missing or invalid.
    ///
    /// Problems are reported.
    public init?(_ all: inout ConfigurationValues) {
        let section = "lookup"
        guard Self.keys.keys.contains(where: { [all] in all.isSet("\(section).\($0)") }) else { return nil }
        filter = all.filter(section + ".")
        var values = DestinationValues(section: section, of: all)
        defer { all = values.values }
        let receiver = values.receiver()
        var exchange = values.exchange(with: receiver)
        exchange.method = "GET"
        if let url = receiver?.url, !url.contains("{{") {
            values.report(
                "url", "has no placeholder for the code, as in https://stock.example/items/{{symbol.text}}")
        }
        goodField = values.field("goodField", example: "allowed=true")
        imageField = values.value("imageField", "the name of a field, such as image or results.0.image") { text in
            JSONField.isPath(text) ? text : nil
        }
        timeout =
            values.number("timeoutSeconds", 0.1...10).map { .milliseconds(Int64($0 * 1000)) }
            ?? Self.standardTimeout
        let text = Self.template(&values)
        guard let receiver, let text else { return nil }
        (self.receiver, self.exchange, self.text) = (receiver, exchange, text)
    }

    private static func template(_ values: inout DestinationValues) -> JSONTemplate? {
        guard let text = values.text("text") else {
            values.report("text", "is missing: name the fields of the answer to show, such as {{name}}")
            return nil
        }
        do throws(SyntaxError) {
            return try JSONTemplate(text)
        } catch {
            values.report("text", error.description)
            return nil
        }
    }
}
