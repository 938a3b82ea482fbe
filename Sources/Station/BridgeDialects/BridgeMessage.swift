/// A page's message, with typed access to its fields for the dialects.
public struct BridgeMessage: Sendable, Hashable {
    /// The message.
    ///
    /// A string that contains a JSON object is replaced by that object.
    public let json: JSON

    /// Creates a message.
    ///
    /// A string that contains a JSON object is parsed, one level deep.
    ///
    /// - Throws: ``BridgeError`` if such a string is not valid JSON.
    public init(_ json: JSON) throws(BridgeError) {
        if let text = json.string, text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            self.json = try JSON(parsing: Array(text.utf8))
        } else {
            self.json = json
        }
    }

    /// Creates a message from a part of another one, as it is.
    public init(part: JSON) {
        json = part
    }

    /// The value of a key; `nil` if the key is missing or its value is `null`.
    public subscript(key: String) -> JSON? {
        let value = json[key]
        return value == .null ? nil : value
    }

    /// The string of a key; `nil` if there is none.
    ///
    /// - Throws: ``BridgeError`` with the code `bad_value`, as do all the accessors below.
    public func text(_ key: String) throws(BridgeError) -> String? {
        switch self[key] {
        case nil: return nil
        case .string(let text): return text
        default: throw BridgeError(.badValue, "\(key) must be a string.")
        }
    }

    /// The Boolean of a key; `nil` if there is none.
    ///
    /// Pages also write it as 0 or 1, or as a string.
    public func truth(_ key: String) throws(BridgeError) -> Bool? {
        switch self[key] {
        case nil: return nil
        case .bool(let truth): return truth
        case .integer(0), .string("false"), .string("0"), .string(""): return false
        case .integer(1), .string("true"), .string("1"): return true
        default: throw BridgeError(.badValue, "\(key) must be true or false.")
        }
    }

    /// The value of `timeout`, in seconds; `nil` if there is none.
    public func timeout() throws(BridgeError) -> Duration? {
        let seconds: Double
        switch self["timeout"] {
        case nil: return nil
        case .integer(let value): seconds = Double(value)
        case .number(let value): seconds = value
        default: throw BridgeError(.badValue, "timeout must be a number of seconds.")
        }
        guard seconds > 0, seconds <= Double(BridgeRequest.maximumTimeout.components.seconds) else {
            throw BridgeError(
                .badValue,
                "timeout must be more than 0 and at most \(BridgeRequest.maximumTimeout.components.seconds) "
                    + "seconds.")
        }
        return .seconds(seconds)
    }

    /// The wanted source of the code: `source`, else the camera if `onlyFromCamera` is true, else any.
    public func source() throws(BridgeError) -> BridgeRequest.Source {
        if let name = try text("source") {
            guard let source = BridgeRequest.Source(rawValue: name) else {
                throw BridgeError(.badValue, "source must be camera, album or any.")
            }
            return source
        }
        return try truth("onlyFromCamera") == true ? .camera : .any
    }

    /// The names of a key, which has a string or an array of strings; `nil` if there are none.
    public func names(_ key: String) throws(BridgeError) -> [String]? {
        switch self[key] {
        case nil: return nil
        case .string(let name): return [name]
        case .array(let elements):
            var names: [String] = []
            for element in elements {
                guard let name = element.string else {
                    throw BridgeError(.badValue, "\(key) must be an array of strings.")
                }
                names.append(name)
            }
            return names
        default: throw BridgeError(.badValue, "\(key) must be an array of strings.")
        }
    }
}
