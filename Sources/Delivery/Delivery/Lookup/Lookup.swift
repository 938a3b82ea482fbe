internal import AsyncHTTPClient
internal import BarcodeCore
internal import FoundationEssentials
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
public import ScanEvents

/// Asks another system of the user about a scanned code, by an HTTP request, for the person who scanned it.
///
/// Nothing is stored or retried.
public struct Lookup: Sendable {
    /// The answer about a code.
    public struct Answer: Sendable, Hashable {
        /// The outcome of a request.
        public enum State: String, Sendable, Encodable {
            /// The system answered with a text.
            case answered
            /// The system does not know the code: it answered 404 or 410.
            case unknown
            /// The code cannot be put into the URL or a header.
            case refused
            /// The system could not be reached, or answered with a status of 500 or more.
            case away
            /// The system did not answer in time.
            case slow
            /// The answer is not the JSON that the configuration describes.
            case unusable
        }

        /// A judgement that the configuration takes from an answer.
        public enum Tone: String, Sendable, Encodable {
            /// The code is good.
            case good
            /// The code is bad, or unknown.
            case bad
        }

        /// The outcome.
        public var state: State
        /// The text to show; `nil` unless the system answered.
        public var text: String?
        /// The judgement; `nil` if the configuration takes none, or the system gave no usable answer.
        public var tone: Tone?
        /// The reason why the text is missing, a clause without secrets; `nil` if there is a text.
        public var reason: String?
        /// The address of a picture, as it is in the answer; `nil` if there is none.
        public var picture: String?

        /// Creates an answer.
        public init(
            _ state: State, text: String? = nil, tone: Tone? = nil, reason: String? = nil, picture: String? = nil
        ) {
            self.state = state
            self.text = text
            self.tone = tone
            self.reason = reason
            self.picture = picture
        }
    }

    /// The maximum size of an answer, in bytes.
    public static let maximumAnswer = 65_536
    /// The maximum length of the text to show, in Unicode scalars.
    public static let maximumText = 500

    let settings: LookupSettings
    let connections: HTTPConnections
    private let tls: TLSConfiguration?

    /// Creates lookups with the connections of `clients`.
    ///
    /// - Throws: ``ConfigurationError`` if the certificate file cannot be read.
    public init(_ settings: LookupSettings, clients: SharedClients) throws(ConfigurationError) {
        self.settings = settings
        connections = clients.http
        tls = try settings.receiver.trust().tls
        // Open its descriptors now: the first request would trap if none were left.
        _ = MultiThreadedEventLoopGroup.singleton
    }

    /// Indicates whether an event has a code that is looked up.
    public func concerns(_ event: ScanEvent) -> Bool {
        event.count == nil && event.symbol.withheld == nil && settings.filter.admits(event)
    }

    /// Asks about the code of an event; returns within the timeout.
    public func answer(for event: ScanEvent) async -> Answer {
        if let shortage = DescriptorLimit.shortage(of: DescriptorLimit.forConnection) {
            return Answer(.away, reason: shortage.description)
        }
        let request: HTTPClientRequest
        do throws(HTTPExchange.Refusal) {
            request = try self.request(for: event)
        } catch {
            return Answer(.refused, reason: error.reason)
        }
        let timeout = settings.timeout
        let start = ContinuousClock.now
        // The request ends soon after it is canceled, but do not wait for a connection that is being made.
        let answer = await Task { await ask(request) }.value(within: timeout)
        // A connection has the same timeout, which may expire first.
        if let answer, answer.state != .away || ContinuousClock.now - start < timeout { return answer }
        return Answer(.slow, reason: "no answer within \(timeout.words)")
    }

    private func request(for event: ScanEvent) throws(HTTPExchange.Refusal) -> HTTPClientRequest {
        try request(
            for: event, at: settings.exchange.url(for: event, at: settings.receiver), accepting: "application/json")
    }

    func request(
        for event: ScanEvent, at url: String, accepting types: String
    ) throws(HTTPExchange.Refusal) -> HTTPClientRequest {
        let exchange = settings.exchange
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: exchange.method)
        request.headers.add(name: "accept", value: types)
        request.headers.add(name: "user-agent", value: "quietzone-scan-station")
        if case .fixed(let value) = exchange.authorization { request.headers.add(name: "authorization", value: value) }
        for (name, value) in try exchange.headers(for: event) { request.headers.replaceOrAdd(name: name, value: value) }
        request.tlsConfiguration = tls
        return request
    }

    private func ask(_ request: HTTPClientRequest) async -> Answer {
        do {
            return try await connections.send(request, to: settings.receiver, timeout: settings.timeout) { response in
                let status = Int(response.status.code)
                switch status {
                case 200..<300:
                    return answer(try await HTTPCallbackSink.read(response.body, upTo: Self.maximumAnswer))
                case 300..<400:
                    return Answer(.unusable, reason: "answered \(status), a redirect, which is not followed")
                case 404, 410: return Answer(.unknown, tone: .bad, reason: "answered \(status)")
                case 500...: return Answer(.away, reason: "answered \(status)")
                default: return Answer(.unusable, reason: "answered \(status)")
                }
            }
        } catch {
            return Answer(.away, reason: HTTPFailureReason.reason(for: error, at: settings.receiver))
        }
    }

    private func answer(_ body: Data) -> Answer {
        guard body.count <= Self.maximumAnswer else {
            return Answer(.unusable, reason: "the answer has more than \(Self.maximumAnswer) bytes")
        }
        do throws(SyntaxError) {
            let text = try settings.text.text(in: body)
            let tone = settings.goodField.map { field in
                JSONField.text(at: field.path, in: body) == field.value ? Answer.Tone.good : .bad
            }
            let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.maximumText)))
            let picture = settings.imageField.flatMap { JSONField.string(at: $0, in: body) }.map(\.trimmed)
            return Answer(.answered, text: shown, tone: tone, picture: picture?.isEmpty == false ? picture : nil)
        } catch {
            return Answer(.unusable, reason: error.description)
        }
    }
}
