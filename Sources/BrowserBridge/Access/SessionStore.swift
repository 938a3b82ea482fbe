internal import Crypto
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
        /// Requests that it may send now, and when that was counted.
        fileprivate var allowance: Double
        fileprivate var countedAt: Date
    }

    /// How long a session is good.
    static let lifetime: Double = 12 * 3600
    /// Requests a second, and as many at once.
    static let rate: Double = 20
    /// The most sessions; the one that ends first makes room.
    static let most = 256

    private var sessions: [[UInt8]: Session] = [:]

    /// A new session for an origin, and the secret that is it.
    mutating func open(origin: String, now: Date) -> (secret: String, session: Session) {
        sessions = sessions.filter { $0.value.expiresAt > now }
        if sessions.count >= Self.most, let first = sessions.min(by: { $0.value.expiresAt < $1.value.expiresAt }) {
            sessions[first.key] = nil
        }
        let secret = AccessToken.random()
        let session = Session(
            name: String(AccessToken.random().prefix(12)), origin: origin,
            expiresAt: now.addingTimeInterval(Self.lifetime), allowance: Self.rate, countedAt: now)
        sessions[Self.key(secret)] = session
        return (secret, session)
    }

    /// The session of a secret; nil where there is none or it has ended.
    func session(_ secret: String, now: Date) -> Session? {
        // Looked up by a digest, whose comparison tells nothing of the secret.
        sessions[Self.key(secret)].flatMap { $0.expiresAt > now ? $0 : nil }
    }

    /// Counts a request of a session; false where it has sent too many.
    mutating func spend(_ name: String, now: Date) -> Bool {
        guard let key = sessions.first(where: { $0.value.name == name })?.key, var session = sessions[key] else {
            return false
        }
        // A clock that went back refills nothing and takes nothing away.
        let elapsed = max(0, now.timeIntervalSince(session.countedAt))
        session.allowance = min(Self.rate, session.allowance + elapsed * Self.rate)
        session.countedAt = now
        defer { sessions[key] = session }
        guard session.allowance >= 1 else { return false }
        session.allowance -= 1
        return true
    }

    private static func key(_ secret: String) -> [UInt8] { Array(SHA256.hash(data: Data(secret.utf8))) }
}
