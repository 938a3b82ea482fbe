extension BridgeDialect {
    /// `webkit.messageHandlers.scanCode.postMessage(...)`, answered by `receiveScanResult(text)`.
    public static let hospital = BridgeDialect(
        name: "hospital", functions: ["receiveScanResult"], file: "hospital.js",
        parse: HospitalDialect.parse)
}

/// The dialect of the hospital's app: `webkit.messageHandlers.scanCode.postMessage(...)`.
///
/// The handler has but one purpose, so that any string asks for a scan: pages send `'scanCode'` and `''`. An object, as
/// it is or as its JSON, may hold `callback` (a name; else `receiveScanResult`), `onlyFromCamera` and `eventId`, which is
/// handed back as the second argument; with `answersCancel` the page hears an empty text where nothing was read; `formats`, `source` and `timeout` are taken as in the dialect of the promise.
enum HospitalDialect {
    static func parse(_ message: BridgeMessage) throws(BridgeError) -> ParsedRequest {
        switch message.json {
        case .null, .string, .object: break
        default:
            throw BridgeError(
                .unknownMessage, "scanCode takes a string, or an object with callback, onlyFromCamera and eventId.")
        }
        return try ParsedRequest(message, reply: function(message))
    }

    /// The function that the page wants called, and its identifier.
    static func function(_ message: BridgeMessage) throws(BridgeError) -> FunctionReply {
        let name = try message.text("callback") ?? ""
        let eventID = message["eventId"]
        switch eventID {
        case nil, .string, .integer, .number, .bool: break
        default: throw BridgeError(.badValue, "eventId takes a string or a number.")
        }
        return FunctionReply(
            function: name.isEmpty ? ["receiveScanResult"] : try CallbackName.path(name), eventID: eventID,
            answersCancel: try message.truth("answersCancel") ?? false)
    }
}
