internal import StationApps

/// The host names of the station, and the origins whose pages may use it.
///
/// A page of any site can have its own name resolve to this station (DNS rebinding). Its requests then have that name
/// as `Host` and an equal `Origin`. So each of the two headers is compared with a list, never with the other.
struct HostPolicy: Sendable, Hashable {
    /// `host:port`, in lower case.
    private let hosts: Set<String>
    /// The station's own origins.
    private let ownOrigins: Set<String>
    /// The origins of other pages that may use the bridge.
    private let foreignOrigins: Set<String>

    /// `http` or `https`.
    let scheme: String

    /// Creates the policy of a server that listens on `port`.
    ///
    /// - Parameters:
    ///   - hosts: names besides those of loopback; a name without a port gets the server's own.
    ///   - origins: such as `https://oa.example`, without a path.
    init(port: Int, isTLS: Bool, hosts: [String], origins: [String]) {
        let scheme = isTLS ? "https" : "http"
        self.scheme = scheme
        var known: Set<String> = []
        for host in ["127.0.0.1", "localhost", "[::1]"] + hosts {
            let host = host.lowercased()
            known.insert(Self.hasPort(host) ? host : "\(host):\(port)")
            // Clients leave out the default port of the scheme.
            if !Self.hasPort(host) && port == (isTLS ? 443 : 80) { known.insert(host) }
        }
        self.hosts = known
        ownOrigins = Set(known.map { "\(scheme)://\($0)" })
        foreignOrigins = Set(origins.map { $0.lowercased() }).subtracting(ownOrigins)
    }

    /// Indicates whether a host has a port, such as `[fd00::5]:443`.
    static func hasPort(_ host: String) -> Bool { !host.hasSuffix("]") && host.contains(":") }

    /// Indicates whether a `Host` header is one of the station's names.
    func admits(host: String?) -> Bool {
        guard let host else { return false }
        return hosts.contains(host.lowercased())
    }

    /// The app of a host name, such as `ward.localhost`, and the station's own name in it; `nil` for other hosts.
    func app(host: String?) -> (name: AppName, station: String)? {
        guard let host = host?.lowercased(), !hosts.contains(host), let dot = host.firstIndex(of: "."),
            let name = AppName(rawValue: String(host[..<dot]))
        else { return nil }
        let station = String(host[host.index(after: dot)...])
        // An IP address has no subdomains.
        guard hosts.contains(station), station.first?.isNumber == false, station.first != "[" else { return nil }
        return (name, station)
    }

    /// The app of an origin, such as `http://ward.localhost:6079`; `nil` for other origins.
    func app(origin: String) -> AppName? {
        let origin = origin.lowercased()
        guard origin.hasPrefix("\(scheme)://") else { return nil }
        return app(host: String(origin.dropFirst(scheme.count + 3)))?.name
    }

    /// The relation of an origin to the station.
    enum OriginKind: Sendable, Hashable {
        /// The request has no origin.
        case none
        /// The station's own page.
        case own
        /// A page of another origin that may use the bridge.
        case allowed
        /// Any other page.
        case refused
    }

    /// Classifies an `Origin` header.
    func kind(ofOrigin origin: String?) -> OriginKind {
        guard let origin else { return .none }
        let lower = origin.lowercased()
        return ownOrigins.contains(lower) ? .own : foreignOrigins.contains(lower) ? .allowed : .refused
    }
}
