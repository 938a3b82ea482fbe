internal import BarcodeCore
internal import FoundationEssentials

extension ScanEvent {
    /// What is told of the fields of an event.
    package static var fieldDescriptions: [FieldDescription] { fields.all.map(\.description) }

    /// The JSON schema of an event.
    package static var jsonSchema: SchemaNode {
        .object(
            [
                ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
                ("title", .text("Quietzone scan event, schema \(schema)")),
            ] + SchemaNode.object(of: fieldDescriptions))
    }

    /// The schema of an event as a component of an OpenAPI description.
    package static var openAPISchema: SchemaNode {
        .object(SchemaNode.object(of: fieldDescriptions) + [("description", .text("See docs/scan-event.schema.json."))])
    }

    /// The names of the columns of a table of events.
    package static let columnNames = columns.map(\.name)

    /// The cells of the columns of these names.
    package func cells(_ names: [String]) -> [String] {
        names.map { name in Self.table[name].map { $0(self) } ?? "" }
    }

    private static let table = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.text) })
}

extension Encodable {
    /// The value as JSON in one line, keys sorted, without a line feed.
    func jsonBytes() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Data(PrintableJSON.escaped([UInt8](try encoder.encode(self))))
    }
}
