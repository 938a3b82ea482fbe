internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import ScanEvents
internal import ScanOutbox
internal import Synchronization

/// The connection pools to all receivers, one pool for each timeout.
///
/// Each host's name is pinned to its resolved address.
///
/// AsyncHTTPClient takes the pins of a client when it is created. So a name with a new address needs a new client;
/// the old one ends with its last request.
public final class HTTPConnections: Sendable {
    private final class Pool: Sendable {
        let client: HTTPClient

        init(pins: [String: String], timeout: Duration) {
            // TLS 1.0 and 1.1 are deprecated: RFC 8996.
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
            configuration.redirectConfiguration = .disallow
            configuration.dnsOverride = pins
            configuration.httpVersion = .automatic
            configuration.decompression = .disabled
            // The caller cannot cancel a connection that is being made, nor its TLS handshake.
            configuration.timeout.connect = .milliseconds(timeout.milliseconds)
            // A failed connection fails the attempt; the outbox decides on retries.
            configuration.connectionPool.retryConnectionEstablishment = false
            // Each destination limits its own attempts. A limit of the pool would let a hanging destination take
            // the connections of another on the same host.
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4096
            client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        }

        /// Closes the connections in the background.
        func end() { Task { try? await client.shutdown() } }
    }

    private struct State {
        var pins: [String: String] = [:]
        var resolvedAt: [String: ContinuousClock.Instant] = [:]
        /// The hosts that have answered, so that a connection to them may have been reused.
        var answered: Set<String> = []
        var pools: [Duration: Pool] = [:]
        var users: [ObjectIdentifier: Int] = [:]
        var retired: [ObjectIdentifier: Pool] = [:]
    }

    /// The time for which a resolved address is used.
    private static let addressLifetime: Duration = .seconds(60)
    /// The timeout for closing all connections: one that is being made cannot be closed.
    private static let closingTime: Duration = .seconds(1)

    private let state = Mutex(State())

    /// Creates pools without connections.
    public init() {}

    /// Sends a request with the client to which the receiver's name is pinned.
    ///
    /// A receiver may close a connection at any time: after a response, after many requests or on a restart. A
    /// request that it has not read is then lost. If a reused connection ends without a byte of a response, the
    /// request is sent once more, over a new connection.
    ///
    /// After a request that throws, the next one resolves the name again.
    ///
    /// - Parameters:
    ///   - timeout: the timeout for making a connection.
    ///   - read: reads a response to its end.
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
            } catch  where HTTPFailureReason.isEndBeforeAnAnswer(error) && !Task.isCancelled && hasAnswered(receiver) {
                let fresh = Pool(pins: pins, timeout: timeout)
                defer { fresh.end() }
                return try await read(fresh.client.execute(request, deadline: .distantFuture))
            }
            // Before the response is read to its end: from then on the next request may reuse the connection.
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

    /// Forgets the address of a receiver after a failed request.
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

    /// Closes all connections.
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
    /// Waits for the value; `nil` after a timeout or if the waiting task is canceled.
    ///
    /// In that case cancels this task without waiting for it.
    func value(within limit: Duration) async -> Success? {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let first = loop.makePromise(of: Success?.self)
        let giveUp: @Sendable () -> Void = {
            self.cancel()
            first.succeed(nil)
        }
        // A timer of the event loop, because it is removed when canceled; one of the concurrency runtime is not.
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
