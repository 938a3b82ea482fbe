internal import FoundationEssentials

extension JSON {
    /// The limits for JSON from a page.
    public struct Limits: Sendable, Hashable {
        /// The maximum size, in bytes of UTF-8.
        public var bytes = 65_536
        /// The maximum nesting depth of arrays and objects.
        public var depth = 32
        /// The maximum number of values, including those in arrays and objects.
        public var values = 1_024

        /// Creates the default limits: 64 KiB, 32 levels, 1,024 values.
        public init() {}
    }

    /// Parses JSON from a page.
    ///
    /// - Throws: ``BridgeError`` with the code `message_too_long`, `nested_too_deeply`, `too_many_values` or
    ///   `not_json`. The limits are checked before any value is built.
    public init(parsing bytes: [UInt8], limits: Limits = .init()) throws(BridgeError) {
        guard bytes.count <= limits.bytes else {
            throw BridgeError(
                .messageTooLong, "The message is \(bytes.count) bytes long; the limit is \(limits.bytes).")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw BridgeError(.notJSON, "The message is not UTF-8.")
        }
        try Self.check(bytes, limits)
        do {
            self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        } catch {
            throw BridgeError(.notJSON, "The message is not valid JSON; use JSON.stringify.")
        }
    }

    /// Checks the limits by counting brackets and commas outside of strings.
    private static func check(_ bytes: [UInt8], _ limits: Limits) throws(BridgeError) {
        var (depth, values) = (0, 1)
        var (isInString, isEscaped) = (false, false)
        for byte in bytes {
            // JSON allows no other control characters, and with a NUL the decoder would take the bytes for UTF-16.
            guard byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else {
                throw BridgeError(
                    .notJSON, "The message is not valid JSON: it contains an unescaped control character.")
            }
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): (depth, values) = (depth + 1, values + 1)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","): values += 1
            default: break
            }
            guard depth <= limits.depth else {
                throw BridgeError(.nestedTooDeeply, "The message is nested more than \(limits.depth) levels deep.")
            }
            guard values <= limits.values else {
                throw BridgeError(.tooManyValues, "The message contains more than \(limits.values) values.")
            }
        }
    }
}

extension JSON: Codable {
    /// Decodes any JSON, without limits.
    ///
    /// For JSON from a page, use ``init(parsing:limits:)``, which has limits.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let truth = try? value.decode(Bool.self) {
            self = .bool(truth)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let elements = try? value.decode([JSON].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    /// Encodes the value; a number that is not finite becomes `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value):
            if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
