/// How a value looks in JSON.
package struct ValueShape: Sendable {
    /// What it is, for people.
    package var words: String
    /// Its JSON schema but for the fields inside of it.
    var schema: [(String, SchemaNode)]
    /// The fields of an object.
    package var fields: [FieldDescription] = []
}

/// What is told of a field: documentation, JSON schema and templates are made of it.
package struct FieldDescription: Sendable {
    /// The name.
    package let name: String
    /// How its value looks.
    package let shape: ValueShape
    /// Whether every object has it.
    package let isRequired: Bool
    /// What it says, in Markdown.
    package let meaning: String
    /// The regular expression that its text matches; nil for none.
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

/// JSON whose members keep their order: a schema is for people too.
package indirect enum SchemaNode: Sendable {
    case text(String)
    case integer(Int)
    case list([SchemaNode])
    case object([(String, SchemaNode)])

    /// The members of the schema of an object with fields.
    static func object(of fields: [FieldDescription]) -> [(String, SchemaNode)] {
        [
            ("type", .text("object")),
            ("required", .list(fields.filter(\.isRequired).map { .text($0.name) })),
            ("properties", .object(fields.map { ($0.name, $0.schema) })),
        ]
    }

    /// The JSON, a line each member.
    ///
    /// - Parameters:
    ///   - indent: how many blanks a level is indented by.
    ///   - level: the level of the line that it begins in.
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
