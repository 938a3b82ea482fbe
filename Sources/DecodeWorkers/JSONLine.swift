internal import BarcodeCore
internal import FoundationEssentials

/// JSON, one object a line.
public enum JSONLine {
    /// The object as one line of UTF-8 with a line feed at its end.
    ///
    /// Keys are sorted, so that equal objects are equal lines.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var line = PrintableJSON.escaped([UInt8](try encoder.encode(value)))
        line.append(0x0A)
        return line
    }

    /// The object that one line holds.
    public static func decode<Value: Decodable>(_ type: Value.Type, from line: some Collection<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line))
    }
}

/// Cuts a stream of bytes into lines.
struct LineBuffer {
    private var bytes: [UInt8] = []
    private var searched = 0

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// The next whole line, without its line feed; nil until more bytes have come.
    mutating func next() -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
            searched = bytes.count
            return nil
        }
        let line = Array(bytes[..<end])
        bytes.removeSubrange(...end)
        searched = 0
        return line
    }

    /// How many bytes wait for the end of their line.
    var pending: Int { bytes.count }
}
