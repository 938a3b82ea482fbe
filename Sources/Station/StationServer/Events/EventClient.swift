internal import Synchronization

/// A client of server-sent events, and its queue.
final class EventClient: Sendable {
    /// The limits of the queue of events without an identifier: their number, and their size in bytes.
    static let maximumMessages = 256
    static let maximumBytes = 1 << 20

    /// The events since the client's last read.
    struct Batch: Sendable {
        var messages: [[UInt8]] = []
        /// The number of events that were dropped, because the client was too slow.
        var dropped = 0
        /// Indicates whether there may be new scans.
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

    let quotaUser: QuotaUser
    /// The session of the page; `nil` for a client with the station's token.
    var session: String? { quotaUser.session }
    let wantsView: Bool
    /// Indicates whether the client is the page in front of a person, which gets the scans of guns while no page
    /// requests one.
    let wantsGun: Bool
    private let state = Mutex(State())

    init(_ user: QuotaUser, wantsView: Bool, wantsGun: Bool = false) {
        quotaUser = user
        self.wantsView = wantsView
        self.wantsGun = wantsGun
    }

    /// Indicates whether the client receives messages for this audience.
    func hears(_ audience: EventMessage.Audience) -> Bool {
        switch audience {
        case .station: session == nil
        case .session(let name): session == nil || session == name
        case .viewers: session == nil && wantsView
        case .gunListener: wantsGun
        }
    }

    /// Queues a message, or counts it as dropped if the queue is full.
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

    /// Closes the client; queued events are discarded.
    func close() { change { $0.isClosed = true } }

    /// Waits for events and returns them; `nil` once the client is closed.
    ///
    /// Only one task may call this.
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
