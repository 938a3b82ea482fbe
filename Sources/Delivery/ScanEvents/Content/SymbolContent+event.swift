internal import DecodeReports
internal import FoundationEssentials
public import SymbolContent

/// The JSON of content in an event is the same as in a report of `decode-image --content`.
extension SymbolContent: EventValue {
    static var shape: ValueShape {
        ValueShape(
            words: "object",
            schema: [],
            fields: [
                FieldDescription("kind", String.shape, isRequired: true, "the form of the message, see content.md"),
                FieldDescription(
                    "fields",
                    ValueShape(
                        words: "objects `name`, `value`, `label`, `meaning`, `personal`",
                        schema: [
                            ("type", .text("array")),
                            (
                                "items",
                                .object([
                                    ("type", .text("object")), ("required", .list([.text("name"), .text("value")])),
                                    (
                                        "properties",
                                        .object(
                                            ["name", "value", "label", "meaning"].map {
                                                ($0, .object([("type", .text("string"))]))
                                            } + [("personal", .object([("type", .text("boolean"))]))])
                                    ),
                                ])
                            ),
                        ]), isRequired: true, "its fields, in the order of the message"),
            ])
    }

    var coded: ContentRecord { ContentRecord(self) }

    init?(coded: ContentRecord) { self = coded.content }

    func write(to json: inout JSONBytes) throws { json.append(try coded.jsonBytes()) }
}
