internal import FoundationEssentials
internal import ScanEvents

extension DestinationKey {
    /// The keys of an HTTP destination about requests and responses.
    static let exchange: [DestinationKey] = [
        DestinationKey("method", "`POST`, `PUT` or `PATCH`", fallback: "`POST`"),
        DestinationKey(
            "headers",
            "a list of headers and their values: `X-Station={{station}}`; without one that refers to a field which "
                + "an event lacks", form: .list, fallback: "none"),
        DestinationKey(
            "headerFiles",
            "a list of headers whose values are secret, each with a file that has the value on its first line: "
                + "`Authorization=/etc/quietzone/api.token`", form: .list, fallback: "none"),
        DestinationKey("userFile", "a file with the user's name on its first line"),
        DestinationKey("passwordFile", "a file with the password on its first line"),
        DestinationKey("tokenFile", "a file with a bearer token on its first line"),
        DestinationKey(
            "tokenURL",
            "the URL of a token endpoint (OAuth 2.0, client credentials), with `clientID` and "
                + "`clientSecretFile`"),
        DestinationKey("clientID", "the client's name at the token endpoint"),
        DestinationKey("clientSecretFile", "a file with the client's secret on its first line"),
        DestinationKey("scope", "the scope of the token", fallback: "none"),
        DestinationKey(
            "fields",
            "a list of the fields of the forms `form` and `multipart`: `barcode={{symbol.text}}`; without one that "
                + "refers to a field which an event lacks", form: .list),
        DestinationKey(
            "pictureField",
            "the name under which the form `multipart` has the picture of an event that has `evidence`",
            fallback: "not sent"),
        DestinationKey(
            "deliveredStatus", "a list: only these statuses count as delivered", form: .list, fallback: "200 to 299"),
        DestinationKey(
            "deliveredField",
            "a field of the JSON response and its value, such as `status=success`, without which an event does not "
                + "count as delivered; nor does it after a response of more than 1 MiB", fallback: "none"),
    ]
}

