internal import AsyncHTTPClient
internal import BarcodeCore
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import ScanEvents
public import ScanOutbox

/// Sends events to an HTTP receiver, signed according to Standard Webhooks 1.0.0.
public struct HTTPCallbackSink: Sink {
    /// The limit for reading a response, in bytes; the rest does not matter.
    private static let maximumOfAnAnswer = 65_536

    let receiver: HTTPReceiver
    private let exchange: HTTPExchange
    private let tokens: AccessTokens?
    private let connections: HTTPConnections
    private let timeout: Duration
    private let tls: TLSConfiguration?
    /// The trusted certificates, instead of the system's authorities.
    private let roots: [NIOSSLCertificate]

    /// Creates a sink for one receiver.
    ///
    /// All sinks share `connections`.
    ///
    /// - Throws: ``ConfigurationError`` if the certificate file cannot be read.
    public init(
        _ receiver: HTTPReceiver, connections: HTTPConnections, timeout: Duration = Destination.standardTimeout
    ) throws(ConfigurationError) {
        try self.init(receiver, HTTPExchange(), connections: connections, timeout: timeout)
    }

    init(
        _ receiver: HTTPReceiver, _ exchange: HTTPExchange, connections: HTTPConnections, timeout: Duration
    ) throws(ConfigurationError) {
        self.receiver = receiver
        self.exchange = exchange
        self.connections = connections
        self.timeout = timeout
        // Open its descriptors now: the first request would trap if none were left.
        _ = MultiThreadedEventLoopGroup.singleton
        (tls, roots) = try receiver.trust()
        if case .clientCredentials(let client) = exchange.authorization {
            tokens = AccessTokens(client, connections: connections, timeout: timeout, tls: tls)
        } else {
            tokens = nil
        }
    }

    /// Sends the message once, or twice if the receiver rejects an access token.
    ///
    /// Only 2xx is success unless the destination says otherwise, and redirects are not followed.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        if let shortage = DescriptorLimit.shortage(of: DescriptorLimit.forConnection) { return .postponed(shortage) }
        let request: HTTPClientRequest
        do {
            request = try self.request(for: message)
        } catch let refusal as HTTPExchange.Refusal {
            return .refused(refusal.reason)
        } catch {
            return .failed((error as? AttachedPicture.Problem)?.reason ?? "\(error)")
        }
        let start = ContinuousClock.now
        // The exchange ends soon after it is canceled, but do not wait for a connection that is being made.
        let outcome = await Task { await attempt(request) }.value(within: timeout)
        if ContinuousClock.now - start >= timeout, outcome.map({ $0.kind == .failed && $0.status == nil }) ?? true {
            return .failed("no answer within \(timeout.words)")
        }
        return outcome ?? .failed("it was canceled")
    }

    /// Posts a request, with an access token if the receiver wants one.
    private func attempt(_ request: HTTPClientRequest) async -> DeliveryOutcome {
        guard let tokens else { return await post(request) }
        do {
            let token = try await tokens.token()
            let outcome = await post(request.with(token))
            guard outcome.status == 401, outcome.kind == .failed else { return outcome }
            return await post(request.with(try await tokens.token(insteadOf: token)))
        } catch {
            return .failed((error as? AccessTokens.Failure)?.reason ?? "no token")
        }
    }

    private func post(_ request: HTTPClientRequest) async -> DeliveryOutcome {
        do {
            return try await connections.send(request, to: receiver, timeout: timeout) { response in
                let limit =
                    exchange.acceptance.field == nil ? Self.maximumOfAnAnswer : HTTPAcceptance.maximumBody
                let body = try await Self.read(response.body, upTo: limit)
                return exchange.acceptance.outcome(
                    status: Int(response.status.code), retryAfter: Self.retryAfter(of: response.headers), body: body)
            }
        } catch {
            if let shortage = Self.shortage(in: error) { return .postponed(shortage) }
            if HTTPFailureReason.isUntrusted(error),
                let reason = await CertificateDiagnosis.reason(for: receiver, trusting: roots)
            {
                return .failed(reason)
            }
            return .failed(HTTPFailureReason.reason(for: error, at: receiver))
        }
    }

    /// The resource that this machine lacked, if that is why there was no connection.
    private static func shortage(in error: any Error) -> ResourceShortage? {
        switch error {
        case let error as IOError: ResourceShortage(errno: error.errnoCode)
        case let error as NIOConnectionError: error.connectionErrors.lazy.compactMap { shortage(in: $0.error) }.first
        default: nil
        }
    }

    /// The request for a message.
    ///
    /// - Throws: ``HTTPExchange/Refusal`` or ``AttachedPicture/Problem``.
    func request(for message: OutgoingMessage) throws -> HTTPClientRequest {
        let event = exchange.needsEvent ? message.event : nil
        var request = HTTPClientRequest(url: try exchange.url(for: event, at: receiver))
        request.method = HTTPMethod(rawValue: exchange.method)
        var (body, mediaType) = (message.body, message.mediaType)
        if mediaType == MultipartBody.plainMediaType, var parts = MultipartBody(body) {
            if let field = exchange.pictureField { try AttachedPicture.add(event?.evidence, as: field, to: &parts) }
            (body, mediaType) = (parts.data, parts.mediaType)
        }
        let timestamp = message.attemptedAt.milliseconds / 1000
        request.headers.add(name: "content-type", value: mediaType)
        request.headers.add(name: "user-agent", value: "quietzone-scan-outbox")
        request.headers.add(name: "webhook-id", value: message.id)
        request.headers.add(name: "webhook-timestamp", value: String(timestamp))
        if !receiver.secrets.isEmpty {
            request.headers.add(
                name: "webhook-signature",
                value: WebhookSignature.header(
                    secrets: receiver.secrets, id: message.id, timestamp: timestamp, body: body))
        }
        if case .fixed(let value) = exchange.authorization { request.headers.add(name: "authorization", value: value) }
        for (name, value) in try exchange.headers(for: event) { request.headers.replaceOrAdd(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        request.tlsConfiguration = tls
        return request
    }

    /// Reads a response to its end so that the connection can be reused.
    ///
    /// A response that breaks off is a failure.
    static func read(_ body: HTTPClientResponse.Body, upTo limit: Int) async throws -> Data {
        var data = Data()
        for try await part in body {
            data.append(contentsOf: part.readableBytesView)
            if data.count > limit { break }
        }
        return data
    }

    private static func retryAfter(of headers: HTTPHeaders) -> Duration? {
        let now = headers.first(name: "date").flatMap(RetryAfter.httpDate) ?? Date()
        return headers.first(name: "retry-after").flatMap { RetryAfter.parse($0, now: now) }
    }
}

extension HTTPClientRequest {
    /// The request with an access token.
    fileprivate func with(_ token: String) -> HTTPClientRequest {
        var request = self
        request.headers.replaceOrAdd(name: "authorization", value: "Bearer \(token)")
        return request
    }
}
