extension BridgeDialect {
    /// `webkit.messageHandlers.scanCode.postMessage(...)`, answered by `receiveScanResult(text)`.
    public static let hospital = BridgeDialect(
        name: "hospital", functions: ["receiveScanResult"], file: "hospital.js",
        parse: HospitalDialect.parse)
}

/// The dialect of the hospital app: `webkit.messageHandlers.scanCode.postMessage(...)`.
///
/// The handler has only one purpose, so any string requests a scan: pages send `'scanCode'` and `''`. An object, or a
/// string with its JSON, may contain:
/// - `callback`: the name of the function, by default `receiveScanResult`
/// - `onlyFromCamera`
/// - `eventId`: handed back as the second argument
/// - `answersCancel`: if true, the page gets an empty text if nothing was decoded
/// - `formats`, `source` and `timeout`, as in the promise dialect
enum HospitalDialect {
    static func parse(_ message: BridgeMessage) throws(BridgeError) -> ParsedRequest {
        switch message.json {
        case .null, .string, .object: break
        default:
            throw BridgeError(
                .unknownMessage, "scanCode needs a string, or an object with callback, onlyFromCamera and eventId.")
        }
        return try ParsedRequest(message, reply: function(message))
    }

    /// Returns the call of the page's callback, with the page's identifier.
    static func function(_ message: BridgeMessage) throws(BridgeError) -> FunctionReply {
        let name = try message.text("callback") ?? ""
        let eventID = message["eventId"]
        switch eventID {
        case nil, .string, .integer, .number, .bool: break
        default: throw BridgeError(.badValue, "eventId must be a string or a number.")
        }
        return FunctionReply(
            function: name.isEmpty ? ["receiveScanResult"] : try CallbackName.path(name), eventID: eventID,
            answersCancel: try message.truth("answersCancel") ?? false)
    }
}
