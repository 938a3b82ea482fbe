internal import Synchronization

/// Those who listen to events.
final class EventHub: Sendable {
    /// How many there may be.
    ///
    /// A page needs one, and for a moment another when it connects again.
    static let quota = Quota(maximum: 64, maximumOfPages: 48, maximumOfOrigin: 24, maximumOfSession: 4)

    private struct State {
        var clients: [ObjectIdentifier: EventClient] = [:]
        /// Those that want what guns scan, the last that came at the end.
        var gunListeners: [ObjectIdentifier] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a client.
    ///
    /// - Throws: ``HTTPFailure`` 429 or 503 where there are too many, or the hub is closed.
    func open(_ party: Party, wantsView: Bool, wantsGun: Bool = false) throws(HTTPFailure) -> EventClient {
        let client = EventClient(party, wantsView: wantsView, wantsGun: wantsGun)
        let limit: Quota.Limit? = state.withLock { state in
            if state.isClosed { return .all }
            if let limit = Self.quota.limit(for: party, among: state.clients.values.map(\.party)) { return limit }
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

    /// Lets everybody go, and takes nobody any more.
    func close() {
        let clients = state.withLock { state in
            state.isClosed = true
            return Array(state.clients.values)
        }
        for client in clients { client.close() }
    }

    var clients: [EventClient] { state.withLock { Array($0.clients.values) } }

    /// Whether somebody wants to see what is in view.
    var hasViewers: Bool { clients.contains { $0.hears(.viewers) } }

    func publish(_ message: EventMessage) {
        if case .gunListener = message.audience {
            // One page at most: a code that is scanned once is typed once.
            state.withLock { state in state.gunListeners.last.flatMap { state.clients[$0] } }?.put(message)
            return
        }
        for client in clients where client.hears(message.audience) { client.put(message) }
    }

    /// Tells those who may read scans that there are new ones.
    func publishScans() {
        for client in clients where client.session == nil { client.putScans() }
    }

    func heartbeat() {
        for client in clients { client.putHeartbeat() }
    }
}
