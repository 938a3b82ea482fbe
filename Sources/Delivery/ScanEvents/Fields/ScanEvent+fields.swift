public import BarcodeCore
internal import FoundationEssentials
public import SymbolContent

// The single schema of an event. Its JSON, the JSON schema, its part of the station's OpenAPI description, the
// columns of tables, the fields of templates and the table of docs/reference/events.md are made from these lists.

extension ScanEvent: EventObject, Codable {
    static let fields = EventFields<ScanEvent>([
        EventField("schema", constant: schema, "1"),
        EventField(
            "time", \.time,
            "when it was read, RFC 3339 in UTC with milliseconds; for `add`, when it was added", column: "time"),
        EventField("id", \.id, "a UUIDv7, which sorts by time", column: "id"),
        EventField("station", \.station, "the name of the station", column: "station"),
        EventField("source", \.source),
        EventField("symbol", \.symbol),
        EventField(
            "evidence", optional: \.evidence, "a stored picture; `add --evidence` names the file"),
        EventField(
            "content", optional: \.content,
            "what the message says, see [content.md](content.md); in the station's answers, and for destinations with `content: true`"
        ),
        EventField(
            "signature", optional: \.signature,
            "of a ticket, a certificate or a seal, if the program has [keys](content.md#signatures)"),
        EventField(
            "operator", optional: \.operator,
            "the operator, by the name or the number of a badge, see [station.md](station.md)",
            column: "operator"),
        EventField("place", optional: \.place, "the location, such as a room or a shelf", column: "place"),
        EventField("count", optional: \.count, "in the event that closes a count: the counted codes"),
    ])

    static var blank: ScanEvent {
        ScanEvent(id: .none, time: Date(milliseconds: 0), station: "", source: .blank, symbol: .blank)
    }

    /// Encodes the object by schema 1.
    public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    /// Decodes an object written by ``encode(to:)``.
    public init(from decoder: any Decoder) throws { self = try Self.decodeFields(from: decoder) }
}

extension ScanSource: EventObject, Codable {
    static let fields = EventFields<ScanSource>([
        EventField(
            "kind", \.kind, "\(Kind.all.map { "`\($0.rawValue)`" }.joined(separator: ", ")); more may be added",
            column: "source"),
        EventField("name", optional: \.name, "the name of the picture, as given", column: "name"),
        EventField(
            "details", optional: \.details,
            "more details; `nameBytes` is the base64 of a name that is not UTF-8"),
    ])

    static var blank: ScanSource { ScanSource(kind: .file) }

    /// Encodes the object by schema 1.
    public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    /// Decodes an object written by ``encode(to:)``.
    public init(from decoder: any Decoder) throws { self = try Self.decodeFields(from: decoder) }
}

extension ScannedSymbol: EventObject, Codable {
    static let fields = EventFields<ScannedSymbol>([
        EventField(
            "format", \.symbology, "the symbology, as named in [symbologies.md](symbologies.md)", column: "format"),
        EventField("text", \.text, "the message as text", column: "text"),
        EventField("bytes", \.bytes, "the message, byte for byte", column: "bytes_base64"),
        EventField("identifier", optional: \.symbologyIdentifier, "ISO/IEC 15424, such as `]Q1`"),
        EventField(
            "charset", optional: \.charset, "the character set that the bytes were decoded with, see [json.md](json.md)"
        ),
        EventField(
            "addOn", optional: \.addOn, "the 2 or 5 digits of an EAN or UPC add-on", pattern: "^([0-9]{2}|[0-9]{5})$"),
        EventField("corners", optional: \.corners, "in pixels of the picture, see [json.md](json.md)"),
        EventField("image", optional: \.image, "the picture, or the page as it was rendered"),
        EventField(
            "withheld", optional: \.withheld,
            "in the history: the `kind` of a personal message that is not kept, or `message_part`, see `keep.personal`; `text` and `bytes` are empty then"
        ),
        EventField("page", optional: \.page, "the page of a document, from 1"),
        EventField("pages", optional: \.pages, "how many pages the document has"),
        EventField(
            "composite", optional: \.composite, "the two-dimensional part of a GS1 composite symbol above a linear one"),
        EventField(
            "confidence", optional: \.confidence,
            "0 to 1: the estimated probability that the message is right, see [json.md](json.md)"),
        EventField(
            "structuredAppend", optional: \.structuredAppend,
            "of one symbol of a message that is spread over several, see below"),
        EventField(
            "joined", optional: \.joined,
            "of a whole message that was spread over several symbols: how many they were, see below"),
    ])

    static var blank: ScannedSymbol { ScannedSymbol(symbology: Symbology(rawValue: ""), text: "", bytes: []) }

    /// Encodes the object by schema 1; the bytes are base64, corners have two decimals.
    public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    /// Decodes an object written by ``encode(to:)``.
    public init(from decoder: any Decoder) throws { self = try Self.decodeFields(from: decoder) }
}

extension ScannedComponent: EventObject, Codable {
    static let fields = EventFields<ScannedComponent>([
        EventField("format", \.kind, "`cc_a`, `cc_b` or `cc_c`"),
        EventField("text", \.text, "the element strings as text, U+001D for FNC1"),
        EventField("bytes", \.bytes, "the element strings, byte for byte"),
    ])

    static var blank: ScannedComponent { ScannedComponent(kind: "", text: "", bytes: []) }

    /// Encodes the object by schema 1; the bytes are base64.
    public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    /// Decodes an object written by ``encode(to:)``.
    public init(from decoder: any Decoder) throws { self = try Self.decodeFields(from: decoder) }
}

extension SignatureCheck: EventObject, Codable {
    static let fields = EventFields<SignatureCheck>([
        EventField(
            "state", \.state, "`valid`, or `not_confirmed`: it was changed, or its signer's key is not among the keys"),
        EventField("signedBy", optional: \.signedBy, "the file of the key that confirms it"),
    ])

    static var blank: SignatureCheck { SignatureCheck(.notConfirmed) }

    /// Encodes the object by schema 1.
    public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    /// Decodes an object written by ``encode(to:)``.
    public init(from decoder: any Decoder) throws { self = try Self.decodeFields(from: decoder) }
}

extension PixelSize: EventObject, Codable {
    static let fields = EventFields<PixelSize>([
        EventField("width", \.width, "in pixels"),
        EventField("height", \.height, "in pixels"),
    ])

    static var blank: PixelSize { PixelSize(width: 0, height: 0) }

    /// Encodes the object by schema 1.
    public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    /// Decodes an object written by ``encode(to:)``.
    public init(from decoder: any Decoder) throws { self = try Self.decodeFields(from: decoder) }
}

extension Evidence: EventObject, Codable {
    static let fields = EventFields<Evidence>([
        EventField("uri", \.uri, "its path or URI"),
        EventField("mediaType", optional: \.mediaType, "such as `image/jpeg`"),
        EventField("sha256", optional: \.sha256, "of its bytes, in hexadecimal", pattern: "^[0-9a-f]{64}$"),
    ])

    static var blank: Evidence { Evidence(uri: "") }

    /// Encodes the object by schema 1.
    public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    /// Decodes an object written by ``encode(to:)``.
    public init(from decoder: any Decoder) throws { self = try Self.decodeFields(from: decoder) }
}
