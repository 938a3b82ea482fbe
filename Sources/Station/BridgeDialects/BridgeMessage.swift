/// A page's message with its fields as dialects need them.
public struct BridgeMessage: Sendable, Hashable {
    /// The message; a string that holds an object stands as that object.
    public let json: JSON

    /// A page's message; a string that holds an object is read, once.
    ///
    /// - Throws: ``BridgeError``.
    public init(_ json: JSON) throws(BridgeError) {
        if let text = json.string, text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            self.json = try JSON(parsing: Array(text.utf8))
        } else {
            self.json = json
        }
    }

    /// A part of a message.
    public init(part: JSON) {
        json = part
    }

    /// The value of a key; nil where there is none, and for `null`.
    public subscript(key: String) -> JSON? {
        let value = json[key]
        return value == .null ? nil : value
    }

    /// A string; nil where there is none.
    ///
    /// - Throws: ``BridgeError`` with the code `bad_value`, as all that follow.
    public func text(_ key: String) throws(BridgeError) -> String? {
        switch self[key] {
        case nil: return nil
        case .string(let text): return text
        default: throw BridgeError(.badValue, "\(key) takes a string.")
        }
    }

    /// A truth value; pages also write it as 0 and 1, and as a string.
    public func truth(_ key: String) throws(BridgeError) -> Bool? {
        switch self[key] {
        case nil: return nil
        case .bool(let truth): return truth
        case .integer(0), .string("false"), .string("0"), .string(""): return false
        case .integer(1), .string("true"), .string("1"): return true
        default: throw BridgeError(.badValue, "\(key) takes true or false.")
        }
    }

    /// Seconds.
    public func timeout() throws(BridgeError) -> Duration? {
        let seconds: Double
        switch self["timeout"] {
        case nil: return nil
        case .integer(let value): seconds = Double(value)
        case .number(let value): seconds = value
        default: throw BridgeError(.badValue, "timeout takes a number of seconds.")
        }
        guard seconds > 0, seconds <= Double(BridgeRequest.maximumTimeout.components.seconds) else {
            throw BridgeError(
                .badValue,
                "timeout takes seconds, more than 0 and at most \(BridgeRequest.maximumTimeout.components.seconds).")
        }
        return .seconds(seconds)
    }

    /// Where the code is to come from: `source`, else `onlyFromCamera`, else either.
    public func source() throws(BridgeError) -> BridgeRequest.Source {
        if let name = try text("source") {
            guard let source = BridgeRequest.Source(rawValue: name) else {
                throw BridgeError(.badValue, "source takes camera, album or any.")
            }
            return source
        }
        return try truth("onlyFromCamera") == true ? .camera : .any
    }

    /// Names under a key, one or an array of them; nil where there are none.
    public func names(_ key: String) throws(BridgeError) -> [String]? {
        switch self[key] {
        case nil: return nil
        case .string(let name): return [name]
        case .array(let elements):
            var names: [String] = []
            for element in elements {
                guard let name = element.string else {
                    throw BridgeError(.badValue, "\(key) takes an array of strings.")
                }
                names.append(name)
            }
            return names
        default: throw BridgeError(.badValue, "\(key) takes an array of strings.")
        }
    }
}
