internal import BridgeDialects

/// The requests of pages for a scan, from their opening to their end.
///
/// A value without I/O and without a clock: times are handed in. Each request ends once, in one way.
struct RequestRegistry: Sendable {
    /// Where a request stands.
    enum State: Sendable, Hashable {
        /// It waits for its answer.
        case open
        /// It has one.
        case answered(BridgeOutcome)
        /// It came to nothing.
        case failed(code: String, sentence: String)
        /// The page or the person gave it up.
        case cancelled
        /// Its time ran out.
        case expired

        /// What the page is told; nil while the request is open.
        var outcome: BridgeOutcome? {
            switch self {
            case .open: nil
            case .answered(let outcome): outcome
            case .failed(let code, let sentence): .failed(code: code, sentence: sentence)
            case .cancelled: .cancelled
            case .expired: .failed(code: ScanFailure.timedOut.code, sentence: "No code was read in time.")
            }
        }

        /// The word for it on the wire.
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

    /// Whose a request is: an origin, or the station itself.
    enum Owner: Sendable, Hashable {
        case station
        case origin(String)
    }

    /// A request and where it stands.
    struct Entry: Sendable, Hashable {
        var bridge: BridgeRequest
        var owner: Owner
        /// The session that hears of it: the last that asked.
        var session: String?
        /// When it expires, by the clock whose times are handed in.
        var deadline: Duration
        var state = State.open

        var id: String { bridge.id }

        /// Whose share of the open requests it takes up.
        var party: Party { owner.origin.map { .page(origin: $0, session: session ?? "") } ?? .station }
    }

    /// What became of an attempt to open a request.
    enum Opening: Sendable, Hashable {
        /// It is new, and open.
        case opened(Entry)
        /// It was sent before, and stands where it stands.
        case known(Entry)
        /// Its identifier is somebody else's.
        case foreign
        /// Too many are open.
        case full(Quota.Limit)
    }

    /// How many requests may be open; a page shows one at a time.
    static let quota = Quota(maximum: 64, maximumOfPages: 48, maximumOfOrigin: 24, maximumOfSession: 8)
    /// The most that have ended and are remembered, in all and of one owner.
    static let maximumEnded = 512
    static let maximumEndedOfOwner = 128

    private var entries: [String: Entry] = [:]
    /// Those that have ended, the oldest first.
    private var ended: [String] = []

    /// How many are open.
    var openCount: Int { entries.count - ended.count }

    /// Those that are open.
    var open: [Entry] { entries.values.filter { $0.state == .open } }

    /// The entry of an identifier, for its owner and for the station.
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
        if let limit = Self.quota.limit(for: entry.party, among: open.map(\.party)) { return .full(limit) }
        entries[bridge.id] = entry
        return .opened(entry)
    }

    /// Ends a request; nil where there is none that is open, and nothing changes then.
    mutating func end(_ id: String, _ state: State) -> Entry? {
        guard state != .open, var entry = entries[id], entry.state == .open else { return nil }
        entry.state = state
        entries[id] = entry
        ended.append(id)
        forget(oneOf: entry.owner)
        return entry
    }

    /// Forgets the oldest that has ended, where there are too many: an owner that ends many forgets its own.
    private mutating func forget(oneOf owner: Owner) {
        let isOwn = { [entries] (id: String) in entries[id]?.owner == owner }
        let place: Int? =
            ended.count(where: isOwn) > Self.maximumEndedOfOwner
            ? ended.firstIndex(where: isOwn) : ended.count > Self.maximumEnded ? 0 : nil
        if let place { entries[ended.remove(at: place)] = nil }
    }

    /// Ends those whose time has come.
    mutating func expire(now: Duration) -> [Entry] {
        open.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }.compactMap { end($0.id, .expired) }
    }
}
