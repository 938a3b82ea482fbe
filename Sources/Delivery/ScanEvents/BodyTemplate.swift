internal import FoundationEssentials

/// A JSON template of the receiver's own shape, with placeholders such as `{{symbol.text}}` for the fields of an
/// event.
///
/// A string that consists of one placeholder becomes the field's value with its type; a placeholder within a longer
/// string becomes text. A missing field is null, or empty within a text.
public struct BodyTemplate: Sendable, Hashable {
    private let shape: JSONValue
    /// Indicates whether a placeholder refers to the parsed content of the message.
    private let needsContent: Bool

    /// Parses a template.
    ///
    /// - Throws: ``SyntaxError`` if the text is not JSON, a placeholder is not closed, or its field does not exist.
    public init(_ text: String) throws(SyntaxError) {
        guard let shape = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
            throw SyntaxError(
                "the template is not JSON; quote placeholders, as in {\"code\": \"{{symbol.text}}\"}")
        }
        self.shape = shape
        needsContent = try Self.needsContent(shape)
    }

    /// Indicates whether a placeholder refers to the parsed content.
    ///
    /// Each must refer to a field that an event can have.
    private static func needsContent(_ value: JSONValue) throws(SyntaxError) -> Bool {
        var needsContent = false
        switch value {
        case .string(let text): needsContent = try Placeholders(text).needContent
        case .array(let values): for value in values where try Self.needsContent(value) { needsContent = true }
        case .object(let values): for value in values.values where try Self.needsContent(value) { needsContent = true }
        default: break
        }
        return needsContent
    }

    /// Creates the body for an event.
    func body(for event: ScanEvent) throws -> Data {
        let source = try Placeholders.Source(needsContent ? event.withContent() : event)
        return try Self.fill(shape, from: source).jsonBytes()
    }

    private static func fill(_ value: JSONValue, from source: Placeholders.Source) throws -> JSONValue {
        switch value {
        case .string(let text):
            let parts = try Placeholders(text).parts
            if parts.count == 1, case .field(let path) = parts[0] { return source.field(path) }
            return .string(
                parts.map { part in
                    switch part {
                    case .text(let text): text
                    case .field(let path): source.field(path).inText
                    }
                }.joined())
        case .array(let values): return .array(try values.map { try fill($0, from: source) })
        case .object(let values): return .object(try values.mapValues { try fill($0, from: source) })
        default: return value
        }
    }
}
