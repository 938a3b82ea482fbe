internal import FoundationEssentials

/// JSON of the receiver's own shape, in which `{{symbol.text}}` and the like stand for the fields of an event.
///
/// A string that is nothing but one placeholder becomes the field's value with its type; a placeholder within a longer
/// string becomes text. A field that the event lacks is null, or nothing within a text.
public struct BodyTemplate: Sendable, Hashable {
    private let shape: JSONValue
    /// Whether a placeholder names what the message says.
    private let needsContent: Bool

    /// The template that a text of JSON spells.
    ///
    /// - Throws: ``SyntaxError``, when the text is no JSON, a placeholder does not end, or its field cannot be.
    public init(_ text: String) throws(SyntaxError) {
        guard let shape = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
            throw SyntaxError(
                "the template is not JSON; quote placeholders, as in {\"code\": \"{{symbol.text}}\"}")
        }
        self.shape = shape
        needsContent = try Self.needsContent(shape)
    }

    /// Whether a placeholder of a value names what the message says; each of them names what an event can have.
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

    /// The body for an event.
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
