internal import Hummingbird
internal import NIOCore

/// The caller of a request.
enum Caller: Sendable, Hashable {
    /// An unidentified caller.
    case anonymous
    /// A caller with the station's token.
    case station
    /// A page of another origin, by the name of its session.
    case session(String)
    /// A phone whose camera sends pictures, by its name.
    case phone(String)
}

/// The state of one request.
struct StationContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection of the request.
    let channel: any Channel
    /// The caller; set by ``AuthenticationMiddleware``.
    var caller: Caller = .anonymous
    /// The origin of the request, if it is not the station's own.
    var foreignOrigin: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The page's session; `nil` for a caller without one.
    var session: String? {
        if case .session(let name) = caller { name } else { nil }
    }

    /// The owner of the requests that the caller may see; set by ``AuthenticationMiddleware``.
    var owner: RequestRegistry.Owner = .station

    /// The user whose quota the caller uses.
    var quotaUser: QuotaUser {
        if case .phone(let name) = caller { return .page(origin: owner.origin ?? name, session: name) }
        guard let session, let origin = owner.origin else { return .station }
        return .page(origin: origin, session: session)
    }

    /// Indicates whether the request comes from this machine by loopback.
    var isLoopback: Bool {
        channel.remoteAddress?.isLoopback ?? false
    }

    /// Indicates whether the request comes from this machine, by loopback or by its own address in the network.
    var isSameMachine: Bool {
        if isLoopback { return true }
        guard let remote = channel.remoteAddress?.ipAddress else { return false }
        return remote == channel.localAddress?.ipAddress
    }
}

extension Request {
    /// The query of the request's URL.
    var query: RequestQuery { RequestQuery(uri.query ?? "") }
}
