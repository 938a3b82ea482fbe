internal import Hummingbird
internal import NIOCore

/// Who asks.
enum Caller: Sendable, Hashable {
    /// Nobody that is known.
    case anonymous
    /// Whoever has the station's token.
    case station
    /// A page of another origin, by the name of its session.
    case session(String)
    /// A phone whose camera sends pictures, by its name.
    case phone(String)
}

/// What belongs to one request.
struct StationContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection that the request came by.
    let channel: any Channel
    /// Who asks; set by ``AuthenticationMiddleware``.
    var caller: Caller = .anonymous
    /// The origin that the request names, where it is not the station's own.
    var foreignOrigin: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The page's session; nil for whoever has the station's token.
    var session: String? {
        if case .session(let name) = caller { name } else { nil }
    }

    /// Whose requests the caller may see; set by ``AuthenticationMiddleware``.
    var owner: RequestRegistry.Owner = .station

    /// Whose share of what there is the caller takes up.
    var party: Party {
        if case .phone(let name) = caller { return .page(origin: owner.origin ?? name, session: name) }
        guard let session, let origin = owner.origin else { return .station }
        return .page(origin: origin, session: session)
    }

    /// Whether the request comes from this machine.
    var isLoopback: Bool {
        channel.remoteAddress?.isLoopback ?? false
    }

    /// Whether the request comes from this machine, by loopback or by an address of its own in the network.
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
