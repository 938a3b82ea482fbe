extension DestinationKind {
    /// Posts each event to a URL, according to Standard Webhooks.
    public static let http = DestinationKind(
        name: "http", summary: "sends each event to a URL, signed according to Standard Webhooks",
        keys: [
            DestinationKey(
                "url",
                "the only URL that events are sent to. It must not contain a user name or password. Its path and query "
                    + "may have placeholders: `https://stock.example/api/items/{{symbol.text}}`"),
            DestinationKey(
                "secretFile",
                "a file with the secret: `whsec_` and base64. During a rotation it has several, one per line, and "
                    + "all of them sign"),
            DestinationKey(
                "secretEnvironment", "or an environment variable with the secret; several are separated by spaces"),
            DestinationKey(
                "unsigned", "`true` if there is no secret; not needed if another key says who the sender is",
                fallback: "`false`"),
            DestinationKey.certificateAuthorities,
            DestinationKey(
                "allowPrivateAddress",
                "whether the *host name* may resolve to a private address. A literal address or `localhost` in the "
                    + "URL is always allowed", fallback: "`false`"),
            DestinationKey(
                "address",
                "the IP address to connect to instead of resolving the name; certificates are still checked against "
                    + "the name", fallback: "resolved"),
        ] + DestinationKey.exchange
    ) { values in
        let receiver = values.receiver(secrets: secrets(&values))
        let exchange = values.exchange(with: receiver)
        guard let receiver else { return nil }
        return { clients, timeout throws(ConfigurationError) in
            try HTTPCallbackSink(receiver, exchange, connections: clients.http, timeout: timeout)
        }
    }

    /// The signing secrets of a destination, from a file with one a line, or from an environment variable,
    /// separated by spaces.
    ///
    /// No error message contains them.
    private static func secrets(_ values: inout DestinationValues) -> [WebhookSecret] {
        let text: String
        let from: String
        let isUnsigned = values.flag("unsigned")
        if values.isSet("secretFile") {
            from = "secretFile"
            if values.isSet("secretEnvironment") {
                values.report("secretEnvironment", "is set in addition to secretFile; use one of them")
            }
            guard let bytes = values.secretFile(from) else { return [] }
            text = String(decoding: bytes, as: UTF8.self)
        } else if let variable = values.text("secretEnvironment") {
            from = "secretEnvironment"
            guard let value = values.secret(inVariable: variable) else {
                values.report(from, "the environment has no variable \(variable)")
                return []
            }
            text = value
        } else {
            if !isUnsigned && !values.isAuthenticated {
                values.report(
                    "secretFile",
                    "is missing: name a file or a variable with the secret (secretEnvironment), "
                        + "or set \"unsigned: true\"")
            }
            return []
        }
        if isUnsigned { values.report("unsigned", "is true, but a secret is configured; remove one of them") }
        var secrets: [WebhookSecret] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            do throws(ConfigurationError) {
                secrets.append(try WebhookSecret(String(word)))
            } catch {
                values.report(from, "the value \(error.description)")
            }
        }
        if text.allSatisfy(\.isWhitespace) { values.report(from, "contains no secret") }
        return secrets
    }
}
