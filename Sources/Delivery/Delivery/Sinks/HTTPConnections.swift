internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import ScanEvents
internal import ScanOutbox
internal import Synchronization

/// The connections to all receivers: pools in which each host's name is pinned to the address that it resolved to, one
/// for each limit of time.
///
/// AsyncHTTPClient takes the pins of a client when it is made. A name that moves therefore makes a new client; the old
/// one ends with its last request.
public final class HTTPConnections: Sendable {
    private final class Pool: Sendable {
        let client: HTTPClient

        init(pins: [String: String], timeout: Duration) {
            // TLS 1.0 and 1.1 are no more: RFC 8996.
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
            configuration.redirectConfiguration = .disallow
            configuration.dnsOverride = pins
            configuration.httpVersion = .automatic
            configuration.decompression = .disabled
            // A connection that is being made, and its TLS handshake, cannot be taken back by whoever asked for it.
            configuration.timeout.connect = .milliseconds(timeout.milliseconds)
            // An attempt that cannot connect fails; when the next one is made is for the outbox to say.
            configuration.connectionPool.retryConnectionEstablishment = false
            // Each destination bounds its own attempts. A bound of the pool would let one that hangs take the
            // connections of another on the same host.
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4096
            client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        }

        /// Closes the connections; nobody waits for it.
        func end() { Task { try? await client.shutdown() } }
    }

    private struct State {
        var pins: [String: String] = [:]
        var resolvedAt: [String: ContinuousClock.Instant] = [:]
        /// The hosts that have answered, so that a connection to them may have been used before.
        var answered: Set<String> = []
        var pools: [Duration: Pool] = [:]
        var users: [ObjectIdentifier: Int] = [:]
        var retired: [ObjectIdentifier: Pool] = [:]
    }

    /// How long a name's address is used before the name is resolved again.
    private static let addressLifetime: Duration = .seconds(60)
    /// The longest wait for all connections to end: one that is being made cannot be closed.
    private static let closingTime: Duration = .seconds(1)

    private let state = Mutex(State())

    /// No connection yet.
    public init() {}

    /// Sends a request with the client in which the receiver's name is pinned.
    ///
    /// A receiver may end a connection at any time, after an answer, after many requests or when it is restarted, and a
    /// request that crosses that end on its way has never been looked at. Where a connection that was used before ends
    /// without a byte of an answer, the request is sent once more, over a connection of its own.
    ///
    /// A request that throws makes the next one resolve the name again.
    ///
    /// - Parameters:
    ///   - timeout: the limit for making a connection.
    ///   - read: reads an answer to its end.
    func send<Value>(
        _ request: HTTPClientRequest, to receiver: HTTPReceiver, timeout: Duration,
        read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        let pool = try await pool(for: receiver, timeout: timeout)
        defer { leave(pool) }
        do {
            let response: HTTPClientResponse
            do {
                response = try await pool.client.execute(request, deadline: .distantFuture)
            } catch  where HTTPFailure.isEndBeforeAnAnswer(error) && !Task.isCancelled && hasAnswered(receiver) {
                let fresh = Pool(pins: pins, timeout: timeout)
                defer { fresh.end() }
                return try await read(fresh.client.execute(request, deadline: .distantFuture))
            }
            // Before the answer is read to its end: from then on the next request may use the connection.
            state.withLock { _ = $0.answered.insert(receiver.host) }
            return try await read(response)
        } catch {
            forget(receiver)
            throw error
        }
    }

    private var pins: [String: String] { state.withLock { $0.pins.filter { $0.key != $0.value } } }

    private func hasAnswered(_ receiver: HTTPReceiver) -> Bool {
        state.withLock { $0.answered.contains(receiver.host) }
    }

    /// Forgets what is known of a receiver to which no request came through.
    private func forget(_ receiver: HTTPReceiver) {
        state.withLock { state in
            state.resolvedAt[receiver.host] = nil
            state.answered.remove(receiver.host)
        }
    }

    private func pool(for receiver: HTTPReceiver, timeout: Duration) async throws -> Pool {
        let host = receiver.host
        let isFresh = state.withLock { state in
            state.resolvedAt[host].map { ContinuousClock.now - $0 < Self.addressLifetime } ?? false
        }
        let address = isFresh ? nil : try await AddressPin.address(for: receiver)
        let (pool, unused) = state.withLock { state in
            var unused: [Pool] = []
            if let address {
                state.resolvedAt[host] = .now
                if state.pins[host] != address {
                    state.pins[host] = address
                    for old in state.pools.values {
                        if state.users[ObjectIdentifier(old)] == nil {
                            unused.append(old)
                        } else {
                            state.retired[ObjectIdentifier(old)] = old
                        }
                    }
                    state.pools = [:]
                }
            }
            let pool =
                state.pools[timeout] ?? Pool(pins: state.pins.filter { $0.key != $0.value }, timeout: timeout)
            state.pools[timeout] = pool
            state.users[ObjectIdentifier(pool), default: 0] += 1
            return (pool, unused)
        }
        for pool in unused { pool.end() }
        return pool
    }

    private func leave(_ pool: Pool) {
        let key = ObjectIdentifier(pool)
        let mustEnd = state.withLock { state in
            state.users[key, default: 0] -= 1
            guard state.users[key] == 0 else { return false }
            state.users[key] = nil
            return state.retired.removeValue(forKey: key) != nil
        }
        if mustEnd { pool.end() }
    }

    /// Closes every connection.
    public func close() async {
        let pools = state.withLock { state in
            let pools = Array(state.retired.values) + Array(state.pools.values)
            state = State()
            return pools
        }
        let closing = Task {
            await withDiscardingTaskGroup { group in
                for pool in pools { group.addTask { try? await pool.client.shutdown() } }
            }
        }
        _ = await closing.value(within: Self.closingTime)
    }
}

extension Task where Failure == Never {
    /// Waits for the value; nil after a time, or once the waiting task is cancelled, and then this task is cancelled and
    /// not waited for.
    func value(within limit: Duration) async -> Success? {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let first = loop.makePromise(of: Success?.self)
        let giveUp: @Sendable () -> Void = {
            self.cancel()
            first.succeed(nil)
        }
        // A timer of the event loop, because it goes when it is cancelled; one of the concurrency runtime stays.
        let timer = loop.scheduleTask(in: .milliseconds(limit.milliseconds), giveUp)
        defer { timer.cancel() }
        Task<Void, Never> { first.succeed(await self.value) }
        return await withTaskCancellationHandler {
            (try? await first.futureResult.get()) ?? nil
        } onCancel: {
            giveUp()
        }
    }
}
