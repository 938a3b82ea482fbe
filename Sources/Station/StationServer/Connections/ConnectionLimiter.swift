internal import NIOCore
internal import Synchronization

/// Limits the connections of the server; closes idle ones if others need room.
final class ConnectionLimiter: Sendable {
    private struct State {
        var table: ConnectionTable
        var channels: [Int: any Channel] = [:]
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> Duration

    init(_ limits: ConnectionTable.Limits, now: @escaping @Sendable () -> Duration) {
        state = Mutex(State(table: ConnectionTable(limits)))
        self.now = now
    }

    var count: Int { state.withLock { $0.table.count } }

    /// Admits a connection; `nil` if there is no room for it.
    func enter(_ channel: any Channel) -> Int? {
        let remote = channel.remoteAddress
        let address = remote.flatMap { $0.isLoopback ? nil : $0.ipAddress }
        let (admission, closed) = state.withLock { state -> (ConnectionTable.Admission, (any Channel)?) in
            let admission = state.table.enter(from: address, now: now())
            guard case .admitted(let number, let closing) = admission else { return (admission, nil) }
            state.channels[number] = channel
            return (admission, closing.flatMap { state.channels.removeValue(forKey: $0) })
        }
        if let closed {
            StationMetrics.connectionClosed(because: "room")
            closed.close(promise: nil)
        }
        guard case .admitted(let number, _) = admission else {
            StationMetrics.connectionClosed(because: "refused")
            return nil
        }
        return number
    }

    func answer(_ number: Int) { state.withLock { $0.table.answer(number) } }

    func rest(_ number: Int) { state.withLock { $0.table.rest(number, now: now()) } }

    func leave(_ number: Int) {
        state.withLock { state in
            state.table.leave(number)
            state.channels[number] = nil
        }
    }
}

extension SocketAddress {
    /// Indicates whether the address is loopback, including IPv4 addresses mapped to IPv6.
    var isLoopback: Bool {
        guard let address = ipAddress else { return false }
        return address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }
}
