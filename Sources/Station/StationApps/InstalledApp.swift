/// An app as the station has it: where it comes from, and its versions.
public struct InstalledApp: Sendable, Hashable, Codable {
    /// A version that is on the disk.
    public struct Version: Sendable, Hashable, Codable {
        /// What the publisher calls it; nil for a package that nobody named a version of.
        public var number: String?
        /// The SHA-256 of its package, which also names its folder.
        public var sha256: String
        /// The bytes of all of its files.
        public var bytes: Int
        /// When it was put there, in seconds since 1970.
        public var installedAt: Int

        /// The version, or the beginning of its hash, for people.
        public var label: String { number ?? String(sha256.prefix(12)) }
    }

    /// What whoever added it has chosen.
    public struct Settings: Sendable, Hashable, Codable {
        /// Where the newest version is named: an address or a path of an `info.json`; nil for a package that was handed
        /// over.
        public var source: String?
        /// What the publisher calls it.
        public var publishedName: String?
        /// The publisher's key; nil where packages are not signed.
        public var key: AppKey?
        /// Origins that its pages may talk to, besides the station.
        public var origins: [String] = []
        /// The page that somebody signs in with, such as `login.html`.
        public var signIn: String?

        /// Nothing chosen.
        public init() {}

        /// Takes over what was chosen before and is not now: the key always, and what pages may do if they are by the same
        /// publisher.
        mutating func keep(_ before: Settings?) {
            guard let before else { return }
            key = key ?? before.key
            guard key == before.key, publishedName == before.publishedName else { return }
            if origins.isEmpty { origins = before.origins }
            signIn = signIn ?? before.signIn
        }
    }

    /// The name, which is also in its address.
    public var name: AppName
    /// What was chosen.
    public var settings: Settings
    /// The version that is served.
    public var current: Version
    /// The one before, which ``AppStore/rollBack(_:)`` returns to.
    public var previous: Version?
    /// The SHA-256 of the version that somebody went back from: it is not taken again.
    public var rejected: String?
}
