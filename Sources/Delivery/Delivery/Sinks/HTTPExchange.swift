internal import BarcodeCore
internal import FoundationEssentials
internal import ScanEvents

/// The form of the requests to a receiver, and the responses that count as delivered.
struct HTTPExchange: Sendable {
    /// The credentials of the sender.
    enum Authorization: Sendable {
        case none
        /// The value of the header, which is secret.
        case fixed(String)
        case clientCredentials(AccessTokens.Client)
    }

    /// A header and the template of its value.
    struct Header: Sendable {
        var name: String
        var value: TextTemplate
    }

    /// The reason why an event can never be sent.
    struct Refusal: Error {
        var reason: String
    }

    /// The maximum length of a URL, which most servers accept.
    private static let maximumURL = 8_000

    var method = "POST"
    /// The URL with placeholders; `nil` if it is the same for every event.
    var url: TextTemplate?
    var headers: [Header] = []
    /// Headers whose values are secret.
    var secretHeaders: [(name: String, value: String)] = []
    var authorization = Authorization.none
    var acceptance = HTTPAcceptance()
    /// The name of the part that holds the picture in a multipart body; `nil` if it is not sent.
    var pictureField: String?

    /// Indicates whether a request depends on more than the stored body.
    var needsEvent: Bool { url != nil || !headers.isEmpty || pictureField != nil }

    /// The URL for an event.
    func url(for event: ScanEvent?, at receiver: HTTPReceiver) throws(Refusal) -> String {
        guard let url else { return receiver.url }
        guard let event else { throw Refusal(reason: FileSink.damage) }
        guard let text = url.text(for: event, adapting: \.percentEncoded) else {
            throw Refusal(reason: "the event lacks a field of the URL, or it is empty")
        }
        guard text.utf8.count <= Self.maximumURL else {
            throw Refusal(reason: "its URL would have more than \(Self.maximumURL) bytes")
        }
        // Servers resolve these even if the slashes are encoded, so that the code would choose another resource.
        let path = text.prefix { $0 != "?" }.replacing("%2f", with: "/").replacing("%5c", with: "/")
        if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            throw Refusal(reason: "a field would put \"..\" or \".\" into the path of the URL")
        }
        return text
    }

    /// The headers for an event; one that refers to a field which the event lacks is left out.
    func headers(for event: ScanEvent?) throws(Refusal) -> [(name: String, value: String)] {
        var all = secretHeaders
        if headers.isEmpty { return all }
        guard let event else { throw Refusal(reason: FileSink.damage) }
        for header in headers {
            guard let value = header.value.text(for: event, takesEmpty: true) else { continue }
            if value.hasControlCharacters {
                throw Refusal(reason: "its header \(header.name) would contain a line break or a control character")
            }
            all.append((header.name, value))
        }
        return all
    }
}

/// The responses that count as delivered: by default, any status from 200 to 299.
struct HTTPAcceptance: Sendable {
    /// A field of a JSON response and the value that it must have.
    struct Field: Sendable {
        var path: String
        var value: String
    }

    /// The statuses; if empty, 200 to 299.
    var statuses: Set<Int> = []
    var field: Field?

    /// The limit for reading a response with a field, in bytes.
    static let maximumBody = 1 << 20

    /// The outcome of a response.
    func outcome(status: Int, retryAfter: Duration?, body: Data) -> DeliveryOutcome {
        let isListed = statuses.contains(status)
        if !statuses.isEmpty, !isListed, (200..<300).contains(status) {
            return .failed("answered \(status), which does not count as delivered here", status: status)
        }
        let outcome =
            isListed ? .delivered(status: status) : DeliveryOutcome.answered(status: status, retryAfter: retryAfter)
        guard outcome.kind == .delivered, let field else { return outcome }
        guard body.count <= Self.maximumBody else {
            return .failed(
                "answered \(status) with more than \(Self.maximumBody) bytes, too many to look for \(field.path)",
                status: status)
        }
        // The value is not repeated: it may be anything, of any length.
        return JSONField.text(at: field.path, in: body) == field.value
            ? outcome : .failed("answered \(status), but \(field.path) is not \"\(field.value)\" in it", status: status)
    }
}
