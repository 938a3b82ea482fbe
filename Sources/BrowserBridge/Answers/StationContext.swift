internal import Hummingbird
internal import NIOCore

/// Who asks.
enum Caller: Sendable, Hashable {
    /// Nobody that is known.
    case nobody
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
    var caller: Caller = .nobody
    /// The origin that the request names, where it is not the station's own.
    var foreignOrigin: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Whether the request comes from this machine.
    var isLoopback: Bool {
        guard let address = channel.remoteAddress?.ipAddress else { return false }
        return address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }
}
