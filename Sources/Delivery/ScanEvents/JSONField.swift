package import FoundationEssentials

/// A field of a JSON document, by its path.
package enum JSONField {
    /// The field's value as text; `nil` if the data is not JSON or lacks the field.
    ///
    /// - Parameter path: steps separated by dots, such as `results.0.status`.
    package static func text(at path: String, in data: Data) -> String? {
        let steps = path.split(separator: ".").map(String.init)
        return (try? JSONDecoder().decode(JSONValue.self, from: data))?.value(at: steps)?.inText
    }
}
