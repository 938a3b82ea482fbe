internal import BarcodeCore
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import ResultDispatch

/// What anybody may ask for: the page's files, whether the station is there and well, and a session for a page.
struct OpenRoutes: Sendable {
    let gatekeeper: Gatekeeper
    let settings: BridgeSettings
    let desk: ScanDesk

    private struct Ping: Encodable {
        var name = "quietzone"
        var version = Quietzone.version
        var api = 1
    }

    private struct Session: Encodable {
        var session: String
        var expiresAt: String
    }

    func add(to router: Router<StationContext>) {
        for asset in Asset.all {
            router.get(RouterPath(asset.path)) { _, _ in asset.response() }
        }
        router.get("") { request, context in self.page(request, context) }
        router.get("ping") { _, _ in Envelope.answer(data: Ping()) }
        router.post("bridge/session") { _, context in try self.session(context) }
    }

    /// The page; or the cookie, for whoever comes with the token in the link.
    private func page(_ request: Request, _ context: StationContext) -> Response {
        if let token = request.query["token"] {
            guard gatekeeper.token.matches(token) else { return Asset.refusal.response(status: .unauthorized) }
            let secure = settings.tls == nil ? "" : "; Secure"
            return Response(
                status: .seeOther,
                headers: [
                    .location: "/", .cacheControl: "no-store",
                    .setCookie: "\(AccessToken.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict; "
                        + "Max-Age=31536000\(secure)",
                ])
        }
        guard context.caller == .station else { return Asset.refusal.response(status: .unauthorized) }
        return Asset.page.response()
    }

    private func session(_ context: StationContext) throws -> Response {
        guard let origin = context.foreignOrigin else {
            throw HTTPFailure(
                .forbidden, "no_origin", "A session is for a page of another origin; the station's own needs none.")
        }
        guard context.isLoopback else {
            throw HTTPFailure(
                .forbidden, "not_local", "A session is given to pages in a browser on this machine alone.")
        }
        let (secret, session) = gatekeeper.openSession(origin: origin)
        return Envelope.answer(data: Session(session: secret, expiresAt: session.expiresAt.rfc3339))
    }
}
