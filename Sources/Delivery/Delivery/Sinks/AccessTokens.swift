internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import ScanEvents

/// The access tokens of a client, by the client credentials grant of OAuth 2.0 (RFC 6749, 4.4).
///
/// A token is used until it expires, or until it is rejected.
actor AccessTokens {
    /// A client of an authorization server.
    struct Client: Sendable {
        var endpoint: HTTPReceiver
        var id: String
        var secret: String
        var scope: String?
    }

    /// The reason why a token could not be obtained, a clause without secrets.
    struct Failure: Error {
        var reason: String
    }

    private struct Answer: Decodable {
        var accessToken: String?
        var tokenType: String?
        var expiresIn: Double?
        var error: String?
    }

    private struct Token {
        var value: String
        var expiresAt: ContinuousClock.Instant
    }

    /// The limit for reading an answer, in bytes.
    private static let maximumOfAnAnswer = 65_536
    /// The lifetime of a token in seconds, if the answer does not state it.
    private static let standardLifetime = 300.0

    private let client: Client
    private let connections: HTTPConnections
    private let timeout: Duration
    private let tls: TLSConfiguration?
    private var token: Token?
    private var renewal: Task<String, any Error>?

    init(_ client: Client, connections: HTTPConnections, timeout: Duration, tls: TLSConfiguration?) {
        self.client = client
        self.connections = connections
        self.timeout = timeout
        self.tls = tls
    }

    /// A token that has not expired.
    ///
    /// Attempts that need a new one at the same time share one request.
    ///
    /// - Parameter rejected: a token that the receiver no longer accepts.
    /// - Throws: ``Failure``.
    func token(insteadOf rejected: String? = nil) async throws -> String {
        if let token, token.value != rejected, token.expiresAt > .now { return token.value }
        if let renewal { return try await renewal.value }
        let task = Task {
            defer { renewal = nil }
            let token = try await request()
            self.token = token
            return token.value
        }
        renewal = task
        return try await task.value
    }

    private func request() async throws -> Token {
        let place = "the token endpoint \(client.endpoint.host):\(client.endpoint.port)"
        let start = ContinuousClock.now
        let request = makeRequest()
        let exchange = Task { [connections, client, timeout] () -> Result<(Int, Data), Failure> in
            do {
                return .success(
                    try await connections.send(request, to: client.endpoint, timeout: timeout) { response in
                        let body = try await HTTPCallbackSink.read(response.body, upTo: Self.maximumOfAnAnswer)
                        return (Int(response.status.code), body)
                    })
            } catch {
                return .failure(
                    Failure(reason: "no token: " + HTTPFailureReason.reason(for: error, at: client.endpoint)))
            }
        }
        guard let result = await exchange.value(within: timeout) else {
            throw Failure(reason: "\(place) gave no answer within \(timeout.words)")
        }
        let (status, body) = try result.get()
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let answer = try? decoder.decode(Answer.self, from: body)
        guard status == 200 else {
            // The codes of RFC 6749, 5.2; anything else may be a secret or a page.
            let code = answer?.error.flatMap { $0.wholeMatch(of: /[a-z_]{1,40}/) == nil ? nil : " (\($0))" } ?? ""
            throw Failure(reason: "\(place) answered \(status)\(code)")
        }
        guard let value = answer?.accessToken, !value.isEmpty, value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Failure(reason: "\(place) answered without a token")
        }
        if let type = answer?.tokenType, type.lowercased() != "bearer" {
            throw Failure(reason: "\(place) gave a token that is not a bearer token")
        }
        let seconds = min(max(answer?.expiresIn ?? Self.standardLifetime, 0), 31_536_000)
        // A little earlier, because a request with the token takes time.
        return Token(value: value, expiresAt: start + .seconds(seconds - min(30, seconds / 10)))
    }

    private func makeRequest() -> HTTPClientRequest {
        var form = "grant_type=client_credentials"
        if let scope = client.scope { form += "&scope=\(scope.percentEncoded)" }
        var request = HTTPClientRequest(url: client.endpoint.url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.headers.add(name: "accept", value: "application/json")
        request.headers.add(name: "user-agent", value: "quietzone-scan-outbox")
        let credentials = Data("\(client.id.percentEncoded):\(client.secret.percentEncoded)".utf8)
        request.headers.add(name: "authorization", value: "Basic \(credentials.base64EncodedString())")
        request.body = .bytes(ByteBuffer(string: form))
        request.tlsConfiguration = tls
        return request
    }
}
