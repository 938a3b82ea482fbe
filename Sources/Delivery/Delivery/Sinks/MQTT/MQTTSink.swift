/// Publishes each event to a broker (MQTT 5.0 or 3.1.1, QoS 1).
///
/// It counts as delivered once the broker acknowledges it.
public final class MQTTSink: Sink {
    private let connection: MQTTConnection
    private let topic: MQTTTopic
    private let isRetained: Bool
    private let timeout: Duration

    init(_ settings: MQTTSettings, topic: MQTTTopic, isRetained: Bool, timeout: Duration) {
        connection = MQTTConnection(settings)
        self.topic = topic
        self.isRetained = isRetained
        self.timeout = timeout
    }

    /// Connects, so that the broker knows of the station before its first scan.
    public func open() async { connection.open() }

    /// Publishes a message once.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        guard let event = message.event else { return .refused(FileSink.damage) }
        guard let name = topic.name(for: event) else {
            return .refused("the event lacks a field of its topic, or the topic is too long")
        }
        return await connection.publish(
            MQTTMessage(
                id: message.id, topic: name, payload: [UInt8](message.body), mediaType: message.mediaType,
                isRetained: isRetained), timeout: timeout)
    }

    /// Disconnects from the broker.
    public func close() async { await connection.close() }
}
