internal import Glibc

/// Advice for an operator whose broker cannot be reached or refuses.
enum MQTTRemedy {
    /// The remedy for a system error, by its number.
    static func connection(errno number: Int32, isEncrypted: Bool) -> String? {
        switch number {
        case ECONNREFUSED: "check that the broker is running and listens on this port"
        case ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN:
            "check the network and the address of the broker"
        case ECONNRESET:
            isEncrypted
                ? "the broker may require clientCertificate and clientKey"
                : "if the broker requires TLS, begin its address with mqtts://"
        default: nil
        }
    }

    /// The remedy for an error message of OpenSSL.
    static func tls(_ complaint: String) -> String? {
        for (part, remedy) in [
            (
                "certificate verify failed",
                "if you trust the broker, set certificateAuthorities to the file of its authority"
            ),
            (
                "wrong version number",
                "this port does not use TLS; begin the address with mqtt://, or give the port for TLS"
            ),
            ("certificate required", "the broker requires clientCertificate and clientKey"),
            ("handshake failure", "the broker may require clientCertificate and clientKey"),
        ] where complaint.contains(part) { return remedy }
        return nil
    }

    /// The remedy for a refused connection (MQTT 5.0, table 3-1; MQTT 3.1.1, table 3.1).
    static func refusal(_ code: Int32, version: Int32) -> String? {
        switch (version, code) {
        // The answers of MQTT 3.1.1 brokers that do not know version 5.
        case (5, 0x01), (5, 0x84): "set mqttVersion: 3.1.1"
        case (5, 0x85), (4, 0x02): "set another clientID"
        case (5, 0x86), (5, 0x87), (4, 0x04), (4, 0x05):
            "check userFile and passwordFile, and the permissions of this user at the broker"
        default: nil
        }
    }

    /// The remedy for a refused message (MQTT 5.0, table 3-8).
    static func message(_ code: Int32) -> String? {
        code == 0x87 ? "permit this user to publish to the topic in the broker's access list" : nil
    }

    /// A reason together with its remedy.
    static func sentence(_ reason: String, _ remedy: String?) -> String {
        remedy.map { "\(reason); \($0)" } ?? reason
    }
}
