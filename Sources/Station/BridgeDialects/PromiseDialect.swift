extension BridgeDialect {
    /// `await quietzone.scan({source, formats, timeout})`.
    public static let promise = BridgeDialect(
        name: "promise", file: "promise.js", parse: PromiseDialect.parse)
}

/// The dialect of our own runtime: `await quietzone.scan({source, formats, timeout})`, each of them optional.
///
/// `source` is `camera`, `album` or `any`, `formats` an array of names as in docs/reference/json.md, `timeout` a number of seconds.
enum PromiseDialect {
    static func parse(_ message: BridgeMessage) throws(BridgeError) -> ParsedRequest {
        switch message.json {
        case .null, .object: break
        default:
            throw BridgeError(.unknownMessage, "quietzone.scan takes an object with source, formats and timeout.")
        }
        return try ParsedRequest(message, reply: PromiseReply())
    }
}

/// The page's runtime settles a promise.
struct PromiseReply: BridgeReply {}
