internal import BarcodeCore
internal import FoundationEssentials

/// JSON Lines: one JSON object per line.
public enum JSONLine {
    /// Encodes a value as one line of UTF-8 that ends with a line feed.
    ///
    /// Keys are sorted, so that equal objects give equal lines.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var line = PrintableJSON.escaped([UInt8](try encoder.encode(value)))
        line.append(0x0A)
        return line
    }

    /// Decodes the object of one line.
    public static func decode<Value: Decodable>(_ type: Value.Type, from line: some Collection<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line))
    }
}
