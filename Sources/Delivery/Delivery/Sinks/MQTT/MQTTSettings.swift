/// The settings of a broker connection, and the messages to publish besides events.
struct MQTTSettings: Sendable {
    /// A message that the broker retains for later subscribers.
    struct Retained: Sendable, Hashable {
        var topic: String
        var payload: [UInt8]
    }

    var broker: BrokerAddress
    /// The client identifier; `nil` to let the broker assign one.
    var clientID: String?
    /// The protocol version as in the packets: 5, or 4 for 3.1.1.
    var version: Int32 = 5
    var user: String?
    var password: String?
    var certificateAuthorities: String?
    var clientCertificate: String?
    var clientKey: String?
    /// The topic for `online` and `offline`; `nil` for none.
    var stateTopic: String?
    /// The messages to publish at each connection, such as Home Assistant's discovery.
    var announcements: [Retained] = []

    /// The source and receiver of commands; `nil` for none.
    var commands: Commands?

    /// A topic to receive commands from.
    struct Commands: Sendable {
        var topic: String
        var take: @Sendable (StationCommand) -> Void
    }

    /// The folder of Debian's trusted certificate authorities.
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
