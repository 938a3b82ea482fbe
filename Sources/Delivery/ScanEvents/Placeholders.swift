internal import FoundationEssentials
internal import SymbolContent

/// A text with placeholders such as `{{symbol.text}}`, each of which refers to a field.
struct Placeholders: Sendable, Hashable {
    /// A piece of the text.
    enum Part: Sendable, Hashable {
        case text(String)
        /// A placeholder, as the steps of its path.
        case field([String])
    }

    let parts: [Part]

    /// The paths of the placeholders.
    var paths: [[String]] {
        parts.compactMap { if case .field(let path) = $0 { path } else { nil } }
    }

    /// Indicates whether a placeholder refers to the parsed content.
    var needContent: Bool { paths.contains { $0.first == "content" } }

    /// Parses a text with placeholders.
    ///
    /// - Parameter check: throws if a field does not exist; by default, if an event cannot have it.
    /// - Throws: ``SyntaxError`` if a placeholder is not closed, or the error of `check`.
    init(
        _ text: String, check: ([String]) throws(SyntaxError) -> Void = Placeholders.checkEventField
    ) throws(SyntaxError) {
        var parts: [Part] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{{") {
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
                throw SyntaxError("the template has \"{{\" without \"}}\" in \"\(text)\"")
            }
            if start.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<start.lowerBound]))) }
            let path = rest[start.upperBound..<end.lowerBound].split(separator: ".", omittingEmptySubsequences: false)
                .map { $0.trimmingPrefix(while: \.isWhitespace).description.trimmedEnd }
            try check(path)
            parts.append(.field(path))
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// The fields that an event can have, by the first step of their paths.
    private static let fields: [String: Set<String>] = Dictionary(
        uniqueKeysWithValues: ScanEvent.fieldDescriptions.map { ($0.name, Set($0.shape.fields.map(\.name))) } + [
            ("event", [])
        ])

    private static func checkEventField(_ path: [String]) throws(SyntaxError) {
        guard let known = path.first.flatMap({ fields[$0] }) else { throw unknown(path) }
        guard path.count > 1, !known.contains(path[1]) else { return }
        guard path[0] == "content" else { throw unknown(path) }
        _ = try ContentPath(Array(path.dropFirst()))
    }

    private static func unknown(_ path: [String]) -> SyntaxError {
        SyntaxError("the template has the field \"\(path.joined(separator: "."))\", which does not exist")
    }

    /// The values for placeholders.
    struct Source {
        private let json: JSONValue
        private let content: SymbolContent?

        /// Creates a source from an event.
        ///
        /// Its ``ScanEvent/content`` must be set if a placeholder needs it.
        init(_ event: ScanEvent) throws {
            json = try JSONDecoder().decode(JSONValue.self, from: event.jsonBytes())
            content = event.content
        }

        /// The value of a field; JSON null if the event lacks it.
        func field(_ path: [String]) -> JSONValue {
            if path == ["event"] { return json }
            if let value = json.value(at: path) { return value }
            guard path.first == "content", let content,
                let text = (try? ContentPath(Array(path.dropFirst())))?.text(in: content)
            else { return .null }
            return .string(text)
        }
    }
}

/// A text with placeholders such as `{{symbol.text}}` for the fields of an event.
public struct TextTemplate: Sendable, Hashable {
    private let placeholders: Placeholders

    /// Parses a template.
    ///
    /// - Throws: ``SyntaxError`` if a placeholder is not closed or its field does not exist.
    public init(_ text: String) throws(SyntaxError) {
        placeholders = try Placeholders(text)
    }

    /// The paths of the placeholders, such as `symbol.text`.
    public var paths: [String] { placeholders.paths.map { $0.joined(separator: ".") } }

    /// The texts between the placeholders.
    public var literals: [String] {
        placeholders.parts.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    /// The text for an event; `nil` if the event lacks one of the fields or one is empty.
    ///
    /// - Parameters:
    ///   - event: the event that provides the values.
    ///   - takesEmpty: if true, an existing field may be empty.
    ///   - adapt: transforms the text of each field before it is inserted.
    public func text(
        for event: ScanEvent, takesEmpty: Bool = false, adapting adapt: (String) -> String = { $0 }
    ) -> String? {
        guard let source = try? Placeholders.Source(placeholders.needContent ? event.withContent() : event) else {
            return nil
        }
        var result = ""
        for part in placeholders.parts {
            switch part {
            case .text(let text): result += text
            case .field(let path):
                let value = source.field(path)
                let text = value.inText
                if text.isEmpty && (!takesEmpty || value == .null) { return nil }
                result += adapt(text)
            }
        }
        return result
    }
}

extension String {
    /// The text without trailing white space.
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
