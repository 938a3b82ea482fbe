internal import Hummingbird
internal import StationApps

/// `/apps`: lists the apps hosted by the station, for its own page.
struct AppRoutes: Sendable {
    let accessControl: AccessControl

    private struct List: Encodable {
        var apps: [Entry]
    }

    private struct Entry: Encodable {
        var name: String
        var version: String
        var previous: OrNull<String>
        var source: OrNull<String>
        var url: String
    }

    func add(to router: RouterGroup<StationContext>) {
        router.get("apps") { request, _ in
            // After the bracket of an IPv6 address, a colon can only come before the port.
            let authority = (request.head.authority ?? "").split(separator: "]").last ?? ""
            let port = authority.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last
            let end = port.map { ":\($0)" } ?? ""
            let scheme = accessControl.policy.scheme
            let apps = accessControl.apps?.list() ?? []
            return Envelope.answer(
                data: List(
                    apps: apps.map { app in
                        Entry(
                            name: app.name.rawValue, version: app.current.label,
                            previous: OrNull(app.previous?.label), source: OrNull(app.settings.source),
                            url: "\(scheme)://\(app.name).localhost\(end)/")
                    }))
        }
    }
}
