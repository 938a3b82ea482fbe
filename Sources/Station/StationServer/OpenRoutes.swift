internal import BarcodeCore
internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import ScanEvents

/// The routes without authorization: the page's files, ping, health, and sessions for pages.
struct OpenRoutes: Sendable {
    let accessControl: AccessControl
    let dialects: [BridgeDialect]

    private struct Ping: Encodable {
        var name = "quietzone"
        var version = Quietzone.version
        var api = 1
    }

    private struct Session: Encodable {
        var session: String
        var expiresAt: String
    }

    /// Adds the files of the page, which are no part of the API.
    func addPageFiles(to router: Router<StationContext>) {
        for asset in Asset.pageFiles {
            router.get(RouterPath(asset.path)) { _, _ in asset.response() }
        }
    }

    func add(to group: RouteGroup) {
        for asset in Asset.publicFiles(dialects) {
            group.get(asset.path, .file(asset)) { _, _ in asset.response() }
        }
        // The page contains no data, and asks for the token itself.
        group.get(
            "",
            RouteDescription(
                "page", "The page, which asks for the token by itself",
                parameters: [
                    .query(
                        "token",
                        "The token, as links of earlier versions have it; the page takes it from its "
                            + "address. Links name it in the fragment, #token=, which no server sees.",
                        ["type": "string"])
                ], answer: .file("The page.", ["text/html": ["type": "string"]]))
        ) { request, _ in self.page(request) }
        group.get(
            "ping",
            RouteDescription(
                "ping", "Whether a station is there",
                answer: .data(
                    .fields(["name": ["const": "quietzone"], "version": ["type": "string"], "api": ["type": "integer"]])
                ))
        ) { _, _ in Envelope.answer(data: Ping()) }
        group.post(
            "bridge/session",
            RouteDescription(
                "session", "A session for a page of an allowed origin, on this machine",
                answer: .data(
                    .fields(["session": ["type": "string"], "expiresAt": ["type": "string", "format": "date-time"]])),
                failures: [.tooMany])
        ) { _, context in try self.session(context) }
    }

    /// Returns the page.
    ///
    /// It deletes the cookie of an earlier version, which browsers sent to every server of the machine.
    private func page(_ request: Request) -> Response {
        var response = Asset.page.response()
        if request.cookies[AccessToken.formerCookie] != nil {
            response.headers[.setCookie] = "\(AccessToken.formerCookie)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"
        }
        return response
    }

    private func session(_ context: StationContext) throws -> Response {
        guard let origin = context.foreignOrigin else {
            throw HTTPFailure(
                .forbidden, "no_origin",
                "Sessions are for pages of other origins; the station's own page does not need one.")
        }
        guard context.isLoopback else {
            throw HTTPFailure(
                .forbidden, "not_local", "Sessions are only given to browsers on this machine.")
        }
        guard let (secret, session) = accessControl.openSession(origin: origin) else {
            throw HTTPFailure.tooManyRequests
        }
        return Envelope.answer(data: Session(session: secret, expiresAt: session.expiresAt.rfc3339))
    }
}
