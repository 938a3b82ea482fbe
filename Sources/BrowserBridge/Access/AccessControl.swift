internal import FoundationEssentials
internal import Synchronization

/// Knows who may ask for what: the policy of names and origins, the token, the sessions.
final class AccessControl: Sendable {
    let token: AccessToken
    private struct State: Sendable {
        var policy: HostPolicy
        var sessions = SessionStore()
    }
    private let state: Mutex<State>
    private let now: @Sendable () -> Date

    init(token: AccessToken, policy: HostPolicy, now: @escaping @Sendable () -> Date) {
        self.token = token
        self.now = now
        state = Mutex(State(policy: policy))
    }

    /// The policy; the port is known once the server listens.
    var policy: HostPolicy {
        get { state.withLock { $0.policy } }
        set { state.withLock { $0.policy = newValue } }
    }

    /// A new session for an origin; nil where its pages have sent too many requests.
    func openSession(origin: String) -> (secret: String, session: SessionStore.Session)? {
        state.withLock { state in
            guard state.sessions.spend(origin: origin, now: now()) else { return nil }
            return state.sessions.open(origin: origin, now: now())
        }
    }

    /// Who a bearer is, and whose requests are theirs.
    func caller(bearer: String, origin: String?, isLoopback: Bool) -> (Caller, RequestRegistry.Owner) {
        if token.matches(bearer) { return (.station, .station) }
        // A secret that has wandered to another page, program or machine is worth nothing there.
        guard isLoopback, let session = state.withLock({ $0.sessions.session(bearer, now: now()) }),
            origin == session.origin
        else { return (.anonymous, .station) }
        return (.session(session.name), .origin(session.origin))
    }

    /// Whether the page of a session has sent nothing for so many seconds.
    func isSilent(_ session: String, forSeconds seconds: Double) -> Bool {
        state.withLock { state in
            guard let seen = state.sessions.seen(session) else { return true }
            return now().timeIntervalSince(seen) >= seconds
        }
    }

    /// Counts a request of a session; false where it, or its origin, has sent too many.
    func spend(_ session: String) -> Bool {
        state.withLock { $0.sessions.spend(session, now: now()) }
    }
}
