internal import Synchronization

/// One who listens to events, and what waits for it.
final class EventClient: Sendable {
    /// The most events without an identifier that wait, and the most bytes of them.
    static let maximumMessages = 256
    static let maximumBytes = 1 << 20

    /// What has come since the client last looked.
    struct Batch: Sendable {
        var messages: [[UInt8]] = []
        /// How many more were dropped, because the client was too slow.
        var dropped = 0
        /// Whether there may be new scans.
        var hasScans = false
        var hasHeartbeat = false

        var isEmpty: Bool { messages.isEmpty && dropped == 0 && !hasScans && !hasHeartbeat }
    }

    private struct State {
        var batch = Batch()
        var bytes = 0
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    let party: Party
    /// The session of the page; nil for whoever has the station's token.
    var session: String? { party.session }
    let wantsView: Bool
    /// Whether it is a page in front of a person, which takes what guns scan while no page asks.
    let wantsGun: Bool
    private let state = Mutex(State())

    init(_ party: Party, wantsView: Bool, wantsGun: Bool = false) {
        self.party = party
        self.wantsView = wantsView
        self.wantsGun = wantsGun
    }

    /// Whether a message is for this client.
    func hears(_ audience: EventMessage.Audience) -> Bool {
        switch audience {
        case .station: session == nil
        case .session(let name): session == nil || session == name
        case .viewers: session == nil && wantsView
        case .gunListener: wantsGun
        }
    }

    /// Adds a message, or counts it where too many wait.
    func put(_ message: EventMessage) {
        change { state in
            if state.batch.messages.count < Self.maximumMessages
                && state.bytes + message.bytes.count <= Self.maximumBytes
            {
                state.batch.messages.append(message.bytes)
                state.bytes += message.bytes.count
            } else {
                state.batch.dropped += 1
            }
        }
    }

    func putScans() { change { $0.batch.hasScans = true } }

    func putHeartbeat() { change { $0.batch.hasHeartbeat = true } }

    /// Ends it; what waits is not handed out any more.
    func close() { change { $0.isClosed = true } }

    /// What has come, as soon as something has; nil once the client is closed.
    ///
    /// For one task.
    func next() async -> Batch? {
        while true {
            let batch: Batch?? = state.withLock { state in
                if state.isClosed { return .some(nil) }
                if state.batch.isEmpty { return nil }
                defer { (state.batch, state.bytes) = (Batch(), 0) }
                return state.batch
            }
            if let batch { return batch }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let mustWait = state.withLock { state in
                        guard state.batch.isEmpty && !state.isClosed else { return false }
                        state.waiter = continuation
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                close()
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
