internal import BridgeDialects

/// The scan requests of pages, from opening to end.
///
/// This value has no I/O and no clock; callers pass the time. Each request ends exactly once.
struct RequestRegistry: Sendable {
    /// The state of a request.
    enum State: Sendable, Hashable {
        /// It waits for its answer.
        case open
        /// It was answered.
        case answered(BridgeOutcome)
        /// It failed.
        case failed(code: String, sentence: String)
        /// The page or the person cancelled it.
        case cancelled
        /// It timed out.
        case expired

        /// The outcome for the page; `nil` while the request is open.
        var outcome: BridgeOutcome? {
            switch self {
            case .open: nil
            case .answered(let outcome): outcome
            case .failed(let code, let sentence): .failed(code: code, sentence: sentence)
            case .cancelled: .cancelled
            case .expired: .failed(code: ScanFailure.timedOut.code, sentence: "No code was read in time.")
            }
        }

        /// The name in messages.
        var name: String {
            switch self {
            case .open: "open"
            case .answered: "answered"
            case .failed: "failed"
            case .cancelled: "cancelled"
            case .expired: "expired"
            }
        }
    }

    /// The owner of a request: an origin, or the station itself.
    enum Owner: Sendable, Hashable {
        case station
        case origin(String)
    }

    /// A request and its state.
    struct Entry: Sendable, Hashable {
        var bridge: BridgeRequest
        var owner: Owner
        /// The session that gets the answer: the last one that sent the request.
        var session: String?
        /// The time of expiry, on the callers' clock.
        var deadline: Duration
        var state = State.open

        var id: String { bridge.id }

        /// The user whose quota the request uses.
        var quotaUser: QuotaUser { owner.origin.map { .page(origin: $0, session: session ?? "") } ?? .station }
    }

    /// The result of an attempt to open a request.
    enum Opening: Sendable, Hashable {
        /// It is new and now open.
        case opened(Entry)
        /// It was sent before; the entry has its state.
        case known(Entry)
        /// Its identifier belongs to another owner.
        case foreign
        /// Too many are open.
        case full(Quota.Limit)
    }

    /// The limits for open requests; a page shows one at a time.
    static let quota = Quota(maximum: 64, maximumOfPages: 48, maximumOfOrigin: 24, maximumOfSession: 8)
    /// The maximum number of ended requests to remember, in all and per owner.
    static let maximumEnded = 512
    static let maximumEndedOfOwner = 128

    private var entries: [String: Entry] = [:]
    /// The ended requests, oldest first.
    private var ended: [String] = []

    /// The number of open requests.
    var openCount: Int { entries.count - ended.count }

    /// The open requests.
    var open: [Entry] { entries.values.filter { $0.state == .open } }

    /// The entry of an identifier; `nil` unless `owner` owns it or is the station.
    func entry(_ id: String, for owner: Owner) -> Entry? {
        entries[id].flatMap { owner == .station || $0.owner == owner ? $0 : nil }
    }

    /// Opens a request, or finds the one that was sent before.
    mutating func open(_ bridge: BridgeRequest, owner: Owner, session: String?, now: Duration) -> Opening {
        if var known = entries[bridge.id] {
            guard known.owner == owner else { return .foreign }
            // After a reconnect the page has another session.
            known.session = session
            entries[bridge.id] = known
            return .known(known)
        }
        let entry = Entry(bridge: bridge, owner: owner, session: session, deadline: now + bridge.timeout)
        if let limit = Self.quota.limit(for: entry.quotaUser, among: open.map(\.quotaUser)) { return .full(limit) }
        entries[bridge.id] = entry
        return .opened(entry)
    }

    /// Ends a request; `nil`, without a change, if it is not open.
    mutating func end(_ id: String, _ state: State) -> Entry? {
        guard state != .open, var entry = entries[id], entry.state == .open else { return nil }
        entry.state = state
        entries[id] = entry
        ended.append(id)
        forget(oneOf: entry.owner)
        return entry
    }

    /// Forgets the oldest ended request if there are too many; an owner that ends many only loses its own.
    private mutating func forget(oneOf owner: Owner) {
        let isOwn = { [entries] (id: String) in entries[id]?.owner == owner }
        let index: Int? =
            ended.count(where: isOwn) > Self.maximumEndedOfOwner
            ? ended.firstIndex(where: isOwn) : ended.count > Self.maximumEnded ? 0 : nil
        if let index { entries[ended.remove(at: index)] = nil }
    }
}
