internal import Cryptography
internal import FoundationEssentials

/// The phones that a person has brought here: each has a token of its own, which sends pictures and nothing else.
///
/// A value without a clock; its times are handed in. A station that was started anew knows none of them.
struct PhoneStore: Sendable {
    /// A phone.
    struct Phone: Sendable, Hashable {
        /// What it is called here; its token is another word.
        var name: String
        var expiresAt: Date
        /// When it last sent something; nil of one that has not come yet.
        fileprivate(set) var seenAt: Date?
    }

    /// How long a phone may come with its symbol, and how long it may stay from then on: a shift.
    static let waiting: Double = 10 * 60
    static let lifetime: Double = 12 * 3600
    /// The most phones; one more takes the place of the one that ends first.
    static let maximum = 32

    private var phones: [[UInt8]: Phone] = [:]

    /// A new phone, and the token that it is to send.
    mutating func add(now: Date) -> (token: String, phone: Phone) {
        forget(now: now)
        if phones.count >= Self.maximum, let first = phones.min(by: { $0.value.expiresAt < $1.value.expiresAt }) {
            phones[first.key] = nil
        }
        let token = AccessToken.random()
        let phone = Phone(
            name: String(AccessToken.random().prefix(12)), expiresAt: now.addingTimeInterval(Self.waiting))
        phones[Self.key(token)] = phone
        return (token, phone)
    }

    /// The phone of a token, which is there now; nil where there is none, or its time is up.
    mutating func phone(_ token: String, now: Date) -> Phone? {
        let key = Self.key(token)
        guard var phone = phones[key], phone.expiresAt > now else { return nil }
        if phone.seenAt == nil { phone.expiresAt = now.addingTimeInterval(Self.lifetime) }
        phone.seenAt = now
        phones[key] = phone
        return phone
    }

    /// Those whose time is not up, the one that ends first at the beginning.
    mutating func all(now: Date) -> [Phone] {
        forget(now: now)
        return phones.values.sorted { ($0.expiresAt, $0.name) < ($1.expiresAt, $1.name) }
    }

    /// Sends a phone away; whether it was there.
    mutating func remove(_ name: String) -> Bool {
        guard let key = phones.first(where: { $0.value.name == name })?.key else { return false }
        phones[key] = nil
        return true
    }

    private mutating func forget(now: Date) { phones = phones.filter { $0.value.expiresAt > now } }

    // Looked up by a digest, whose comparison tells nothing of the token.
    private static func key(_ token: String) -> [UInt8] { SHA256.hash(token.utf8) }
}
