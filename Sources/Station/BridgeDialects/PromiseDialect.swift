extension BridgeDialect {
    /// `await quietzone.scan({source, formats, timeout})`.
    public static let promise = BridgeDialect(
        name: "promise", file: "promise.js", parse: PromiseDialect.parse)
}

/// The dialect of our own runtime: `await quietzone.scan({source, formats, timeout})`.
///
/// All fields are optional.
///
/// `source` is `camera`, `album` or `any`. `formats` is an array of names as in docs/reference/json.md. `timeout` is
/// in seconds.
enum PromiseDialect {
    static func parse(_ message: BridgeMessage) throws(BridgeError) -> ParsedRequest {
        switch message.json {
        case .null, .object: break
        default:
            throw BridgeError(.unknownMessage, "quietzone.scan needs an object with source, formats and timeout.")
        }
        return try ParsedRequest(message, reply: PromiseReply())
    }
}

/// Settles a promise of the page's runtime.
struct PromiseReply: BridgeReply {}
