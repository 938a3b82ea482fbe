internal import Cryptography
internal import FoundationEssentials

/// The sessions of pages of other origins: identity, expiry and rate limit.
///
/// This value has no clock; callers pass the time, and as `uptime` that of a monotonic clock.
struct SessionStore: Sendable {
    /// A session of a page.
    struct Session: Sendable, Hashable {
        /// The name within the station; the page has a different secret.
        var name: String
        /// The origin that opened the session and may use it.
        var origin: String
        var expiresAt: Date
        /// The time of the page's last request, by the monotonic clock.
        fileprivate(set) var seenAt: Duration
        fileprivate var bucket: TokenBucket
    }

    /// A token bucket for requests; `rate` is both the refill per second and the capacity.
    struct TokenBucket: Sendable, Hashable {
        let rate: Double
        private var left: Double
        private var countedAt: Date

        init(rate: Double, now: Date) {
            (self.rate, left, countedAt) = (rate, rate, now)
        }

        /// Counts a request; false if the rate limit is exceeded.
        mutating func take(now: Date) -> Bool {
            // A clock that was set back adds and removes nothing.
            left = min(rate, left + max(0, now.timeIntervalSince(countedAt)) * rate)
            countedAt = now
            guard left >= 1 else { return false }
            left -= 1
            return true
        }
    }

    /// The lifetime of a session, in seconds.
    static let lifetime: Double = 12 * 3600
    /// The rate limit of a session, in requests a second; also the largest burst.
    static let rate: Double = 20
    /// The rate limit of an origin, in requests a second: all of its sessions and its requests for new ones.
    static let originRate: Double = 80
    /// The maximum number of sessions in all, and per origin; the one that was inactive longest is removed.
    static let maximum = 256
    static let maximumOfOrigin = 64

    private var sessions: [[UInt8]: Session] = [:]
    private var origins: [String: TokenBucket] = [:]

    /// Opens a session for an origin and returns its secret.
    mutating func open(origin: String, now: Date, uptime: Duration) -> (secret: String, session: Session) {
        sessions = sessions.filter { $0.value.expiresAt > now }
        makeRoom(for: origin)
        let secret = AccessToken.random()
        let session = Session(
            name: String(AccessToken.random().prefix(12)), origin: origin,
            expiresAt: now.addingTimeInterval(Self.lifetime), seenAt: uptime,
            bucket: TokenBucket(rate: Self.rate, now: now))
        sessions[Self.key(secret)] = session
        return (secret, session)
    }

    /// Removes a session if there are too many.
    ///
    /// An origin that opens many loses its own, not those of others.
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

    /// The session of a secret; `nil` if there is none or it has expired.
    func session(_ secret: String, now: Date) -> Session? {
        // The lookup is by a digest, so that the comparison reveals nothing of the secret.
        sessions[Self.key(secret)].flatMap { $0.expiresAt > now ? $0 : nil }
    }

    /// The time of a session's last request, by the monotonic clock; `nil` if it is not known.
    func seen(_ name: String) -> Duration? { sessions.values.first { $0.name == name }?.seenAt }

    /// Counts a request of a session; false if there is no such session, or it or its origin exceeds the rate limit.
    mutating func countRequest(ofSession name: String, now: Date, uptime: Duration) -> Bool {
        guard let key = sessions.first(where: { $0.value.name == name })?.key, var session = sessions[key] else {
            return false
        }
        session.seenAt = uptime
        defer { sessions[key] = session }
        return session.bucket.take(now: now) && countRequest(ofOrigin: session.origin, now: now)
    }

    /// Counts a request of an origin; false if it exceeds the rate limit.
    mutating func countRequest(ofOrigin origin: String, now: Date) -> Bool {
        origins[origin, default: TokenBucket(rate: Self.originRate, now: now)].take(now: now)
    }

    private static func key(_ secret: String) -> [UInt8] { SHA256.hash(secret.utf8) }
}
