/// The form of a value in JSON.
package struct ValueShape: Sendable {
    /// A description for people.
    package var words: String
    /// Its JSON schema, without nested fields.
    var schema: [(String, SchemaNode)]
    /// The fields of an object.
    package var fields: [FieldDescription] = []
}

/// The description of a field, from which documentation, JSON schema and templates are made.
package struct FieldDescription: Sendable {
    /// The name.
    package let name: String
    /// The form of its value.
    package let shape: ValueShape
    /// Indicates whether every object has it.
    package let isRequired: Bool
    /// The meaning of the field, in Markdown.
    package let meaning: String
    /// The regular expression that its text matches; `nil` for none.
    let pattern: String?

    init(
        _ name: String, _ shape: ValueShape, isRequired: Bool, _ meaning: String, pattern: String? = nil,
        column: String? = nil
    ) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.meaning = meaning
        self.pattern = pattern
    }

    var schema: SchemaNode {
        var members = shape.schema
        if let pattern { members.append(("pattern", .text(pattern))) }
        return .object(members.isEmpty ? SchemaNode.object(of: shape.fields) : members)
    }
}

/// JSON that preserves the order of its members, because people read schemas too.
package indirect enum SchemaNode: Sendable {
    case text(String)
    case integer(Int)
    case list([SchemaNode])
    case object([(String, SchemaNode)])

    /// The members of the schema of an object with these fields.
    static func object(of fields: [FieldDescription]) -> [(String, SchemaNode)] {
        [
            ("type", .text("object")),
            ("required", .list(fields.filter(\.isRequired).map { .text($0.name) })),
            ("properties", .object(fields.map { ($0.name, $0.schema) })),
        ]
    }

    /// Prints the JSON, one member a line.
    ///
    /// - Parameters:
    ///   - indent: the number of spaces by which each level is indented.
    ///   - level: the level of the line in which it begins.
    package func printed(indent: Int, level: Int = 0) -> String {
        let blanks = String(repeating: " ", count: indent * (level + 1))
        let end = "\n" + String(repeating: " ", count: indent * level)
        switch self {
        case .text(let text):
            var json = JSONBytes(capacity: text.utf8.count + 2)
            json.string(text)
            return String(decoding: json.bytes, as: UTF8.self)
        case .integer(let number): return String(number)
        case .list(let nodes):
            return "[\n"
                + nodes.map { blanks + $0.printed(indent: indent, level: level + 1) }.joined(separator: ",\n") + end
                + "]"
        case .object(let members):
            return "{\n"
                + members.map { name, node in
                    blanks + "\"\(name)\": " + node.printed(indent: indent, level: level + 1)
                }.joined(separator: ",\n") + end + "}"
        }
    }
}
