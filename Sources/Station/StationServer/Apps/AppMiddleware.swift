internal import BridgeDialects
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import StationApps

/// Answers requests under the host name of an app, such as `ward.localhost`: only with its files and the bridge's
/// script.
///
/// Each app has an origin of its own, so that browsers isolate its storage and scripts from other apps and from the
/// station's page, which has the token. It uses the bridge at the station's own name, like pages of other origins.
struct AppMiddleware: RouterMiddleware {
    typealias Context = StationContext
    let accessControl: AccessControl
    let dialects: [BridgeDialect]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let policy = accessControl.policy
        guard let apps = accessControl.apps, let (name, station) = policy.app(host: request.head.authority) else {
            return try await next(request, context)
        }
        guard let app = apps.app(name) else {
            throw HTTPFailure(
                .notFound, "no_such_app",
                "The station has no app \"\(name)\"; scan-station apps list shows the apps.")
        }
        guard request.method == .get || request.method == .head else {
            throw HTTPFailure(
                .methodNotAllowed, "method", "An app only serves files; send to the bridge or to another server.")
        }
        // Another page may link here, but must not read the files.
        if let origin = request.headers[.origin], policy.app(origin: origin) != name {
            throw HTTPFailure(.forbidden, "unknown_origin", "Only the app's own pages can load its files.")
        }
        let stationOrigin = "\(policy.scheme)://\(station)"
        var response: Response
        if request.uri.path == "/bridge.js" {
            let part = BridgeScript.AppPart(
                station: stationOrigin, signIn: app.settings.signIn.map { $0.hasPrefix("/") ? $0 : "/" + $0 })
            response = Asset(
                path: "bridge.js", mediaType: "text/javascript; charset=utf-8",
                bytes: BridgeScript.bytes(for: dialects, app: part)
            ).response()
        } else {
            response = try await file(request, of: app, apps, context)
        }
        response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy(
            station: stationOrigin, origins: app.settings.origins)
        return response
    }

    private func file(
        _ request: Request, of app: InstalledApp, _ apps: AppFiles, _ context: Context
    ) async throws -> Response {
        let path = RequestQuery.decoded(request.uri.path.utf8, plus: UInt8(ascii: "+"))
        guard let file = apps.file(path, of: app) else {
            throw HTTPFailure(.notFound, "no_such_file", "The app \"\(app.name)\" has no such file.")
        }
        let tag = "\"\(file.version.prefix(32))\""
        let headers: HTTPFields = [.contentType: file.mediaType, .cacheControl: "no-cache", .eTag: tag]
        // The files of a version never change.
        if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
        let body = try await FileIO().loadFile(path: file.path, context: context)
        return Response(status: .ok, headers: headers, body: body)
    }

    /// The Content Security Policy of an app's pages: the package, the station, and the configured origins.
    static func contentSecurityPolicy(station: String, origins: [String]) -> String {
        let reached = ([station] + origins).joined(separator: " ")
        return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
            + "img-src 'self' blob: data:; font-src 'self' data:; media-src 'self' blob: data:; "
            + "connect-src 'self' \(reached); worker-src 'self'; manifest-src 'self'; "
            + "form-action 'self'; base-uri 'self'; frame-ancestors 'none'"
    }
}
