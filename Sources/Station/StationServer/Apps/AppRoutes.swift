internal import BridgeDialects
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

    func add(to group: RouteGroup) {
        group.get(
            "apps",
            RouteDescription(
                "apps", "The pages that live on the station, each with its address in a browser of this machine",
                answer: .data(
                    .fields([
                        "apps": .list(
                            of: .fields([
                                "name": ["type": "string"],
                                "version": [
                                    "type": "string",
                                    "description": "Its number, or the beginning of the package's SHA-256",
                                ],
                                "previous": [
                                    "type": ["string", "null"], "description": "The version before, which is kept",
                                ],
                                "source": [
                                    "type": ["string", "null"], "description": "Where newer versions are asked for",
                                ], "url": ["type": "string"],
                            ]))
                    ])))
        ) { request, _ in
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
