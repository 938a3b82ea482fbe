internal import Cryptography
internal import FoundationEssentials

/// A secret that a receiver checks signatures with.
///
/// It never prints itself.
public struct WebhookSecret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let key: [UInt8]

    /// The secret that a text spells: `whsec_` and the base64 of 24 to 64 bytes.
    ///
    /// - Throws: ``ConfigurationError``, which does not repeat the text.
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

    /// A word that stands for the secret.
    public var description: String { "a webhook secret" }
    /// The same word: no debugger and no log shows the secret by accident.
    public var debugDescription: String { description }
    /// Nothing inside to look at.
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
