internal import Logging
internal import Synchronization

/// The connected clients of server-sent events.
final class EventHub: Sendable {
    /// The limits for the number of clients.
    ///
    /// A page needs one, and for a moment a second one when it reconnects.
    static let quota = Quota(maximum: 64, maximumOfPages: 48, maximumOfOrigin: 24, maximumOfSession: 4)

    private struct State {
        var clients: [ObjectIdentifier: EventClient] = [:]
        /// The clients that want the scans of guns; the newest is last.
        var gunListeners: [ObjectIdentifier] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a client.
    ///
    /// - Throws: ``HTTPFailure`` 429 or 503 if there are too many, or the hub is closed.
    func open(_ user: QuotaUser, wantsView: Bool, wantsGun: Bool = false) throws(HTTPFailure) -> EventClient {
        let client = EventClient(user, wantsView: wantsView, wantsGun: wantsGun)
        let limit: Quota.Limit? = state.withLock { state in
            if state.isClosed { return .all }
            if let limit = Self.quota.limit(for: user, among: state.clients.values.map(\.quotaUser)) { return limit }
            state.clients[ObjectIdentifier(client)] = client
            if wantsGun { state.gunListeners.append(ObjectIdentifier(client)) }
            return nil
        }
        if let limit {
            throw HTTPFailure(
                limit, of: Self.quota, reason: "too_many_listeners", what: "event streams open", retryAfter: 5)
        }
        return client
    }

    func remove(_ client: EventClient) {
        state.withLock { state in
            state.clients[ObjectIdentifier(client)] = nil
            state.gunListeners.removeAll { $0 == ObjectIdentifier(client) }
        }
        client.close()
    }

    /// Disconnects all clients, and admits no more.
    func close() {
        let clients = state.withLock { state in
            state.isClosed = true
            return Array(state.clients.values)
        }
        for client in clients { client.close() }
    }

    var clients: [EventClient] { state.withLock { Array($0.clients.values) } }

    /// Indicates whether a client wants the symbols in view.
    var hasViewers: Bool { clients.contains { $0.hears(.viewers) } }

    func publish(_ message: EventMessage) {
        if case .gunListener = message.audience {
            // At most one page gets it: one scan must be typed once.
            state.withLock { state in state.gunListeners.last.flatMap { state.clients[$0] } }?.put(message)
            return
        }
        for client in clients where client.hears(message.audience) { client.put(message) }
    }

    /// Publishes a value, which is encoded as JSON.
    func publish(_ name: String, _ data: some Encodable, to audience: EventMessage.Audience, logger: Logger) {
        do {
            publish(try EventMessage(name, data, to: audience))
        } catch {
            logger.error("Could not encode an event", metadata: ["event": "\(name)", "error": "\(error)"])
        }
    }

    /// Notifies clients with the station's token of new scans.
    func publishScans() {
        for client in clients where client.session == nil { client.putScans() }
    }

    func heartbeat() {
        for client in clients { client.putHeartbeat() }
    }
}
