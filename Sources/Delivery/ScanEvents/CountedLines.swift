public import FoundationEssentials

/// What was counted between the opening and the closing of a count: a line for each code.
public struct CountedLines: Sendable, Hashable {
    /// One code and how many there were.
    public struct Line: Sendable, Hashable, Codable {
        /// The symbology, by its name.
        public var format: String
        /// The message as text; of a personal message what kind it is.
        public var text: String
        /// How many.
        public var quantity: Int

        /// A line.
        public init(format: String, text: String, quantity: Int) {
            self.format = format
            self.text = text
            self.quantity = quantity
        }
    }

    /// What tells the count from others of the station.
    public var number: Int
    /// The name that it was opened with; empty where it has none.
    public var name: String
    /// When it was opened.
    public var openedAt: Date
    /// The lines, in the order in which their codes came first.
    public var lines: [Line]

    /// A count; `openedAt` loses what is finer than a millisecond.
    public init(number: Int, name: String, openedAt: Date, lines: [Line]) {
        self.number = number
        self.name = name
        self.openedAt = Date(milliseconds: openedAt.milliseconds)
        self.lines = lines
    }
}

extension CountedLines: EventObject, Codable {
    static let fields = EventFields<CountedLines>([
        EventField("number", \.number, "what tells the count from others of the station"),
        EventField("name", \.name, "the name that it was opened with; empty for none"),
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

    /// Writes the object of schema 1.
    public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    /// Reads the object that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws { self = try Self.decodeFields(from: decoder) }
}

/// The lines of a count as a field.
///
/// A type of its own: an array has the form of a field already, where it is one of bytes.
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