extension DestinationValues {
    /// Headers that follow from the request or are set by other keys.
    private static let reservedHeaders: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade", "webhook-id", "webhook-signature", "webhook-timestamp",
    ]
    /// Headers whose values are secret.
    private static let secretHeaders: Set<String> = ["authorization", "cookie", "proxy-authorization", "x-api-key"]

    /// Reads the keys about the address and its certificates; `nil` if the URL is missing or invalid.
    mutating func receiver(secrets: [WebhookSecret] = []) -> HTTPReceiver? {
        if let address = text("address"), !AddressPin.isAddress(address) {
            report("address", "\"\(address)\" is not an IP address")
        }
        checkCertificates("certificateAuthorities")
        let allowsPrivateAddress = flag("allowPrivateAddress")
        guard let url = text("url") else {
            report("url", "is missing")
            return nil
        }
        do throws(ConfigurationError) {
            return try HTTPReceiver(
                url: url, secrets: secrets, certificateAuthorities: text("certificateAuthorities"),
                address: text("address"), allowsPrivateAddress: allowsPrivateAddress)
        } catch {
            report("url", error.description)
            return nil
        }
    }

    /// Reads the keys about requests and responses.
    ///
    /// - Parameter receiver: the receiver, if its URL is valid.
    mutating func exchange(with receiver: HTTPReceiver?) -> HTTPExchange {
        var exchange = HTTPExchange()
        exchange.method =
            value("method", "POST, PUT or PATCH") { ["POST", "PUT", "PATCH"].contains($0) ? $0 : nil } ?? "POST"
        if let url = receiver?.url, url.contains("{{") {
            exchange.url = template("url", url)
            let host = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)[2]
                .prefix { $0 != "/" && $0 != "?" }
            if host.contains("{") { report("url", "has a placeholder in the host; only path and query can have one") }
        }
        readHeaders(&exchange)
        exchange.authorization = authorization(receiver)
        let isAuthorized = if case .none = exchange.authorization { false } else { true }
        if isAuthorized, exchange.secretHeaders.contains(where: { $0.name.lowercased() == "authorization" }) {
            report("headerFiles", "has Authorization, which another key sets too; remove one of them")
        }
        for text in list("deliveredStatus") {
            if let status = Int(text), (200...599).contains(status) {
                exchange.acceptance.statuses.insert(status)
            } else {
                report("deliveredStatus", "\"\(text)\" is not a status from 200 to 599")
            }
        }
        exchange.acceptance.field = field("deliveredField", example: "status=success")
        exchange.pictureField = text("pictureField")
        if exchange.pictureField != nil, text("form") != "multipart" {
            report("pictureField", "needs the form multipart")
        }
        return exchange
    }

    /// A field of a JSON answer and its value; `nil` if there is none.
    mutating func field(_ key: String, example: String) -> HTTPAcceptance.Field? {
        value(key, "FIELD=VALUE, such as \(example)") { text in
            Self.halves(text).flatMap { half in
                JSONField.isPath(half.name) ? HTTPAcceptance.Field(path: half.name, value: half.value) : nil
            }
        }
    }

    /// Indicates whether a key other than those of the signature identifies the sender.
    var isAuthenticated: Bool {
        ["headerFiles", "userFile", "tokenFile", "tokenURL"].contains { isSet($0) }
    }

    private mutating func readHeaders(_ exchange: inout HTTPExchange) {
        for text in list("headers") {
            guard let (name, value) = header(text, "headers") else { continue }
            if Self.secretHeaders.contains(name.lowercased()) {
                report("headers", "has \(name), whose value is a secret; put it into a file and use headerFiles")
            } else if let value = template("headers", value) {
                exchange.headers.append(HTTPExchange.Header(name: name, value: value))
            }
        }
        for text in list("headerFiles") {
            guard let (name, path) = header(text, "headerFiles") else { continue }
            recordSecret(inFile: path)
            do throws(ConfigurationError) {
                let line = String(
                    decoding: try SmallFile.read(path).prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
                if line.isEmpty || line.hasControlCharacters {
                    report("headerFiles", "the first line of the file \(path) is empty or has control characters")
                }
                exchange.secretHeaders.append((name, line))
            } catch {
                report("headerFiles", error.description)
            }
        }
    }

    private mutating func header(_ text: String, _ key: String) -> (name: String, value: String)? {
        guard let (name, value) = Self.halves(text), name.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
            report(key, "has an entry that is not NAME=VALUE, such as X-Station={{station}}")
            return nil
        }
        let isForm = ["form", "multipart"].contains(self.text("form"))
        if Self.reservedHeaders.contains(name.lowercased()) || isForm && name.lowercased() == "content-type" {
            report(key, "has \(name), which cannot be set")
            return nil
        }
        return (name, value)
    }

    private mutating func authorization(_ receiver: HTTPReceiver?) -> HTTPExchange.Authorization {
        let ways = ["userFile", "tokenFile", "tokenURL"].filter { isSet($0) }
        if ways.count > 1 { report(ways[1], "is set in addition to \(ways[0]); use one of them") }
        for (key, other) in [("userFile", "passwordFile"), ("tokenURL", "clientID"), ("tokenURL", "clientSecretFile")] {
            if isSet(key), !isSet(other) { report(other, "is missing: \(key) needs it") }
            if isSet(other), !isSet(key) { report(other, "is set without \(key)") }
        }
        if isSet("scope"), !isSet("tokenURL") { report("scope", "is set without tokenURL") }
        let user = headerLine("userFile", isSecret: false)
        let password = headerLine("passwordFile", isSecret: true)
        let token = headerLine("tokenFile", isSecret: true)
        let secret = headerLine("clientSecretFile", isSecret: true)
        if user?.contains(":") == true { report("userFile", "the name in the file contains a colon") }
        if let user, let password {
            return .fixed("Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
        }
        if let token { return .fixed("Bearer \(token)") }
        guard let url = text("tokenURL"), let id = text("clientID"), let secret else { return .none }
        do throws(ConfigurationError) {
            var endpoint = try HTTPReceiver(
                url: url, certificateAuthorities: text("certificateAuthorities"),
                allowsPrivateAddress: flag("allowPrivateAddress"))
            // A name has one address in a program.
            if endpoint.host == receiver?.host { endpoint.address = receiver?.address }
            return .clientCredentials(
                AccessTokens.Client(endpoint: endpoint, id: id, secret: secret, scope: text("scope")))
        } catch {
            report("tokenURL", error.description)
            return .none
        }
    }

    /// The first line of a file, which must be a valid header value.
    private mutating func headerLine(_ key: String, isSecret: Bool) -> String? {
        let line = firstLine(key, isSecret: isSecret)
        if line?.hasControlCharacters == true { report(key, "the first line of the file has control characters") }
        return line
    }

    private mutating func template(_ key: String, _ text: String) -> TextTemplate? {
        do throws(SyntaxError) {
            return try TextTemplate(text)
        } catch {
            report(key, error.description)
            return nil
        }
    }

    private static func halves(_ text: String) -> (name: String, value: String)? {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return halves.count == 2 && !halves[0].isEmpty ? (halves[0], halves[1]) : nil
    }
}
