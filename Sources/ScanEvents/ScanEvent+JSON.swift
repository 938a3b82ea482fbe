internal import BarcodeCore
internal import FoundationEssentials

extension ScanEvent: Codable {
    private enum Key: String, CodingKey {
        case schema, id, time, station, source, symbol, evidence
    }

    /// Writes the object of schema 1.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(Self.schema, forKey: .schema)
        try object.encode(id, forKey: .id)
        try object.encode(time.rfc3339, forKey: .time)
        try object.encode(station, forKey: .station)
        try object.encode(source, forKey: .source)
        try object.encode(symbol, forKey: .symbol)
        try object.encodeIfPresent(evidence, forKey: .evidence)
    }

    /// Reads the object that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let schema = try object.decode(Int.self, forKey: .schema)
        guard schema == Self.schema else {
            throw DecodingError.dataCorruptedError(
                forKey: .schema, in: object,
                debugDescription: "the event has schema \(schema); this program knows \(Self.schema)")
        }
        let time = try object.decode(String.self, forKey: .time)
        guard let date = Date(rfc3339: time) else {
            throw DecodingError.dataCorruptedError(
                forKey: .time, in: object, debugDescription: "\"\(time)\" is no time of RFC 3339")
        }
        self.init(
            id: try object.decode(EventID.self, forKey: .id), time: date,
            station: try object.decode(String.self, forKey: .station),
            source: try object.decode(ScanSource.self, forKey: .source),
            symbol: try object.decode(ScannedSymbol.self, forKey: .symbol),
            evidence: try object.decodeIfPresent(Evidence.self, forKey: .evidence))
    }
}

extension ScannedSymbol: Codable {
    private enum Key: String, CodingKey {
        case format, text, bytes, identifier, charset, addOn, corners, image
    }

    private struct Corner: Codable {
        var x: Double
        var y: Double
    }

    /// Writes the object; the bytes are base64, corners have two decimals.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(format.rawValue, forKey: .format)
        try object.encode(text, forKey: .text)
        try object.encode(Data(bytes).base64EncodedString(), forKey: .bytes)
        try object.encodeIfPresent(identifier, forKey: .identifier)
        try object.encodeIfPresent(charset, forKey: .charset)
        try object.encodeIfPresent(addOn, forKey: .addOn)
        try object.encodeIfPresent(
            corners?.corners.map {
                Corner(x: ($0.x * 100).rounded() / 100, y: ($0.y * 100).rounded() / 100)
            }, forKey: .corners)
        try object.encodeIfPresent(image, forKey: .image)
    }

    /// Reads the object that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let base64 = try object.decode(String.self, forKey: .bytes)
        guard let bytes = Data(base64Encoded: base64) else {
            throw DecodingError.dataCorruptedError(forKey: .bytes, in: object, debugDescription: "no base64")
        }
        let points = try object.decodeIfPresent([Corner].self, forKey: .corners)?.map { Point(x: $0.x, y: $0.y) }
        if let points, points.count != 4 {
            throw DecodingError.dataCorruptedError(
                forKey: .corners, in: object, debugDescription: "\(points.count) corners and not 4")
        }
        self.init(
            format: Symbology(rawValue: try object.decode(String.self, forKey: .format)),
            text: try object.decode(String.self, forKey: .text), bytes: [UInt8](bytes),
            identifier: try object.decodeIfPresent(String.self, forKey: .identifier),
            charset: try object.decodeIfPresent(String.self, forKey: .charset),
            addOn: try object.decodeIfPresent(String.self, forKey: .addOn),
            corners: points.map {
                Quadrilateral(topLeft: $0[0], topRight: $0[1], bottomRight: $0[2], bottomLeft: $0[3])
            },
            image: try object.decodeIfPresent(ImageSize.self, forKey: .image))
    }
}

extension Encodable {
    /// The value as JSON in one line, keys sorted, without a line feed.
    func jsonBytes() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Data(PrintableJSON.escaped([UInt8](try encoder.encode(self))))
    }
}
