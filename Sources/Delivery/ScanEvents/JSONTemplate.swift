package import FoundationEssentials

/// A text with placeholders such as `{{results.0.name}}` for the fields of a JSON document.
package struct JSONTemplate: Sendable, Hashable {
    private let placeholders: Placeholders

    /// Parses a template.
    ///
    /// - Throws: ``SyntaxError`` if the text has no placeholder, or a placeholder is not closed or names no field.
    package init(_ text: String) throws(SyntaxError) {
        placeholders = try Placeholders(text) { path throws(SyntaxError) in
            if path.contains("") { throw SyntaxError("the template has a placeholder without a field in \"\(text)\"") }
        }
        if placeholders.paths.isEmpty {
            throw SyntaxError("\"\(text)\" has no placeholder for a field of the answer, such as {{name}}")
        }
    }

    /// The text for a JSON document.
    ///
    /// - Throws: ``SyntaxError`` if the data is not JSON, or lacks one of the fields or has `null` for it.
    package func text(in data: Data) throws(SyntaxError) -> String {
        guard let json = try? JSONDecoder().decode(JSONValue.self, from: data) else {
            throw SyntaxError("the answer is not JSON")
        }
        var result = ""
        for part in placeholders.parts {
            switch part {
            case .text(let text): result += text
            case .field(let path):
                guard let value = json.value(at: path), value != .null else {
                    throw SyntaxError("the answer has no field \"\(path.joined(separator: "."))\"")
                }
                result += value.inText
            }
        }
        return result
    }
}
