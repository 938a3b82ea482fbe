/// The open connections, and the choice of the one to close if there are too many.
///
/// This value has no sockets and no clock; callers pass the time. On loopback all programs share one address, so a
/// limit per address protects nobody there. Instead, the connection that was idle longest makes room for a new one.
struct ConnectionTable: Sendable {
    /// The maximum number of connections, in all and per address other than loopback.
    struct Limits: Sendable, Hashable {
        var maximum = 1024
        var maximumOfAddress = 256
    }

    /// The result for a new connection.
    enum Admission: Sendable, Hashable {
        /// It is admitted under this number; `closing` is a connection that must be closed for it.
        case admitted(Int, closing: Int?)
        /// It is refused, because all others are in use.
        case refused
    }

    private struct Connection {
        var address: String
        /// Indicates whether it has ever sent a complete header.
        var hasAsked = false
        /// The time since when it has no active request; `nil` while it has one.
        var idleSince: Duration?
    }

    private let limits: Limits
    private var connections: [Int: Connection] = [:]
    private var counts: [String: Int] = [:]
    private var nextNumber = 0

    init(_ limits: Limits) {
        self.limits = limits
    }

    var count: Int { connections.count }

    /// Admits a connection from an address; `nil` stands for loopback.
    mutating func enter(from address: String?, now: Duration) -> Admission {
        let address = address ?? ""
        var closing: Int?
        if !address.isEmpty && counts[address, default: 0] >= limits.maximumOfAddress {
            closing = idlest { $0.address == address }
            if closing == nil { return .refused }
        } else if connections.count >= limits.maximum {
            closing = idlest { _ in true }
            if closing == nil { return .refused }
        }
        if let closing { leave(closing) }
        nextNumber += 1
        connections[nextNumber] = Connection(address: address, idleSince: now)
        counts[address, default: 0] += 1
        return .admitted(nextNumber, closing: closing)
    }

    /// Marks a connection as active: a request has arrived.
    mutating func answer(_ number: Int) {
        connections[number]?.hasAsked = true
        connections[number]?.idleSince = nil
    }

    /// Marks a connection as idle: all requests have been answered.
    mutating func rest(_ number: Int, now: Duration) { connections[number]?.idleSince = now }

    mutating func leave(_ number: Int) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        counts[connection.address, default: 1] -= 1
        if counts[connection.address] == 0 { counts[connection.address] = nil }
    }

    /// The connection that was idle longest; those that never sent a request come first.
    private func idlest(where isMeant: (Connection) -> Bool) -> Int? {
        let idle = connections.filter { $0.value.idleSince != nil && isMeant($0.value) }
        return idle.min { one, other in
            func rank(_ connection: (key: Int, value: Connection)) -> (Int, Duration, Int) {
                (connection.value.hasAsked ? 1 : 0, connection.value.idleSince ?? .zero, connection.key)
            }
            return rank(one) < rank(other)
        }?.key
    }
}
