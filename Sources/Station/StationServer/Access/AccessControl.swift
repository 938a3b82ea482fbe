internal import FoundationEssentials
internal import StationApps
internal import Synchronization

/// Knows who may ask for what: the policy of names and origins, the token, the sessions.
final class AccessControl: Sendable {
    let token: AccessToken
    private struct State: Sendable {
        var policy: HostPolicy
        var sessions = SessionStore()
        var phones = PhoneStore()
    }
    private let state: Mutex<State>
    private let now: @Sendable () -> Date

    /// The pages that live on the station, each an origin of its own.
    let apps: AppFiles?

    init(
        token: AccessToken, policy: HostPolicy, apps: AppFiles? = nil, now: @escaping @Sendable () -> Date
    ) {
        self.token = token
        self.apps = apps
        self.now = now
        state = Mutex(State(policy: policy))
    }

    /// The policy; the port is known once the server listens.
    var policy: HostPolicy {
        get { state.withLock { $0.policy } }
        set { state.withLock { $0.policy = newValue } }
    }

    /// What an `Origin` header is to the station, whose apps may use the bridge.
    func kind(ofOrigin origin: String?) -> HostPolicy.OriginKind {
        let kind = policy.kind(ofOrigin: origin)
        guard kind == .refused, let origin, let name = policy.app(origin: origin), apps?.app(name) != nil else {
            return kind
        }
        return .allowed
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
        if let phone = state.withLock({ $0.phones.phone(bearer, now: now()) }) {
            return (.phone(phone.name), .origin("phone \(phone.name)"))
        }
        // A secret that has wandered to another page, program or machine is worth nothing there.
        guard isLoopback, let session = state.withLock({ $0.sessions.session(bearer, now: now()) }),
            origin == session.origin
        else { return (.anonymous, .station) }
        return (.session(session.name), .origin(session.origin))
    }

    /// A new phone, and its token.
    func addPhone() -> (token: String, phone: PhoneStore.Phone) { state.withLock { $0.phones.add(now: now()) } }

    /// The phones that are here or may come.
    func phones() -> [PhoneStore.Phone] { state.withLock { $0.phones.all(now: now()) } }

    /// Sends a phone away; whether it was there.
    func removePhone(_ name: String) -> Bool { state.withLock { $0.phones.remove(name) } }

    /// Whether the page of a session has sent nothing for so many seconds.
    func isSilent(_ session: String, forSeconds seconds: Double) -> Bool {
        state.withLock { state in
            guard let seen = state.sessions.seen(session) else { return true }
            return now().timeIntervalSince(seen) >= seconds
        }
    }

    /// Counts a request of a page without a session; false where its origin has sent too many.
    func spend(origin: String) -> Bool {
        state.withLock { $0.sessions.spend(origin: origin, now: now()) }
    }

    /// Counts a request of a session; false where it, or its origin, has sent too many.
    func spend(_ session: String) -> Bool {
        state.withLock { $0.sessions.spend(session, now: now()) }
    }
}
