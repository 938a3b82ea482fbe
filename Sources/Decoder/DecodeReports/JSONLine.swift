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
