internal import Synchronization

/// Those who listen to events.
final class EventHub: Sendable {
    /// The most of them.
    static let most = 64

    private struct State {
        var clients: [ObjectIdentifier: EventClient] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a client; nil where there are too many.
    func open(session: String?, wantsView: Bool) -> EventClient? {
        let client = EventClient(session: session, wantsView: wantsView)
        return state.withLock { state in
            guard state.clients.count < Self.most, !state.isClosed else { return nil }
            state.clients[ObjectIdentifier(client)] = client
            return client
        }
    }

    func remove(_ client: EventClient) {
        state.withLock { _ = $0.clients.removeValue(forKey: ObjectIdentifier(client)) }
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
        for client in clients where client.hears(message.audience) { client.put(message) }
    }

    /// Tells those who may read scans that there are new ones.
    func publishScans() {
        for client in clients where client.session == nil { client.putScans() }
    }

    func beat() {
        for client in clients { client.putHeartbeat() }
    }
}
