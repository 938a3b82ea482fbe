internal import Cryptography
internal import FoundationEssentials

/// The phones that a person has paired; the token of each only permits sending pictures.
///
/// This value has no clock; callers pass the time. A restart of the station forgets all phones.
struct PhoneStore: Sendable {
    /// A phone.
    struct Phone: Sendable, Hashable {
        /// The public name; the token is a different secret.
        var name: String
        var expiresAt: Date
        /// The time of the last request; `nil` if there was none yet.
        fileprivate(set) var seenAt: Date?
    }

    /// The time in seconds for a phone to connect after pairing, and its lifetime in seconds after that: a shift.
    static let waiting: Double = 10 * 60
    static let lifetime: Double = 12 * 3600
    /// The maximum number of phones; one more replaces the phone that expires first.
    static let maximum = 32

    private var phones: [[UInt8]: Phone] = [:]

    /// Registers a phone and returns its token.
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

    /// Returns the phone of a token and marks it as seen; `nil` if there is none, or it has expired.
    mutating func phone(_ token: String, now: Date) -> Phone? {
        let key = Self.key(token)
        guard var phone = phones[key], phone.expiresAt > now else { return nil }
        if phone.seenAt == nil { phone.expiresAt = now.addingTimeInterval(Self.lifetime) }
        phone.seenAt = now
        phones[key] = phone
        return phone
    }

    /// The phones that have not expired, by time of expiry.
    mutating func all(now: Date) -> [Phone] {
        forget(now: now)
        return phones.values.sorted { ($0.expiresAt, $0.name) < ($1.expiresAt, $1.name) }
    }

    /// Removes a phone.
    ///
    /// Returns true if it existed.
    mutating func remove(_ name: String) -> Bool {
        guard let key = phones.first(where: { $0.value.name == name })?.key else { return false }
        phones[key] = nil
        return true
    }

    private mutating func forget(now: Date) { phones = phones.filter { $0.value.expiresAt > now } }

    // The lookup is by a digest, so that the comparison reveals nothing of the token.
    private static func key(_ token: String) -> [UInt8] { SHA256.hash(token.utf8) }
}
