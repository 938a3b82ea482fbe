/// The dialect of our own runtime: `await quietzone.scan({source, formats, timeout})`, each of them optional.
///
/// `source` is `camera`, `album` or `any`, `formats` an array of names as in docs/json.md, `timeout` a number of seconds.
enum PromiseDialect {
    static func parse(_ message: Message) throws(BridgeError) -> ParsedRequest {
        switch message.json {
        case .null, .object: break
        default:
            throw BridgeError(.unknownMessage, "quietzone.scan takes an object with source, formats and timeout.")
        }
        return ParsedRequest(
            source: try message.source(), formats: try RequestedFormats(message.names("formats")),
            timeout: try message.timeout(), reply: .promise)
    }
}
