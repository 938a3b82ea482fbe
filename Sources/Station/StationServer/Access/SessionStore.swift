internal import Cryptography
internal import FoundationEssentials

/// The sessions of pages of other origins: who they are, until when, and how much they ask.
///
/// A value without a clock; its times are handed in.
struct SessionStore: Sendable {
    /// A session of a page.
    struct Session: Sendable, Hashable {
        /// What it is called within the station; the page knows another word, which is its secret.
        var name: String
        /// The origin that asked for it, and may use it.
        var origin: String
        var expiresAt: Date
        /// When the page last sent a request.
        fileprivate(set) var seenAt: Date
        fileprivate var allowance: Allowance
    }

    /// Requests that may be sent now: so many a second, and as many at once.
    struct Allowance: Sendable, Hashable {
        let rate: Double
        private var left: Double
        private var countedAt: Date

        init(rate: Double, now: Date) {
            (self.rate, left, countedAt) = (rate, rate, now)
        }

        /// Counts a request; false where there were too many.
        mutating func spend(now: Date) -> Bool {
            // A clock that went back refills nothing and takes nothing away.
            left = min(rate, left + max(0, now.timeIntervalSince(countedAt)) * rate)
            countedAt = now
            guard left >= 1 else { return false }
            left -= 1
            return true
        }
    }

    /// How long a session is good.
    static let lifetime: Double = 12 * 3600
    /// Requests of a session a second, and as many at once.
    static let rate: Double = 20
    /// Requests of all sessions of an origin a second, and of its asking for new ones.
    static let originRate: Double = 80
    /// The most sessions in all and of one origin; the one that was silent longest makes room.
    static let maximum = 256
    static let maximumOfOrigin = 64

    private var sessions: [[UInt8]: Session] = [:]
    private var origins: [String: Allowance] = [:]

    /// A new session for an origin, and the secret that is it.
    mutating func open(origin: String, now: Date) -> (secret: String, session: Session) {
        sessions = sessions.filter { $0.value.expiresAt > now }
        makeRoom(for: origin)
        let secret = AccessToken.random()
        let session = Session(
            name: String(AccessToken.random().prefix(12)), origin: origin,
            expiresAt: now.addingTimeInterval(Self.lifetime), seenAt: now,
            allowance: Allowance(rate: Self.rate, now: now))
        sessions[Self.key(secret)] = session
        return (secret, session)
    }

    /// An origin that opens many sessions loses its own, and no other origin's.
    private mutating func makeRoom(for origin: String) {
        let counts = Dictionary(grouping: sessions.values, by: \.origin).mapValues(\.count)
        let crowded: Set<String>
        if counts[origin, default: 0] >= Self.maximumOfOrigin {
            crowded = [origin]
        } else if sessions.count >= Self.maximum {
            let largest = counts.values.max()
            crowded = Set(counts.filter { $0.value == largest }.keys)
        } else {
            return
        }
        let silent = sessions.filter { crowded.contains($0.value.origin) }
            .min { $0.value.seenAt < $1.value.seenAt }
        if let silent { sessions[silent.key] = nil }
    }

    /// The session of a secret; nil where there is none or it has ended.
    func session(_ secret: String, now: Date) -> Session? {
        // Looked up by a digest, whose comparison tells nothing of the secret.
        sessions[Self.key(secret)].flatMap { $0.expiresAt > now ? $0 : nil }
    }

    /// When the page of a session last sent a request; nil where there is no such session.
    func seen(_ name: String) -> Date? { sessions.values.first { $0.name == name }?.seenAt }

    /// Counts a request of a session; false where it, or its origin, has sent too many.
    mutating func spend(_ name: String, now: Date) -> Bool {
        guard let key = sessions.first(where: { $0.value.name == name })?.key, var session = sessions[key] else {
            return false
        }
        session.seenAt = now
        defer { sessions[key] = session }
        return session.allowance.spend(now: now) && spend(origin: session.origin, now: now)
    }

    /// Counts a request of an origin; false where it has sent too many.
    mutating func spend(origin: String, now: Date) -> Bool {
        origins[origin, default: Allowance(rate: Self.originRate, now: now)].spend(now: now)
    }

    private static func key(_ secret: String) -> [UInt8] { SHA256.hash(secret.utf8) }
}
