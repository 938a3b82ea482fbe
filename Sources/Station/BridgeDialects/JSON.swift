/// Any JSON value, sent by a page or to it.
public enum JSON: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// An integer that fits in 64 bits.
    case integer(Int64)
    /// Any other number. One that is not finite is written as `null`, as browsers do.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object, written with sorted keys.
    case object([String: JSON])

    /// The value of a key; `nil` if this is not an object or has no such key.
    public subscript(key: String) -> JSON? {
        if case .object(let fields) = self { fields[key] } else { nil }
    }

    /// The text of a string; `nil` for any other value.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The JSON on one line in ASCII; every other character is written as `\uXXXX`.
    ///
    /// It has no line separator, so that it fits in a header or in a line of server-sent events.
    public var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .number(let value): bytes += (value.isFinite ? value.description : "null").utf8
        case .string(let value): Self.write(value, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let fields):
            bytes.append(UInt8(ascii: "{"))
            for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(field.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                field.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for unit in text.utf16 {
            if (0x20..<0x7F).contains(unit), unit != 0x22, unit != 0x5C {
                bytes.append(UInt8(unit))
            } else {
                unit.writeEscape(to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension UInt16 {
    /// Writes `\uXXXX`, which is valid in both JSON and JavaScript.
    func writeEscape(to bytes: inout [UInt8]) {
        bytes += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: self >> UInt16(shift)) & 0xF
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}

extension JSON: ExpressibleByStringLiteral {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// An object; if a key occurs twice, the last value counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
