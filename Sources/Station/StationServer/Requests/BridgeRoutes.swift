internal import BridgeDialects
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `/bridge`: scan requests of pages.
struct BridgeRoutes: Sendable {
    let requests: RequestCoordinator
    /// The dialects that take requests.
    let dialects: [BridgeDialect]

    private struct OpenRequests: Encodable {
        var requests: [RequestMessage]
    }

    /// Adds the list of all open requests, for the station's own page.
    private static let id = RouteDescription.Parameter.path("id", "The request.", ["type": "string"])

    func addList(to group: RouteGroup) {
        group.get(
            "bridge/requests",
            RouteDescription(
                "openRequests", "The requests that are open, the one that ends first at the beginning",
                answer: .data(.fields(["requests": .list(of: .schema("Request"))]), "The open requests."))
        ) { _, _ in Envelope.answer(data: OpenRequests(requests: self.requests.open)) }
    }

    func add(to group: RouteGroup) {
        group.post(
            "bridge/:dialect",
            RouteDescription(
                "ask", "A page asks for a scan; the same request again is answered again",
                parameters: [.path("dialect", "How the page speaks.", .schema("Dialect"))],
                body: .json(
                    .fields(
                        ["request": ["type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"]], optional: ["message": [:]])
                ), answer: .data(.schema("Request"), status: .accepted, "The request as it stands."),
                failures: [.badRequest, .notFound, .tooSlow, .conflict, .tooLarge, .unreadable, .tooMany, .notNow])
        ) { request, context in try await self.open(request, context) }
        group.delete(
            "bridge/requests/:id",
            RouteDescription(
                "cancel", "Gives a request up", parameters: [Self.id], answer: .data(.schema("Request")),
                failures: [.notFound, .tooMany])
        ) { _, context in
            let id = context.parameters.get("id") ?? ""
            let entry = try self.requests.cancel(id, for: context.owner)
            return Envelope.answer(data: self.requests.message(entry))
        }
        addAnswers(to: group)
    }

    /// Adds the routes that answer a request otherwise than by the camera.
    private func addAnswers(to group: RouteGroup) {
        group.post(
            "bridge/requests/:id/again",
            RouteDescription(
                "readAgain", "Lets the code that lies under the camera answer once more", parameters: [Self.id],
                answer: .data(.schema("Request")), failures: [.notFound, .conflict, .tooMany])
        ) { _, context in
            let id = context.parameters.get("id") ?? ""
            let entry = try self.requests.readAgain(id, for: context.owner)
            return Envelope.answer(data: self.requests.message(entry))
        }
        group.post(
            "bridge/requests/:id/typed",
            RouteDescription(
                "answerTyped",
                "Answers a request with what a person has typed in its window, or a scan gun in its page",
                parameters: [Self.id],
                body: .json(
                    .fields(
                        [
                            "text": [
                                "type": "string", "minLength": .integer(1),
                                "description": "8,192 bytes of UTF-8 at most.",
                            ]
                        ],
                        optional: [
                            "gun": [
                                "type": "boolean", "description": "Whether a scan gun has typed it, and not a person.",
                            ]
                        ])), answer: .data(.schema("Request")),
                failures: [.badRequest, .notFound, .tooSlow, .tooLarge, .unreadable, .tooMany, .notNow])
        ) { request, context in
            let id = context.parameters.get("id") ?? ""
            // JSON may escape each character as \uXXXX.
            let body = try await SmallBody.read(request, upTo: 6 * RequestCoordinator.maximumTypedBytes + 1024)
            let typed = try JSONText.decode(Typed.self, from: body)
            let entry = try await self.requests.answer(
                id, typed: typed.text, isGun: typed.gun == true, for: context.owner)
            return Envelope.answer(data: self.requests.message(entry))
        }
    }

    private struct Typed: Decodable {
        var text: String
        /// Indicates whether a scan gun typed it, not a person.
        var gun: Bool?
    }

    private func open(_ request: Request, _ context: StationContext) async throws -> Response {
        guard let dialect = dialects.first(where: { $0.name == context.parameters.get("dialect") }) else {
            let known = dialects.map(\.name).joined(separator: ", ")
            throw HTTPFailure(.notFound, "unknown_dialect", "Unknown dialect; supported dialects: \(known).")
        }
        let body = try await SmallBody.read(request, upTo: JSON.Limits().bytes + 1024)
        do {
            let message = try JSON(parsing: body)
            guard let id = message["request"]?.string, id.isIdentifier else {
                throw HTTPFailure.badRequest(
                    "bad_request_id", "The body's \"request\" must be 8 to 64 letters, digits, - and _.")
            }
            let bridge = try BridgeRequest(dialect: dialect, id: id, message: message["message"] ?? .null)
            let entry = try await requests.open(bridge, owner: context.owner, session: context.session)
            var response = Envelope.answer(data: requests.message(entry))
            response.status = .accepted
            return response
        } catch let error as BridgeError {
            throw HTTPFailure(error)
        }
    }
}

extension HTTPFailure {
    /// Creates the error response for an invalid message of a page.
    init(_ error: BridgeError) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .messageTooLong: .contentTooLarge
            case .notJSON, .nestedTooDeeply, .tooManyValues: .badRequest
            default: .unprocessableContent
            }
        self.init(status, error.code.rawValue, error.sentence)
    }
}

/// A request body that is small enough for memory.
enum SmallBody {
    /// The timeout for a body.
    private static let timeout: Duration = .seconds(10)

    /// Reads a body.
    ///
    /// - Throws: ``HTTPFailure`` 408 or 413.
    static func read(_ request: Request, upTo maximum: Int) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask {
                var bytes: [UInt8] = []
                for try await buffer in request.body {
                    guard bytes.count + buffer.readableBytes <= maximum else {
                        throw HTTPFailure(
                            .contentTooLarge, "too_large", "The body is larger than \(maximum) bytes.",
                            headers: [.connection: "close"])
                    }
                    bytes += buffer.readableBytesView
                }
                return bytes
            }
            group.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            guard let bytes = try await group.next() ?? nil else {
                throw HTTPFailure(
                    .requestTimeout, "too_slow", "The body took longer than 10 s to arrive.",
                    headers: [.connection: "close"])
            }
            return bytes
        }
    }
}

extension String {
    /// Indicates whether the text can identify a request or an upload: a UUID or similar.
    var isIdentifier: Bool {
        (8...64).contains(utf8.count)
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}
