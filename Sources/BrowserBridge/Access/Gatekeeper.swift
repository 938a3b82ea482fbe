internal import FoundationEssentials
internal import Synchronization

/// Knows who may ask for what: the policy of names and origins, the token, the sessions.
final class Gatekeeper: Sendable {
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

    func openSession(origin: String) -> (secret: String, session: SessionStore.Session) {
        state.withLock { $0.sessions.open(origin: origin, now: now()) }
    }

    /// Who a bearer is, and whose requests are theirs.
    func caller(bearer: String, origin: String?) -> (Caller, RequestRegistry.Owner) {
        if token.matches(bearer) { return (.station, .station) }
        guard let session = state.withLock({ $0.sessions.session(bearer, now: now()) }),
            // A secret that has wandered to another page is worth nothing there.
            origin == nil || origin == session.origin
        else { return (.nobody, .station) }
        return (.session(session.name), .origin(session.origin))
    }

    /// Counts a request to the bridge; false where the session has sent too many.
    func spend(_ session: String) -> Bool {
        state.withLock { $0.sessions.spend(session, now: now()) }
    }
}
