/// The dialect of the hospital's app: `webkit.messageHandlers.scanCode.postMessage(...)`.
///
/// The handler has but one purpose, so that any string asks for a scan: pages send `'scanCode'` and `''`. An object, as
/// it is or as its JSON, may hold `callback` (a name; else `receiveScanResult`), `onlyFromCamera` and `eventId`, which is
/// handed back as the second argument; `formats`, `source` and `timeout` are taken as in the dialect of the promise.
enum HospitalDialect {
    static func parse(_ message: Message) throws(BridgeError) -> ParsedRequest {
        switch message.json {
        case .null, .string, .object: break
        default:
            throw BridgeError(
                .unknownMessage, "scanCode takes a string, or an object with callback, onlyFromCamera and eventId.")
        }
        return ParsedRequest(
            source: try message.source(), formats: try RequestedFormats(message.names("formats")),
            timeout: try message.timeout(), reply: try function(message))
    }

    /// The function that the page wants called, and its identifier.
    static func function(_ message: Message) throws(BridgeError) -> BridgeRequest.Reply {
        let name = try message.text("callback") ?? ""
        let eventID = message["eventId"]
        switch eventID {
        case nil, .string, .integer, .number, .bool: break
        default: throw BridgeError(.badValue, "eventId takes a string or a number.")
        }
        return .function(name.isEmpty ? ["receiveScanResult"] : try CallbackName.path(name), eventID: eventID)
    }
}
