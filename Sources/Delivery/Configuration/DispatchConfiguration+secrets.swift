internal import NIOSSL

extension DispatchConfiguration {
    static func receiver(
        _ values: inout ConfigurationValues, _ key: (String) -> String, _ environment: [String: String]
    ) -> HTTPReceiver? {
        let secrets = secrets(&values, key, environment)
        if let address = values.text(key("address")), !AddressPin.isAddress(address) {
            values.report(key("address"), "\"\(address)\" is no IP address")
        }
        checkAuthorities(&values, key("certificateAuthorities"))
        let allowsPrivateAddress = values.flag(key("allowPrivateAddress"))
        guard let url = values.text(key("url")) else {
            values.report(key("url"), "is missing")
            return nil
        }
        do throws(ConfigurationError) {
            return try HTTPReceiver(
                url: url, secrets: secrets, certificateAuthorities: values.text(key("certificateAuthorities")),
                address: values.text(key("address")), allowsPrivateAddress: allowsPrivateAddress)
        } catch {
            values.report(key("url"), error.description)
            return nil
        }
    }

    /// Reads the file of certificates once at the start: one that is wrong would only show at the first delivery.
    private static func checkAuthorities(_ values: inout ConfigurationValues, _ key: String) {
        guard let bytes = values.file(key) else { return }
        let certificates = bytes.isEmpty ? nil : try? NIOSSLCertificate.fromPEMBytes(bytes)
        if certificates?.isEmpty != false {
            values.report(
                key, "the file \(values.text(key) ?? "") holds no certificate in PEM, -----BEGIN CERTIFICATE-----")
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
        let isUnsigned = values.flag(key("unsigned"))
        if values.isSet(key("secretFile")) {
            from = key("secretFile")
            if values.isSet(key("secretEnvironment")) {
                values.report(key("secretEnvironment"), "stands beside secretFile; one of them is enough")
            }
            guard let bytes = values.file(from) else { return [] }
            text = String(decoding: bytes, as: UTF8.self)
        } else if let variable = values.text(key("secretEnvironment")) {
            from = key("secretEnvironment")
            guard let value = environment[variable] else {
                values.report(from, "the environment has no variable \(variable)")
                return []
            }
            text = value
        } else {
            if !isUnsigned {
                values.report(
                    key("secretFile"),
                    "is missing: name a file or a variable with the secret (secretEnvironment), "
                        + "or say \"unsigned: true\"")
            }
            return []
        }
        if isUnsigned { values.report(key("unsigned"), "is true, but there is a secret to sign with; take one out") }
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
