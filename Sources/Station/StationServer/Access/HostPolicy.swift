internal import StationApps

/// By which names the station may be asked, and for the pages of which origins.
///
/// A page of any site can have its own name point here (DNS rebinding): its requests then bear that name as `Host`, and
/// an `Origin` that is equal to it. So both are compared with a list, never with each other.
struct HostPolicy: Sendable, Hashable {
    /// `host:port`, in lower case.
    private let hosts: Set<String>
    /// The station's own origins.
    private let ownOrigins: Set<String>
    /// Those of pages that may use the bridge.
    private let foreignOrigins: Set<String>

    /// `http` or `https`.
    let scheme: String

    /// The policy for a server that listens on a port.
    ///
    /// - Parameters:
    ///   - hosts: names besides those of loopback; without a port, the server's own is meant.
    ///   - origins: such as `https://oa.example`, without a path.
    init(port: Int, isTLS: Bool, hosts: [String], origins: [String]) {
        let scheme = isTLS ? "https" : "http"
        self.scheme = scheme
        var known: Set<String> = []
        for host in ["127.0.0.1", "localhost", "[::1]"] + hosts {
            let host = host.lowercased()
            known.insert(Self.hasPort(host) ? host : "\(host):\(port)")
            // Clients leave out the port that their scheme implies.
            if !Self.hasPort(host) && port == (isTLS ? 443 : 80) { known.insert(host) }
        }
        self.hosts = known
        ownOrigins = Set(known.map { "\(scheme)://\($0)" })
        foreignOrigins = Set(origins.map { $0.lowercased() }).subtracting(ownOrigins)
    }

    /// Whether a host, such as `[fd00::5]:443`, names a port.
    static func hasPort(_ host: String) -> Bool { !host.hasSuffix("]") && host.contains(":") }

    /// Whether the server may be asked by this name.
    func admits(host: String?) -> Bool {
        guard let host else { return false }
        return hosts.contains(host.lowercased())
    }

    /// The app that a host name means, such as `ward.localhost`, and the station's own name in it; nil for any other.
    func app(host: String?) -> (name: AppName, station: String)? {
        guard let host = host?.lowercased(), !hosts.contains(host), let dot = host.firstIndex(of: "."),
            let name = AppName(rawValue: String(host[..<dot]))
        else { return nil }
        let station = String(host[host.index(after: dot)...])
        // No name stands before an address.
        guard hosts.contains(station), station.first?.isNumber == false, station.first != "[" else { return nil }
        return (name, station)
    }

    /// The app of an origin, such as `http://ward.localhost:6079`; nil for any other.
    func app(origin: String) -> AppName? {
        let origin = origin.lowercased()
        guard origin.hasPrefix("\(scheme)://") else { return nil }
        return app(host: String(origin.dropFirst(scheme.count + 3)))?.name
    }

    /// What an origin is to the station.
    enum OriginKind: Sendable, Hashable {
        /// The request names none.
        case none
        /// It is the station's own page.
        case own
        /// A page of another origin that may use the bridge.
        case allowed
        /// Any other page.
        case refused
    }

    /// What an `Origin` header is to the station.
    func kind(ofOrigin origin: String?) -> OriginKind {
        guard let origin else { return .none }
        let lower = origin.lowercased()
        return ownOrigins.contains(lower) ? .own : foreignOrigins.contains(lower) ? .allowed : .refused
    }
}
