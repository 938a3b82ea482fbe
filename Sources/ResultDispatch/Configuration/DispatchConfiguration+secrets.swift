internal import FoundationEssentials

extension DispatchConfiguration {
    static func receiver(
        _ values: inout ConfigurationValues, _ key: (String) -> String, _ environment: [String: String]
    ) -> HTTPReceiver? {
        guard let url = values.text(key("url")) else {
            values.report(key("url"), "is missing")
            return nil
        }
        let secrets = secrets(&values, key, environment)
        if let address = values.text(key("address")), !AddressPin.isAddress(address) {
            values.report(key("address"), "\"\(address)\" is no IP address")
        }
        let authorities = values.text(key("certificateAuthorities"))
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            values.report(key("certificateAuthorities"), "the file \(authorities) cannot be read")
        }
        do throws(ConfigurationError) {
            return try HTTPReceiver(
                url: url, secrets: secrets, certificateAuthorities: authorities,
                address: values.text(key("address")), allowsPrivateAddress: values.flag(key("allowPrivateAddress")))
        } catch {
            values.report(key("url"), error.description)
            return nil
        }
    }

    /// The secrets of a destination: from a file, one a line, or from a variable, separated by spaces.
    ///
    /// No message repeats what stands there.
    private static func secrets(
        _ values: inout ConfigurationValues, _ key: (String) -> String, _ environment: [String: String]
    ) -> [WebhookSecret] {
        let text: String
        let from: String
        if let file = values.text(key("secretFile")) {
            from = key("secretFile")
            guard let data = FileManager.default.contents(atPath: file) else {
                values.report(from, "the file \(file) cannot be read")
                return []
            }
            text = String(decoding: data, as: UTF8.self)
            if values.text(key("secretEnvironment")) != nil {
                values.report(key("secretEnvironment"), "stands beside secretFile; one of them is enough")
            }
        } else if let variable = values.text(key("secretEnvironment")) {
            from = key("secretEnvironment")
            guard let value = environment[variable] else {
                values.report(from, "the environment has no variable \(variable)")
                return []
            }
            text = value
        } else {
            if !values.flag(key("unsigned")) {
                values.report(
                    key("secretFile"),
                    "is missing: name a file or a variable with the secret (secretEnvironment), "
                        + "or say \"unsigned: true\"")
            }
            return []
        }
        var secrets: [WebhookSecret] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            do throws(ConfigurationError) {
                secrets.append(try WebhookSecret(String(word)))
            } catch {
                values.report(from, "what stands there \(error.description)")
            }
        }
        if text.allSatisfy(\.isWhitespace) { values.report(from, "holds no secret") }
        return secrets
    }
}
