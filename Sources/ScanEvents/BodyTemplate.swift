internal import FoundationEssentials
internal import SymbolContent

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
        needsContent = try Self.paths(in: shape).contains { $0.first == "content" }
    }

    /// The fields that an event can have, by the first steps of their paths.
    private static let fields: [String: Set<String>] = Dictionary(
        uniqueKeysWithValues: ScanEvent.fieldDescriptions.map { ($0.name, Set($0.shape.fields.map(\.name))) } + [
            ("event", [])
        ])

    /// The paths of all placeholders, each of which an event can have.
    private static func paths(in value: JSONValue) throws(SyntaxError) -> [[String]] {
        var paths: [[String]] = []
        switch value {
        case .string(let text):
            for part in try parts(of: text) {
                guard case .field(let path) = part else { continue }
                try check(path)
                paths.append(path)
            }
        case .array(let values): for value in values { paths += try Self.paths(in: value) }
        case .object(let values): for (_, value) in values { paths += try Self.paths(in: value) }
        default: break
        }
        return paths
    }

    private static func check(_ path: [String]) throws(SyntaxError) {
        guard let known = path.first.flatMap({ fields[$0] }) else { throw unknown(path) }
        guard path.count > 1, !known.contains(path[1]) else { return }
        guard path[0] == "content" else { throw unknown(path) }
        _ = try ContentPath(Array(path.dropFirst()))
    }

    private static func unknown(_ path: [String]) -> SyntaxError {
        SyntaxError("the template names the field \"\(path.joined(separator: "."))\", which no event has")
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

    /// The body for an event.
    func body(for event: ScanEvent) throws -> Data {
        let event = needsContent ? event.withContent() : event
        let json = try JSONDecoder().decode(JSONValue.self, from: event.jsonBytes())
        return try Self.fill(shape, from: Source(json: json, content: event.content)).jsonBytes()
    }

    /// What placeholders are filled from.
    private struct Source {
        var json: JSONValue
        var content: SymbolContent?
    }

    private static func fill(_ value: JSONValue, from event: Source) throws -> JSONValue {
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

    private static func field(_ path: [String], of event: Source) -> JSONValue {
        if path == ["event"] { return event.json }
        if let value = event.json.value(at: path) { return value }
        guard path.first == "content", let content = event.content,
            let text = (try? ContentPath(Array(path.dropFirst())))?.text(in: content)
        else { return .null }
        return .string(text)
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
