internal import HTTPTypes
internal import Hummingbird

/// Refuses requests by a name, or from a page, that the station does not know, and answers what browsers ask first.
struct HostMiddleware: RouterMiddleware {
    typealias Context = StationContext
    let accessControl: AccessControl

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let policy = accessControl.policy
        guard policy.admits(host: request.head.authority) else {
            throw HTTPFailure(
                .misdirectedRequest, "unknown_host",
                "Unknown host name; add it to server.hosts in the configuration or pass --allow-host.")
        }
        let origin = request.headers[.origin]
        switch accessControl.kind(ofOrigin: origin) {
        case .none, .own: return try await next(request, context)
        case .refused:
            // A page without an origin, in a sandboxed frame, sends "Origin: null" with a script that it loads.
            if Asset.publicPaths.contains(request.uri.path) { return try await next(request, context) }
            throw HTTPFailure(
                .forbidden, "unknown_origin",
                "This origin is not allowed; add it to server.origins in the configuration or pass --allow-origin.")
        case .allowed: break
        }
        guard let origin else { return try await next(request, context) }
        var response: Response
        if request.method == .options {
            response = Response(
                status: .noContent,
                headers: [
                    .accessControlAllowMethods: "GET, POST, DELETE",
                    .accessControlAllowHeaders: "Authorization, Content-Type, Last-Event-ID, Cache-Control",
                    .accessControlMaxAge: "600",
                ])
            // Chromium asks so before a page of the network may reach loopback.
            if request.headers[.privateNetworkRequest] != nil {
                response.headers[.allowPrivateNetwork] = "true"
            }
        } else {
            var context = context
            // Browsers write it so; another spelling is no other origin with a share of its own.
            context.foreignOrigin = origin.lowercased()
            do {
                response = try await next(request, context)
            } catch let error as any HTTPResponseError {
                // With the headers below, so that the page may read what is wrong.
                response = HTTPFailure(error).response
            }
        }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = "X-Symbols, X-Frame-Size, Retry-After"
        response.headers[.vary] = "Origin"
        response.headers[.crossOriginResourcePolicy] = "cross-origin"
        return response
    }
}

/// Finds out who asks.
struct AuthenticationMiddleware: RouterMiddleware {
    typealias Context = StationContext
    let accessControl: AccessControl

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        (context.caller, context.owner) = caller(of: request, context)
        return try await next(request, context)
    }

    /// By the `Authorization` header alone, which a browser never adds by itself: whatever it does add, such as a
    /// cookie, it also adds to what another page has it send, and to requests to other ports of the machine.
    private func caller(of request: Request, _ context: StationContext) -> (Caller, RequestRegistry.Owner) {
        guard let authorization = request.headers[.authorization] else { return (.anonymous, .station) }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return (.anonymous, .station) }
        return accessControl.caller(
            bearer: String(parts[1]), origin: context.foreignOrigin, isLoopback: context.isLoopback)
    }
}

/// Lets through those who may.
struct RequirementMiddleware: RouterMiddleware {
    typealias Context = StationContext
    /// Who may, besides whoever has the station's token.
    let others: Others
    let accessControl: AccessControl

    /// Who may besides whoever has the station's token.
    enum Others { case none, sessions, pages, sessionsAndPhones }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        switch context.caller {
        case .station: break
        case .session(let name) where others != .none:
            guard accessControl.spend(name) else { throw HTTPFailure.tooManyRequests }
        case .session:
            throw HTTPFailure(
                .forbidden, "session_not_enough", "A page session may not use this route; use the station's token.")
        case .phone where others == .sessionsAndPhones: break
        case .phone:
            throw HTTPFailure(
                .forbidden, "phone_not_enough", "A phone may only send pictures; use the station's token.")
        case .anonymous:
            // A page of a listed origin, in a browser on this machine; its requests count as those for new sessions do.
            if others == .pages, context.isLoopback, let origin = context.foreignOrigin {
                guard accessControl.spend(origin: origin) else { throw HTTPFailure.tooManyRequests }
                break
            }
            throw HTTPFailure(
                .unauthorized, "no_token",
                "Send the station's token as \"Authorization: Bearer\", or open the link that scan-station shows.",
                headers: [.wwwAuthenticate: "Bearer"])
        }
        return try await next(request, context)
    }
}

extension HTTPFailure {
    /// A page, or all pages of its origin, have sent too many requests.
    static let tooManyRequests = HTTPFailure(
        .tooManyRequests, "too_many_requests",
        "A page may send \(Int(SessionStore.rate)) requests a second, and all pages of an origin "
            + "\(Int(SessionStore.originRate)); try again in 1 s.",
        headers: [.retryAfter: "1"])
}

extension HTTPField.Name {
    // The literals are names that HTTP allows.
    /// The library takes the first for the authority, so that only another is left as a field.
    static let secondHost = HTTPField.Name("Host")!
    static let privateNetworkRequest = HTTPField.Name("Access-Control-Request-Private-Network")!
    static let allowPrivateNetwork = HTTPField.Name("Access-Control-Allow-Private-Network")!
    static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
    static let symbols = HTTPField.Name("X-Symbols")!
    static let frameSize = HTTPField.Name("X-Frame-Size")!
}
