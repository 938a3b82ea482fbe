internal import BarcodeCore
internal import FoundationEssentials

extension ScanEvent {
    /// The descriptions of the fields of an event.
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
        .object(
            SchemaNode.object(of: fieldDescriptions)
                + [("description", .text("See docs/reference/scan-event.schema.json."))])
    }

    /// The column names of a table of events.
    package static let columnNames = columns.map(\.name)

    /// Returns the cells of the named columns.
    ///
    /// A name that begins with `content.` is a field of the parsed content.
    package func cells(_ names: [String]) -> [String] {
        let content = names.contains { $0.hasPrefix(Self.contentColumn) } ? parsedContent : nil
        return names.map { name in
            if let text = Self.table[name] { return text(self) }
            guard let content, let path = try? Self.contentPath(name) else { return "" }
            return path.text(in: content) ?? ""
        }
    }

    /// Validates a column name.
    ///
    /// - Throws: ``SyntaxError`` if there is no such column.
    package static func checkColumn(_ name: String) throws(SyntaxError) {
        guard table[name] == nil else { return }
        guard name.hasPrefix(contentColumn) else {
            throw SyntaxError(
                "\"\(name)\" is not a column; the columns are \(columnNames.joined(separator: ", ")) and "
                    + "content.KIND.FIELD"
            )
        }
        _ = try contentPath(name)
    }

    private static let contentColumn = "content."

    private static func contentPath(_ name: String) throws(SyntaxError) -> ContentPath {
        try ContentPath(name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().map(String.init))
    }

    private static let table = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.text) })
}

extension Encodable {
    /// The value as JSON with sorted keys, in one line without a line feed.
    func jsonBytes() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Data(PrintableJSON.escaped([UInt8](try encoder.encode(self))))
    }
}
