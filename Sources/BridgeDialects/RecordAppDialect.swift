/// The dialect of RecordApp: `prompt(JSON)` with `{action, args, callback}`.
///
/// `callback` is not a function but the page's number for one, which the answer carries: `prompt` returns
/// `{status, message, callback, value}` at once, with an empty status as long as nothing is known, and
/// `AppJsBridgeRequest.Call` gets the same object later, its status `success` or empty. The app that the dialect is known
/// from has actions for recording only; here `scan`, `scanCode` and `scanQRCode` ask for a scan, `args` may hold what the
/// promise's dialect takes, and the value is the text.
enum RecordAppDialect {
    private static let actions: Set<String> = ["scan", "scancode", "scanqrcode"]

    static func parse(_ message: Message) throws(BridgeError) -> ParsedRequest {
        let action = try message.text("action") ?? ""
        guard actions.contains(action.lowercased()) else {
            throw BridgeError(
                .unknownMessage, "RecordApp knows the actions scan, scanCode and scanQRCode, and none else.")
        }
        let callback: String
        switch message["callback"] {
        case .string(let name): callback = name
        case .integer(let number): callback = String(number)
        default: callback = ""
        }
        guard (1...CallbackName.longest).contains(callback.utf8.count),
            callback.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }), callback.lowercased() != "__proto__"
        else {
            throw BridgeError(
                .badCallback, "A scan takes a while, so that callback has to name who is told: up to 128 characters.")
        }
        let arguments = Message(part: message["args"] ?? .null)
        switch arguments.json {
        case .null, .object: break
        default: throw BridgeError(.badValue, "args takes an object.")
        }
        return ParsedRequest(
            source: try arguments.source(), formats: try RequestedFormats(arguments.names("formats")),
            timeout: try arguments.timeout(), reply: .recordApp(action: action, callback: callback))
    }

    static func call(action: String, callback: String, _ outcome: BridgeOutcome) -> PageCall {
        var (status, message, value) = ("", "", JSON.null)
        switch outcome {
        case .symbols(let symbols):
            if let symbol = symbols.first {
                (status, value) = ("success", .string(symbol.text))
            } else {
                message = BridgeOutcome.nothingFound
            }
        case .failed(_, let sentence): message = sentence
        case .cancelled: message = "cancelled"
        }
        return PageCall(
            function: ["AppJsBridgeRequest", "Call"],
            arguments: [answer(action: action, callback: callback, status: status, message: message, value: value)])
    }

    static func answer(action: String, callback: String, status: String, message: String, value: JSON) -> JSON {
        [
            "action": .string(action), "callback": .string(callback), "status": .string(status),
            "message": .string(message), "value": value,
        ]
    }
}

extension BridgeRequest {
    /// What `prompt` is to return at once in the dialect of RecordApp: that nothing is known yet; nil in the others.
    public var promptAnswer: JSON? {
        guard case .recordApp(let action, let callback) = reply else { return nil }
        return RecordAppDialect.answer(action: action, callback: callback, status: "", message: "", value: .null)
    }
}
