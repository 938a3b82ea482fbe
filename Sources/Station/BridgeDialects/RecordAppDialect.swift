extension BridgeDialect {
    /// `prompt(JSON)` with `{action, args, callback}`, answered by `AppJsBridgeRequest.Call(...)`.
    public static let recordapp = BridgeDialect(
        name: "recordapp", functions: ["AppJsBridgeRequest.Call"], file: "recordapp.js",
        parse: RecordAppDialect.parse)
}

/// The dialect of RecordApp: `prompt(JSON)` with `{action, args, callback}`.
///
/// `callback` is not a function, but the page's number for one, which the answer repeats. `prompt` returns `{status,
/// message, callback, value}` at once, with an empty status while the result is pending. Later
/// `AppJsBridgeRequest.Call` gets the same object, with the status `success` or an empty one. The app that this
/// dialect comes from only has actions for recording. Here `scan`, `scanCode` and `scanQRCode` request a scan, `args`
/// may contain the fields of the promise dialect, and the value is the text.
enum RecordAppDialect {
    private static let actions: Set<String> = ["scan", "scancode", "scanqrcode"]

    static func parse(_ message: BridgeMessage) throws(BridgeError) -> ParsedRequest {
        let action = try message.text("action") ?? ""
        guard actions.contains(action.lowercased()) else {
            throw BridgeError(
                .unknownMessage, "Unknown action; RecordApp supports scan, scanCode and scanQRCode.")
        }
        let callback: String
        switch message["callback"] {
        case .string(let name): callback = name
        case .integer(let number): callback = String(number)
        default: callback = ""
        }
        guard (1...CallbackName.maximumLength).contains(callback.utf8.count),
            callback.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }), callback.lowercased() != "__proto__"
        else {
            throw BridgeError(
                .badCallback, "callback is required: 1 to 128 ASCII characters; it receives the answer.")
        }
        let arguments = BridgeMessage(part: message["args"] ?? .null)
        switch arguments.json {
        case .null, .object: break
        default: throw BridgeError(.badValue, "args must be an object.")
        }
        return try ParsedRequest(arguments, reply: RecordAppReply(action: action, callback: callback))
    }
}

/// Calls `AppJsBridgeRequest.Call` with the result.
struct RecordAppReply: BridgeReply {
    var action: String
    var callback: String

    func calls(for outcome: BridgeOutcome, id: String) -> [PageCall] {
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
        return [
            PageCall(
                function: ["AppJsBridgeRequest", "Call"],
                arguments: [answer(status: status, message: message, value: value)])
        ]
    }

    var promptAnswer: JSON? { answer(status: "", message: "", value: .null) }

    private func answer(status: String, message: String, value: JSON) -> JSON {
        [
            "action": .string(action), "callback": .string(callback), "status": .string(status),
            "message": .string(message), "value": value,
        ]
    }
}
