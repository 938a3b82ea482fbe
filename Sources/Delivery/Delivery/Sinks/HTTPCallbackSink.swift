internal import AsyncHTTPClient
internal import BarcodeCore
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import ScanEvents
public import ScanOutbox

/// Posts events to an HTTP receiver, signed according to Standard Webhooks 1.0.0.
public struct HTTPCallbackSink: Sink {
    /// The limit for reading a response, in bytes; the rest does not matter.
    private static let maximumOfAnAnswer = 65_536

    let receiver: HTTPReceiver
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
        self.receiver = receiver
        self.connections = connections
        self.timeout = timeout
        // Open its descriptors now: the first request would trap if none were left.
        _ = MultiThreadedEventLoopGroup.singleton
        guard let file = receiver.certificateAuthorities else {
            tls = nil
            roots = []
            return
        }
        guard let roots = try? NIOSSLCertificate.fromPEMFile(file), !roots.isEmpty else {
            throw ConfigurationError("the file \(file) contains no certificate in PEM, or cannot be read")
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = .certificates(roots)
        self.tls = tls
        self.roots = roots
    }

    /// Posts the message once.
    ///
    /// Only 2xx is success, and redirects are not followed.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        if let shortage = DescriptorLimit.shortage(of: DescriptorLimit.forConnection) { return .postponed(shortage) }
        let request = request(for: message)
        let start = ContinuousClock.now
        // The exchange ends soon after it is canceled, but do not wait for a connection that is being made.
        let outcome = await Task { await post(request) }.value(within: timeout)
        if ContinuousClock.now - start >= timeout, outcome.map({ $0.kind == .failed && $0.status == nil }) ?? true {
            return .failed("no answer within \(timeout.words)")
        }
        return outcome ?? .failed("it was cancelled")
    }

    private func post(_ request: HTTPClientRequest) async -> DeliveryOutcome {
        do {
            return try await connections.send(request, to: receiver, timeout: timeout) { response in
                try await Self.readToItsEnd(response.body)
                return .answered(
                    status: Int(response.status.code), retryAfter: Self.retryAfter(of: response.headers))
            }
        } catch {
            if let shortage = Self.shortage(in: error) { return .postponed(shortage) }
            if HTTPFailure.isUntrusted(error),
                let reason = await CertificateDiagnosis.reason(for: receiver, trusting: roots)
            {
                return .failed(reason)
            }
            return .failed(HTTPFailure.reason(for: error, at: receiver))
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

    private func request(for message: OutgoingMessage) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: receiver.url)
        request.method = .POST
        let timestamp = message.attemptedAt.milliseconds / 1000
        request.headers.add(name: "content-type", value: message.mediaType)
        request.headers.add(name: "user-agent", value: "quietzone-scan-outbox")
        request.headers.add(name: "webhook-id", value: message.id)
        request.headers.add(name: "webhook-timestamp", value: String(timestamp))
        if !receiver.secrets.isEmpty {
            request.headers.add(
                name: "webhook-signature",
                value: WebhookSignature.header(
                    secrets: receiver.secrets, id: message.id, timestamp: timestamp, body: message.body))
        }
        request.body = .bytes(ByteBuffer(bytes: message.body))
        request.tlsConfiguration = tls
        return request
    }

    /// Reads a response to its end so that the connection can be reused.
    ///
    /// A response that breaks off is a failure.
    private static func readToItsEnd(_ body: HTTPClientResponse.Body) async throws {
        var count = 0
        for try await part in body {
            count += part.readableBytes
            if count > maximumOfAnAnswer { return }
        }
    }

    private static func retryAfter(of headers: HTTPHeaders) -> Duration? {
        let now = headers.first(name: "date").flatMap(RetryAfter.httpDate) ?? Date()
        return headers.first(name: "retry-after").flatMap { RetryAfter.parse($0, now: now) }
    }
}
