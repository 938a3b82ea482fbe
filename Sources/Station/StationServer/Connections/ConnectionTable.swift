/// Who is connected, and who makes room when too many are.
///
/// A value without sockets and without a clock; times are handed in. On loopback all programs share one address, so
/// that a number for each address protects nobody there: whoever has been idle longest makes room for whoever comes.
struct ConnectionTable: Sendable {
    /// How many there may be, and how many of one address other than loopback's.
    struct Limits: Sendable, Hashable {
        var maximum = 1024
        var maximumOfAddress = 256
    }

    /// What becomes of one that comes.
    enum Admission: Sendable, Hashable {
        /// It is in, under this number; another has to be closed for it.
        case admitted(Int, closing: Int?)
        /// All are being answered.
        case refused
    }

    private struct Connection {
        var address: String
        /// Whether it has ever sent a whole header.
        var hasAsked = false
        /// Since when it has no request that is being answered; nil while it has one.
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

    /// Takes one in that comes from an address; nil stands for loopback.
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

    /// A request is being answered.
    mutating func answer(_ number: Int) {
        connections[number]?.hasAsked = true
        connections[number]?.idleSince = nil
    }

    /// Every request has been answered.
    mutating func rest(_ number: Int, now: Duration) { connections[number]?.idleSince = now }

    mutating func leave(_ number: Int) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        counts[connection.address, default: 1] -= 1
        if counts[connection.address] == 0 { counts[connection.address] = nil }
    }

    /// The one that has been idle longest; one that never asked for anything before one that did.
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
