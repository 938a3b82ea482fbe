internal import FoundationEssentials
internal import StationApps
internal import Synchronization

/// Authorizes requests: holds the policy of host names and origins, the token, the sessions and the phones.
final class AccessControl: Sendable {
    let token: AccessToken
    private struct State: Sendable {
        var policy: HostPolicy
        var sessions = SessionStore()
        var phones = PhoneStore()
    }
    private let state: Mutex<State>
    private let now: @Sendable () -> Date
    /// A monotonic clock.
    private let uptime: @Sendable () -> Duration

    /// The apps hosted by the station, each with an origin of its own; `nil` if there are none.
    let apps: AppFiles?

    init(
        token: AccessToken, policy: HostPolicy, apps: AppFiles? = nil, now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration
    ) {
        self.token = token
        self.apps = apps
        self.now = now
        self.uptime = uptime
        state = Mutex(State(policy: policy))
    }

    /// The host policy.
    ///
    /// The port is known once the server listens.
    var policy: HostPolicy {
        get { state.withLock { $0.policy } }
        set { state.withLock { $0.policy = newValue } }
    }

    /// Classifies an `Origin` header; apps hosted by the station may use the bridge.
    func kind(ofOrigin origin: String?) -> HostPolicy.OriginKind {
        let kind = policy.kind(ofOrigin: origin)
        guard kind == .refused, let origin, let name = policy.app(origin: origin), apps?.app(name) != nil else {
            return kind
        }
        return .allowed
    }

    /// Opens a session for an origin; `nil` if the origin exceeds its rate limit.
    func openSession(origin: String) -> (secret: String, session: SessionStore.Session)? {
        state.withLock { state in
            guard state.sessions.countRequest(ofOrigin: origin, now: now()) else { return nil }
            return state.sessions.open(origin: origin, now: now(), uptime: uptime())
        }
    }

    /// Identifies the caller by its bearer token, and the owner of the caller's requests.
    func caller(bearer: String, origin: String?, isLoopback: Bool) -> (Caller, RequestRegistry.Owner) {
        if token.matches(bearer) { return (.station, .station) }
        if let phone = state.withLock({ $0.phones.phone(bearer, now: now()) }) {
            return (.phone(phone.name), .origin("phone \(phone.name)"))
        }
        // A session secret is only valid for its own origin and on this machine.
        guard isLoopback, let session = state.withLock({ $0.sessions.session(bearer, now: now()) }),
            origin == session.origin
        else { return (.anonymous, .station) }
        return (.session(session.name), .origin(session.origin))
    }

    /// Registers a phone and returns its token.
    func addPhone() -> (token: String, phone: PhoneStore.Phone) { state.withLock { $0.phones.add(now: now()) } }

    /// The registered phones, including those that have not connected yet.
    func phones() -> [PhoneStore.Phone] { state.withLock { $0.phones.all(now: now()) } }

    /// Removes a phone.
    ///
    /// Returns true if it existed.
    func removePhone(_ name: String) -> Bool { state.withLock { $0.phones.remove(name) } }

    /// Indicates whether the page of a session has sent no request for the given time, or the session does not exist.
    func isSilent(_ session: String, for time: Duration) -> Bool {
        state.withLock { state in
            guard let seen = state.sessions.seen(session) else { return true }
            return uptime() - seen >= time
        }
    }

    /// Counts a request of a page without a session; false if its origin exceeds the rate limit.
    func countRequest(ofOrigin origin: String) -> Bool {
        state.withLock { $0.sessions.countRequest(ofOrigin: origin, now: now()) }
    }

    /// Counts a request of a session; false if the session or its origin exceeds the rate limit.
    func countRequest(ofSession session: String) -> Bool {
        state.withLock { $0.sessions.countRequest(ofSession: session, now: now(), uptime: uptime()) }
    }
}
