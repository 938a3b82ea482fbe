public import BarcodeCore

/// The position of an event's symbol in a message that is spread over several symbols (structured append).
public struct MessagePart: Sendable, Hashable {
    /// The index of the symbol, counted from 0.
    public var index: Int
    /// The number of symbols in the message; `nil` if unknown.
    public var count: Int?
    /// The parity that the symbols of the message share; `nil` if there is none.
    public var parity: Int?
    /// The identifier that the symbols of the message share; `nil` if there is none.
    public var identifier: String?
    /// The reason for the symbol's character set, see `Charset.Source`; `nil` if unknown.
    public var charsetSource: String?
    /// The indices that were still missing when this symbol was stored, at most the first 100; `nil` until
    /// it is stored.
    public var missing: [Int]?

    /// The number of missing indices that an event lists, because a hostile symbol may state any number of symbols.
    package static let mostMissing = 100

    /// Creates the position of a symbol; `nil` if its message is not spread over several symbols.
    public init?(_ symbol: Symbol) {
        guard let position = symbol.structuredAppend else { return nil }
        self.init(
            index: position.index, count: position.count, parity: position.parity.map(Int.init),
            identifier: position.identifier, charsetSource: symbol.charset.source.rawValue)
    }

    /// Creates the position `index` of `count`.
    public init(
        index: Int, count: Int?, parity: Int? = nil, identifier: String? = nil, charsetSource: String? = nil,
        missing: [Int]? = nil
    ) {
        self.index = index
        self.count = count
        self.parity = parity
        self.identifier = identifier
        self.charsetSource = charsetSource
        self.missing = missing
    }

    /// Indicates whether the symbols name their message, so that they can be told from those of another one.
    package var isNamed: Bool { parity != nil || identifier != nil }

    /// The missing parts, counted from 1 as people do, such as "2, 3 of 4".
    package var missingWords: String {
        let numbers = (missing ?? []).map { String($0 + 1) }.joined(separator: ", ")
        return count.map { "\(numbers) of \($0)" } ?? numbers
    }
}

extension MessagePart: EventObject, Codable {
    static let fields = EventFields<MessagePart>([
        EventField("index", \.index, "which symbol of the message it is, from 0"),
        EventField("count", optional: \.count, "how many symbols the message has"),
        EventField("parity", optional: \.parity, "what the symbols of a message share, see [json.md](json.md)"),
        EventField("identifier", optional: \.identifier, "the same"),
        EventField(
            "charsetSource", optional: \.charsetSource, "how the character set is known, see [json.md](json.md)"),
        EventField(
            "missing", optional: \.missingIndices,
            "the indices that had not been read when this symbol was stored, the first \(mostMissing)"),
    ])

    static var blank: MessagePart { MessagePart(index: 0, count: nil) }

    private var missingIndices: SymbolIndices? {
        get { missing.map(SymbolIndices.init) }
        set { missing = newValue?.indices }
    }

    /// Encodes the object by schema 1.
    public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    /// Decodes an object written by ``encode(to:)``.
    public init(from decoder: any Decoder) throws { self = try Self.decodeFields(from: decoder) }
}

/// Indices as a field.
///
/// A separate type, because arrays of bytes already have a form as a field.
struct SymbolIndices: EventValue {
    var indices: [Int]

    static var shape: ValueShape {
        ValueShape(
            words: "array of integers",
            schema: [("type", .text("array")), ("items", .object([("type", .text("integer"))]))])
    }
    var coded: [Int] { indices }

    init(_ indices: [Int]) { self.indices = indices }
    init?(coded: [Int]) { self.init(coded) }

    func write(to json: inout JSONBytes) {
        json.raw("[")
        for (place, index) in indices.enumerated() {
            if place > 0 { json.raw(",") }
            json.integer(index)
        }
        json.raw("]")
    }
}

extension ScannedSymbol {
    /// Indicates whether another symbol is the same reading, whatever was missing of its message when either was stored.
    package func isReading(of other: ScannedSymbol) -> Bool {
        func bare(_ symbol: ScannedSymbol) -> ScannedSymbol {
            var symbol = symbol
            symbol.structuredAppend?.missing = nil
            return symbol
        }
        return bare(self) == bare(other)
    }
}
