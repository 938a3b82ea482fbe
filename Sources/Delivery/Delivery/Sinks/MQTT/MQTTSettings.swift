/// How a broker is reached, and what it is told besides events.
struct MQTTSettings: Sendable {
    /// A message that the broker keeps for who comes later.
    struct Retained: Sendable, Hashable {
        var topic: String
        var payload: [UInt8]
    }

    var broker: BrokerAddress
    /// The name that the broker knows the client by; nil where it gives one.
    var clientID: String?
    /// 5, or 4 for 3.1.1, as in the packets.
    var version: Int32 = 5
    var user: String?
    var password: String?
    var certificateAuthorities: String?
    var clientCertificate: String?
    var clientKey: String?
    /// Where `online` and `offline` are told; nil where they are not.
    var stateTopic: String?
    /// What is told at each connection, such as Home Assistant's discovery.
    var announcements: [Retained] = []

    /// Where commands are heard, and who takes them; nil where there are none.
    var commands: Commands?

    /// A topic at which commands are heard.
    struct Commands: Sendable {
        var topic: String
        var take: @Sendable (StationCommand) -> Void
    }

    /// Where Debian has the authorities that the system trusts.
    static let systemAuthorities = "/etc/ssl/certs"
}

/// A message for a topic.
struct MQTTMessage: Sendable, Hashable {
    /// The event's identifier.
    var id: String
    var topic: String
    var payload: [UInt8]
    var mediaType: String
    var isRetained: Bool
}
