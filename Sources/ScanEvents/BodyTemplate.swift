internal import FoundationEssentials

/// JSON of the receiver's own shape, in which `{{symbol.text}}` and the like stand for the fields of an event.
///
/// A string that is nothing but one placeholder becomes the field's value with its type; a placeholder within a longer
/// string becomes text. A field that the event lacks is null, or nothing within a text.
public struct BodyTemplate: Sendable, Hashable {
    private let shape: JSONValue

    /// The template that a text of JSON spells.
    ///
    /// - Throws: ``SyntaxError``, when the text is no JSON, a placeholder does not end, or its field cannot be.
    public init(_ text: String) throws(SyntaxError) {
        guard let shape = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
            throw SyntaxError(
                "the template is not JSON; quote placeholders, as in {\"code\": \"{{symbol.text}}\"}")
        }
        self.shape = shape
        try Self.check(shape)
    }

    /// The fields that an event can have, by the first steps of their paths.
    private static let fields: [String: Set<String>] = Dictionary(
        uniqueKeysWithValues: ScanEvent.fieldDescriptions.map { ($0.name, Set($0.shape.fields.map(\.name))) } + [
            ("event", [])
        ])

    private static func check(_ value: JSONValue) throws(SyntaxError) {
        switch value {
        case .string(let text):
            for part in try parts(of: text) {
                guard case .field(let path) = part else { continue }
                let known = path.first.flatMap { fields[$0] }
                if known == nil || (path.count > 1 && !(known?.contains(path[1]) ?? false)) {
                    let field = path.joined(separator: ".")
                    throw SyntaxError("the template names the field \"\(field)\", which no event has")
                }
            }
        case .array(let values): for value in values { try check(value) }
        case .object(let values): for (_, value) in values { try check(value) }
        default: break
        }
    }

    private enum Part {
        case text(String)
        case field([String])
    }

    private static func parts(of text: String) throws(SyntaxError) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{{") {
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
                throw SyntaxError("the template has \"{{\" without \"}}\" in \"\(text)\"")
            }
            if start.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<start.lowerBound]))) }
            let path = rest[start.upperBound..<end.lowerBound].split(separator: ".", omittingEmptySubsequences: false)
            parts.append(.field(path.map { $0.trimmingPrefix(while: \.isWhitespace).description.trimmedEnd }))
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return parts
    }

    /// The body for an event that is given as JSON.
    func body(for event: JSONValue) throws -> Data {
        try Self.fill(shape, from: event).jsonBytes()
    }

    private static func fill(_ value: JSONValue, from event: JSONValue) throws -> JSONValue {
        switch value {
        case .string(let text):
            let parts = try parts(of: text)
            if parts.count == 1, case .field(let path) = parts[0] { return field(path, of: event) }
            return .string(
                parts.map { part in
                    switch part {
                    case .text(let text): text
                    case .field(let path): field(path, of: event).inText
                    }
                }.joined())
        case .array(let values): return .array(try values.map { try fill($0, from: event) })
        case .object(let values): return .object(try values.mapValues { try fill($0, from: event) })
        default: return value
        }
    }

    private static func field(_ path: [String], of event: JSONValue) -> JSONValue {
        path == ["event"] ? event : event.value(at: path) ?? .null
    }
}

extension String {
    /// The text without white space at its end.
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
