internal import HTTPTypes
internal import Hummingbird

/// Rejects requests with an unknown host name or from an unknown origin, and answers CORS preflight requests.
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
            // For a script in a page without an origin, as in a sandboxed frame, the browser sends "Origin: null".
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
            // Chromium asks this before a page of the network may reach loopback (Private Network Access).
            if request.headers[.privateNetworkRequest] != nil {
                response.headers[.allowPrivateNetwork] = "true"
            }
        } else {
            var context = context
            // Browsers send lower case. Another spelling must not count as another origin with a rate limit of its
            // own.
            context.foreignOrigin = origin.lowercased()
            do {
                response = try await next(request, context)
            } catch let error as any HTTPResponseError {
                // Keep the CORS headers below, so that the page can read the error.
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

/// Identifies the caller of a request (authentication).
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

    /// Identifies the caller by the `Authorization` header only, which a browser never adds by itself.
    ///
    /// A browser also sends cookies with requests that another page triggers, and to other ports of the machine
    /// (CSRF).
    private func caller(of request: Request, _ context: StationContext) -> (Caller, RequestRegistry.Owner) {
        guard let authorization = request.headers[.authorization] else { return (.anonymous, .station) }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return (.anonymous, .station) }
        return accessControl.caller(
            bearer: String(parts[1]), origin: context.foreignOrigin, isLoopback: context.isLoopback)
    }
}

/// Rejects requests that are not authorized.
struct AuthorizationMiddleware: RouterMiddleware {
    typealias Context = StationContext
    /// The authorized callers, besides those with the station's token.
    let additionalCallers: AdditionalCallers
    let accessControl: AccessControl

    /// The kinds of callers that may be authorized in addition to those with the station's token.
    enum AdditionalCallers { case none, sessions, pages, sessionsAndPhones }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        switch context.caller {
        case .station: break
        case .session(let name) where additionalCallers != .none:
            guard accessControl.countRequest(ofSession: name) else { throw HTTPFailure.tooManyRequests }
        case .session:
            throw HTTPFailure(
                .forbidden, "session_not_enough", "A page session may not use this route; use the station's token.")
        case .phone where additionalCallers == .sessionsAndPhones: break
        case .phone:
            throw HTTPFailure(
                .forbidden, "phone_not_enough", "A phone may only send pictures; use the station's token.")
        case .anonymous:
            // A page of an allowed origin, in a browser on this machine; its requests share the rate limit of new
            // sessions.
            if additionalCallers == .pages, context.isLoopback, let origin = context.foreignOrigin {
                guard accessControl.countRequest(ofOrigin: origin) else { throw HTTPFailure.tooManyRequests }
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
    /// The error if a page, or all pages of its origin together, exceed the rate limit.
    static let tooManyRequests = HTTPFailure(
        .tooManyRequests, "too_many_requests",
        "A page may send \(Int(SessionStore.rate)) requests per second, and all pages of an origin "
            + "\(Int(SessionStore.originRate)); try again in 1 s.",
        headers: [.retryAfter: "1"])
}

extension HTTPField.Name {
    // The forced unwraps are safe: these literals are valid header names.
    /// A second `Host` header: the library takes the first one for the authority, and does not keep it as a field.
    static let secondHost = HTTPField.Name("Host")!
    static let privateNetworkRequest = HTTPField.Name("Access-Control-Request-Private-Network")!
    static let allowPrivateNetwork = HTTPField.Name("Access-Control-Allow-Private-Network")!
    static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
    static let symbols = HTTPField.Name("X-Symbols")!
    static let unread = HTTPField.Name("X-Unread")!
    static let frameSize = HTTPField.Name("X-Frame-Size")!
}
