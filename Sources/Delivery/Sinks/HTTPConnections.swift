internal import AsyncHTTPClient
internal import NIOPosix
internal import ScanOutbox
internal import Synchronization

/// The connections to all receivers: one pool, in which each host's name is pinned to the address that it resolved to.
///
/// AsyncHTTPClient takes the pins of a client when it is made. A name that moves therefore makes a new client; the old
/// one ends with its last request.
public final class HTTPConnections: Sendable {
    private final class Pool: Sendable {
        let client: HTTPClient

        init(pins: [String: String]) {
            var configuration = HTTPClient.Configuration()
            configuration.redirectConfiguration = .disallow
            configuration.dnsOverride = pins
            configuration.httpVersion = .automatic
            configuration.decompression = .disabled
            // An attempt that cannot connect fails; when the next one is made is for the outbox to say.
            configuration.connectionPool.retryConnectionEstablishment = false
            // Each destination bounds its own attempts. A bound of the pool would let one that hangs take the
            // connections of another on the same host.
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4096
            client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        }
    }

    private struct State {
        var pins: [String: String] = [:]
        var resolvedAt: [String: ContinuousClock.Instant] = [:]
        var pool: Pool?
        var users: [ObjectIdentifier: Int] = [:]
        var retired: [ObjectIdentifier: Pool] = [:]
    }

    /// How long a name's address is used before the name is resolved again.
    private static let addressLifetime: Duration = .seconds(60)

    private let state = Mutex(State())

    /// No connection yet.
    public init() {}

    /// Runs a request with the client in which the receiver's name is pinned.
    ///
    /// A request that throws makes the next one resolve the name again.
    func withClient<Value>(for receiver: HTTPReceiver, _ body: (HTTPClient) async throws -> Value) async throws -> Value
    {
        let pool = try await pool(for: receiver)
        do {
            let value = try await body(pool.client)
            await leave(pool)
            return value
        } catch {
            state.withLock { $0.resolvedAt[receiver.host] = nil }
            await leave(pool)
            throw error
        }
    }

    private func pool(for receiver: HTTPReceiver) async throws -> Pool {
        let host = receiver.host
        let isFresh = state.withLock { state in
            state.resolvedAt[host].map { ContinuousClock.now - $0 < Self.addressLifetime } ?? false
        }
        let address = isFresh ? nil : try await AddressPin.address(for: receiver)
        return state.withLock { state in
            if let address {
                state.resolvedAt[host] = .now
                if state.pins[host] != address {
                    state.pins[host] = address
                    if let old = state.pool { state.retired[ObjectIdentifier(old)] = old }
                    state.pool = nil
                }
            }
            let pool = state.pool ?? Pool(pins: state.pins.filter { $0.key != $0.value })
            state.pool = pool
            state.users[ObjectIdentifier(pool), default: 0] += 1
            return pool
        }
    }

    private func leave(_ pool: Pool) async {
        let key = ObjectIdentifier(pool)
        let mustEnd = state.withLock { state in
            state.users[key, default: 0] -= 1
            guard state.users[key] == 0 else { return false }
            state.users[key] = nil
            return state.retired.removeValue(forKey: key) != nil
        }
        if mustEnd { try? await pool.client.shutdown() }
    }

    /// Closes every connection.
    public func close() async {
        let pools = state.withLock { state in
            let pools = Array(state.retired.values) + (state.pool.map { [$0] } ?? [])
            state = State()
            return pools
        }
        for pool in pools { try? await pool.client.shutdown() }
    }
}
