package import FoundationEssentials

/// A field of a JSON document, by its path.
package enum JSONField {
    /// The field's value as text; `nil` if the data is not JSON or lacks the field.
    ///
    /// - Parameter path: steps separated by dots, such as `results.0.status`.
    package static func text(at path: String, in data: Data) -> String? { value(at: path, in: data)?.inText }

    /// The field's value if it is a string; `nil` otherwise.
    package static func string(at path: String, in data: Data) -> String? {
        guard case .string(let text) = value(at: path, in: data) else { return nil }
        return text
    }

    /// Indicates whether a path may name a field: steps that are not empty, without the braces of a template.
    package static func isPath(_ path: String) -> Bool {
        path.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { step in
            !step.isEmpty && !step.contains(where: "{}=".contains)
        }
    }

    private static func value(at path: String, in data: Data) -> JSONValue? {
        let steps = path.split(separator: ".").map(String.init)
        return (try? JSONDecoder().decode(JSONValue.self, from: data))?.value(at: steps)
    }
}
