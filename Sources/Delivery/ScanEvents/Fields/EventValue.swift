internal import BarcodeCore
internal import FoundationEssentials
internal import SymbolContent

/// A value of a field, with its form in JSON.
protocol EventValue: Sendable {
    /// The `Codable` type that represents it in JSON.
    associatedtype Coded: Codable

    static var shape: ValueShape { get }
    /// The columns of its nested fields.
    static var columns: [EventField<Self>.Column] { get }
    var coded: Coded { get }
    /// The value as a cell of a table.
    var cell: String { get }

    init?(coded: Coded)
    func write(to json: inout JSONBytes) throws
}

extension EventValue {
    static var columns: [EventField<Self>.Column] { [] }
    var cell: String { "" }

    /// Decodes the value of a key.
    init(from container: KeyedDecodingContainer<FieldKey>, _ key: FieldKey) throws {
        guard let value = Self(coded: try container.decode(Coded.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "\(key.stringValue) is not a valid \(Self.shape.words)")
        }
        self = value
    }
}

/// An object that consists of fields.
protocol EventObject: EventValue, Codable where Coded == Self {
    static var fields: EventFields<Self> { get }
    /// A placeholder to decode fields into.
    static var blank: Self { get }
}

extension EventObject {
    static var shape: ValueShape { ValueShape(words: "object", schema: [], fields: fields.all.map(\.description)) }
    static var columns: [EventField<Self>.Column] { fields.all.flatMap(\.columns) }
    var coded: Self { self }

    init?(coded: Self) { self = coded }

    func write(to json: inout JSONBytes) throws {
        json.open()
        for field in Self.fields.sorted { try field.write(self, &json) }
        json.close()
    }

    func encodeFields(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FieldKey.self)
        for field in Self.fields.all { try field.encode(self, &container) }
    }

    static func decodeFields(from decoder: any Decoder) throws -> Self {
        let container = try decoder.container(keyedBy: FieldKey.self)
        var object = blank
        for field in fields.all { try field.decode(&object, container) }
        return object
    }
}

/// A value that is a string in JSON.
protocol TextValue: EventValue where Coded == String {}

extension TextValue {
    var cell: String { coded }
    func write(to json: inout JSONBytes) { json.string(coded) }
}

extension String: TextValue {
    static var shape: ValueShape { ValueShape(words: "string", schema: [("type", .text("string"))]) }
    var coded: String { self }
    init?(coded: String) { self = coded }
}

extension EventID: TextValue {
    static var shape: ValueShape {
        ValueShape(
            words: "string",
            schema: [
                ("type", .text("string")),
                ("pattern", .text("^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")),
            ])
    }
    var coded: String { description }
    init?(coded: String) { self.init(coded) }
}

extension Date: TextValue {
    static var shape: ValueShape {
        ValueShape(
            words: "string",
            schema: [
                ("type", .text("string")), ("format", .text("date-time")),
                ("pattern", .text("^[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z$")),
            ])
    }
    var coded: String { rfc3339 }
    init?(coded: String) { self.init(rfc3339: coded) }
}

extension Symbology: TextValue {
    static var shape: ValueShape { String.shape }
    var coded: String { rawValue }
    init?(coded: String) { self.init(rawValue: coded) }
}

extension ScanSource.Kind: TextValue {
    static var shape: ValueShape { String.shape }
    var coded: String { rawValue }
    init?(coded: String) { self.init(rawValue: coded) }
}

extension SignatureCheck.State: TextValue {
    static var shape: ValueShape { String.shape }
    var coded: String { rawValue }
    init?(coded: String) { self.init(rawValue: coded) }
}

extension [UInt8]: TextValue, EventValue {
    static var shape: ValueShape {
        ValueShape(words: "base64", schema: [("type", .text("string")), ("contentEncoding", .text("base64"))])
    }
    var coded: String { Data(self).base64EncodedString() }
    init?(coded: String) {
        guard let data = Data(base64Encoded: coded) else { return nil }
        self = [UInt8](data)
    }
}

extension Int: EventValue {
    static var shape: ValueShape {
        ValueShape(words: "integer", schema: [("type", .text("integer")), ("minimum", .integer(0))])
    }
    var coded: Int { self }
    var cell: String { String(self) }
    init?(coded: Int) { self = coded }
    func write(to json: inout JSONBytes) { json.integer(self) }
}

extension Double: EventValue {
    static var shape: ValueShape { ValueShape(words: "number", schema: [("type", .text("number"))]) }
    var coded: Double { self }
    init?(coded: Double) { self = coded }
    func write(to json: inout JSONBytes) throws { try json.number(self) }
}

extension [String: String]: EventValue {
    static var shape: ValueShape {
        ValueShape(
            words: "object of strings",
            schema: [
                ("type", .text("object")), ("additionalProperties", .object([("type", .text("string"))])),
            ])
    }
    var coded: [String: String] { self }
    init?(coded: [String: String]) { self = coded }
    // Not optimized: it is rare, and its keys are arbitrary.
    func write(to json: inout JSONBytes) throws { json.append(try jsonBytes()) }
}

extension Quadrilateral: EventValue {
    struct Corner: Codable {
        var x: Double
        var y: Double
    }

    static var shape: ValueShape {
        let number = SchemaNode.object([("type", .text("number"))])
        return ValueShape(
            words: "4 objects `x`, `y`",
            schema: [
                ("type", .text("array")), ("minItems", .integer(4)), ("maxItems", .integer(4)),
                (
                    "items",
                    .object([
                        ("type", .text("object")), ("required", .list([.text("x"), .text("y")])),
                        ("properties", .object([("x", number), ("y", number)])),
                    ])
                ),
            ])
    }

    /// Rounded to two decimals.
    var coded: [Corner] {
        points.map { Corner(x: ($0.x * 100).rounded() / 100, y: ($0.y * 100).rounded() / 100) }
    }

    init?(coded: [Corner]) {
        guard coded.count == 4 else { return nil }
        let points = coded.map { Point(x: $0.x, y: $0.y) }
        self.init(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }

    func write(to json: inout JSONBytes) throws {
        json.raw("[")
        for (index, corner) in points.enumerated() {
            if index > 0 { json.raw(",") }
            json.open()
            json.key("x")
            try json.number(hundredths: corner.x)
            json.key("y")
            try json.number(hundredths: corner.y)
            json.close()
        }
        json.raw("]")
    }
}
