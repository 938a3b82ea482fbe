internal import FoundationEssentials

/// Writes JSON from the front to the back, into bytes.
///
/// What `JSONEncoder` would write, byte for byte, in a fraction of its time: it is on the way of every event between
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

    mutating func open() {
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

    /// Writes a key that is given with its quotation marks and its colon.
    mutating func key(_ written: [UInt8]) {
        if needsComma { raw(",") }
        bytes.append(contentsOf: written)
        needsComma = true
    }

    mutating func field(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    mutating func integer(_ value: Int) { bytes.append(contentsOf: String(value).utf8) }

    /// Writes a number to two places.
    mutating func number(hundredths value: Double) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: "JSON has no number for \(value)"))
        }
        var text = Array(((value * 100).rounded() / 100).description.utf8)
        if text.suffix(2) == [0x2E, 0x30] { text.removeLast(2) }
        bytes.append(contentsOf: text)
    }

    /// Appends a value that is JSON already.
    mutating func append(_ value: Data) { bytes.append(contentsOf: value) }

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
