public import FoundationEssentials

/// The result of a count, from its opening to its closing: one line for each code.
public struct CountedLines: Sendable, Hashable {
    /// A code and its quantity.
    public struct Line: Sendable, Hashable, Codable {
        /// The symbology, by its name.
        public var format: String
        /// The message as text; of a personal message, its kind of content.
        public var text: String
        /// The number of times that the code was counted.
        public var quantity: Int

        /// Creates a line.
        public init(format: String, text: String, quantity: Int) {
            self.format = format
            self.text = text
            self.quantity = quantity
        }
    }

    /// The number that distinguishes the count from others of the station.
    public var number: Int
    /// The name given when it was opened; empty if it has none.
    public var name: String
    /// The time when it was opened.
    public var openedAt: Date
    /// The lines, in the order of the first scan of each code.
    public var lines: [Line]

    /// Creates a count; `openedAt` is truncated to milliseconds.
    public init(number: Int, name: String, openedAt: Date, lines: [Line]) {
        self.number = number
        self.name = name
        self.openedAt = Date(milliseconds: openedAt.milliseconds)
        self.lines = lines
    }
}

extension CountedLines: EventObject, Codable {
    static let fields = EventFields<CountedLines>([
        EventField("number", \.number, "the number of the count, unique in the station"),
        EventField("name", \.name, "the name that it was opened with; empty if there is none"),
        EventField("openedAt", \.openedAt, "when it was opened"),
        EventField("lines", \.list, "each code with its `format`, `text` and `quantity`"),
    ])

    static var blank: CountedLines {
        CountedLines(number: 0, name: "", openedAt: Date(milliseconds: 0), lines: [])
    }

    private var list: CountedLineList {
        get { CountedLineList(lines) }
        set { lines = newValue.lines }
    }

    /// Encodes the object by schema 1.
    public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    /// Decodes an object written by ``encode(to:)``.
    public init(from decoder: any Decoder) throws { self = try Self.decodeFields(from: decoder) }
}

/// The lines of a count as a field.
///
/// A separate type, because arrays of bytes already have a form as a field.
struct CountedLineList: EventValue {
    var lines: [CountedLines.Line]

    static var shape: ValueShape {
        let text = SchemaNode.object([("type", .text("string"))])
        let quantity = SchemaNode.object([("type", .text("integer"))])
        return ValueShape(
            words: "objects `format`, `text`, `quantity`",
            schema: [
                ("type", .text("array")),
                (
                    "items",
                    .object([
                        ("type", .text("object")),
                        ("required", .list([.text("format"), .text("text"), .text("quantity")])),
                        ("properties", .object([("format", text), ("text", text), ("quantity", quantity)])),
                    ])
                ),
            ])
    }
    var coded: [CountedLines.Line] { lines }

    init(_ lines: [CountedLines.Line]) { self.lines = lines }
    init?(coded: [CountedLines.Line]) { self.init(coded) }

    func write(to json: inout JSONBytes) throws {
        json.raw("[")
        for (index, line) in lines.enumerated() {
            if index > 0 { json.raw(",") }
            json.open()
            json.key("format")
            json.string(line.format)
            json.key("quantity")
            json.integer(line.quantity)
            json.key("text")
            json.string(line.text)
            json.close()
        }
        json.raw("]")
    }
}
