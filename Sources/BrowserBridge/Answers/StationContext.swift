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
        guard let session, let origin = owner.origin else { return .station }
        return .page(origin: origin, session: session)
    }

    /// Whether the request comes from this machine.
    var isLoopback: Bool {
        channel.remoteAddress?.isLoopback ?? false
    }
}

extension Request {
    /// The query of the request's URL.
    var query: RequestQuery { RequestQuery(uri.query ?? "") }
}
