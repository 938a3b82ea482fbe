internal import BarcodeCore

/// A page's message with its fields as dialects need them.
struct Message {
    /// The message; a string that holds an object stands as that object.
    let json: JSON

    /// Looks into a string that holds an object, once.
    init(_ json: JSON) throws(BridgeError) {
        if let text = json.string, text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            self.json = try JSON(parsing: Array(text.utf8))
        } else {
            self.json = json
        }
    }

    /// A part of a message.
    init(part: JSON) {
        json = part
    }

    subscript(key: String) -> JSON? {
        let value = json[key]
        return value == .null ? nil : value
    }

    /// A string; nil where there is none.
    func text(_ key: String) throws(BridgeError) -> String? {
        switch self[key] {
        case nil: return nil
        case .string(let text): return text
        default: throw BridgeError(.badValue, "\(key) takes a string.")
        }
    }

    /// A truth value; pages also write it as 0 and 1, and as a string.
    func truth(_ key: String) throws(BridgeError) -> Bool? {
        switch self[key] {
        case nil: return nil
        case .bool(let truth): return truth
        case .integer(0), .string("false"), .string("0"), .string(""): return false
        case .integer(1), .string("true"), .string("1"): return true
        default: throw BridgeError(.badValue, "\(key) takes true or false.")
        }
    }

    /// Seconds.
    func timeout() throws(BridgeError) -> Duration? {
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
    func source() throws(BridgeError) -> BridgeRequest.Source {
        if let name = try text("source") {
            guard let source = BridgeRequest.Source(rawValue: name) else {
                throw BridgeError(.badValue, "source takes camera, album or any.")
            }
            return source
        }
        return try truth("onlyFromCamera") == true ? .camera : .any
    }

    /// Names under a key, one or an array of them; nil where there are none.
    func names(_ key: String) throws(BridgeError) -> [String]? {
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

/// The formats that a page asked for.
struct RequestedFormats: Hashable {
    /// Those that can be read; empty for all.
    var readable: Set<Symbology> = []
    /// The others, as the page named them.
    var ignored: [String] = []

    /// The formats of these names.
    ///
    /// - Parameter meaning: what a name stands for; empty where nothing of it can be read.
    /// - Throws: ``BridgeError`` with the code `unsupported_formats` where there are names, and none can be read.
    init(_ names: [String]?, meaning: (String) -> Set<Symbology>) throws(BridgeError) {
        for name in names ?? [] {
            let found = meaning(name)
            if found.isEmpty { ignored.append(String(name.prefix(64))) }
            readable.formUnion(found)
        }
        guard !readable.isEmpty || ignored.isEmpty else {
            let known = Symbology.all.map(\.rawValue).joined(separator: ", ")
            throw BridgeError(
                .unsupportedFormats,
                "None of the formats can be read (\(ignored.prefix(8).joined(separator: ", "))); known are: \(known).")
        }
    }

    /// The formats of our own names, which are the W3C's where it has one.
    init(_ names: [String]?) throws(BridgeError) {
        try self.init(names) { name in
            let name = name.lowercased()
            return Set(Symbology.all.filter { $0.rawValue == name })
        }
    }
}

/// What a message asks for.
struct ParsedRequest {
    var source: BridgeRequest.Source
    var formats: RequestedFormats
    var timeout: Duration?
    var reply: BridgeRequest.Reply
}
