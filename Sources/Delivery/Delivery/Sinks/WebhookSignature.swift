internal import Cryptography
internal import FoundationEssentials

/// A secret for signing, by which receivers verify signatures.
///
/// Its descriptions do not reveal it.
public struct WebhookSecret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let key: [UInt8]

    /// Parses a secret: `whsec_` and the base64 of 24 to 64 bytes.
    ///
    /// - Throws: ``ConfigurationError``, which omits the text.
    public init(_ text: String) throws(ConfigurationError) {
        guard text.hasPrefix("whsec_"), let key = Data(base64Encoded: String(text.dropFirst(6))),
            (24...64).contains(key.count)
        else {
            throw ConfigurationError(
                "is not a secret of Standard Webhooks: \"whsec_\" and the base64 of 24 to 64 bytes; "
                    + "make one by: echo \"whsec_$(head -c 32 /dev/urandom | base64)\"")
        }
        self.key = [UInt8](key)
    }

    /// A placeholder for the secret.
    public var description: String { "a webhook secret" }
    /// The same placeholder, so that no debugger or log reveals the secret by accident.
    public var debugDescription: String { description }
    /// An empty mirror, which hides the secret.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// The signature of Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`.
enum WebhookSignature {
    /// The value of `webhook-signature`: one signature for each secret, separated by spaces.
    ///
    /// - Parameter timestamp: the time of the attempt, in seconds since 1970.
    static func header(secrets: [WebhookSecret], id: String, timestamp: Int64, body: Data) -> String {
        let signed = Data("\(id).\(timestamp).".utf8) + body
        return secrets.map { secret in
            "v1," + Data(HMACSHA256.code(for: signed, key: secret.key)).base64EncodedString()
        }.joined(separator: " ")
    }
}
