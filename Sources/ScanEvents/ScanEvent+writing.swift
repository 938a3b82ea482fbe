internal import BarcodeCore
internal import FoundationEssentials

/// Writes JSON from the front to the back, into bytes.
///
/// What `JSONEncoder` would write, byte for byte, in a quarter of its time: it is on the way of every event between
/// the reading and the disk, and 64 callers who share a commit share little else.
struct JSONBytes {
    private(set) var bytes: [UInt8] = []
    /// Whether something stands before the next key of the object that is open.
    private var needsComma = false

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Writes what stands as it is.
    mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func open(_ key: StaticString? = nil) {
        if let key { self.key(key) }
        raw("{")
        needsComma = false
    }

    mutating func close() {
        raw("}")
        needsComma = true
    }

    mutating func key(_ name: StaticString) {
        if needsComma { raw(",") }
        raw("\"")
        raw(name)
        raw("\":")
        needsComma = true
    }

    mutating func field(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    mutating func field(_ name: StaticString, _ value: Int) {
        key(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes a number to two places.
    mutating func field(_ name: StaticString, hundredths value: Double) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: "JSON has no number for \(value)"))
        }
        key(name)
        var text = Array(((value * 100).rounded() / 100).description.utf8)
        if text.suffix(2) == [0x2E, 0x30] { text.removeLast(2) }
        bytes.append(contentsOf: text)
    }

    mutating func string(_ value: String) {
        raw("\"")
        for byte in value.utf8 {
            switch byte {
            case 0x22: raw("\\\"")
            case 0x5C: raw("\\\\")
            case 0x08: raw("\\b")
            case 0x0C: raw("\\f")
            case 0x0A: raw("\\n")
            case 0x0D: raw("\\r")
            case 0x09: raw("\\t")
            case 0..<0x20:
                raw("\\u00")
                for digit in [byte >> 4, byte & 0xF] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
            default: bytes.append(byte)
            }
        }
        raw("\"")
    }
}

extension ScanEvent {
    /// Writes the object of schema 1, keys sorted.
    func write(to json: inout JSONBytes) throws {
        json.open()
        if let evidence {
            json.open("evidence")
            json.field("mediaType", evidence.mediaType)
            json.field("sha256", evidence.sha256)
            json.field("uri", evidence.uri)
            json.close()
        }
        json.field("id", id.description)
        json.field("schema", Self.schema)
        json.key("source")
        try source.write(to: &json)
        json.field("station", station)
        json.key("symbol")
        try symbol.write(to: &json)
        json.field("time", time.rfc3339)
        json.close()
    }
}

extension ScanSource {
    fileprivate func write(to json: inout JSONBytes) throws {
        json.open()
        if let details {
            json.key("details")
            // Rare, and its keys are anybody's.
            json.append(try details.jsonBytes())
        }
        json.field("kind", kind.rawValue)
        json.field("name", name)
        json.close()
    }
}

extension ScannedSymbol {
    fileprivate func write(to json: inout JSONBytes) throws {
        json.open()
        json.field("addOn", addOn)
        json.field("bytes", Data(bytes).base64EncodedString())
        json.field("charset", charset)
        if let corners {
            json.key("corners")
            json.raw("[")
            for (index, corner) in corners.corners.enumerated() {
                if index > 0 { json.raw(",") }
                json.open()
                try json.field("x", hundredths: corner.x)
                try json.field("y", hundredths: corner.y)
                json.close()
            }
            json.raw("]")
        }
        json.field("format", format.rawValue)
        json.field("identifier", identifier)
        if let image {
            json.open("image")
            json.field("height", image.height)
            json.field("width", image.width)
            json.close()
        }
        json.field("text", text)
        json.close()
    }
}

extension JSONBytes {
    /// Appends a value that is JSON already.
    mutating func append(_ value: Data) { bytes.append(contentsOf: value) }
}
