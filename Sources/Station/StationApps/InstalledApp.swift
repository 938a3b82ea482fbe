/// An installed app: its source and its versions.
public struct InstalledApp: Sendable, Hashable, Codable {
    /// A version on disk.
    public struct Version: Sendable, Hashable, Codable {
        /// The publisher's version number; `nil` for a package without one.
        public var number: String?
        /// The SHA-256 of its package, which is also the name of its folder.
        public var sha256: String
        /// The total size of its files, in bytes.
        public var bytes: Int
        /// The time of installation, in seconds since 1970.
        public var installedAt: Int

        /// The version number, or the first 12 digits of the hash, for people.
        public var label: String { number ?? String(sha256.prefix(12)) }
    }

    /// The settings chosen when the app was added.
    public struct Settings: Sendable, Hashable, Codable {
        /// The URL or path of the `info.json` with the newest version; `nil` for a package that was installed
        /// directly.
        public var source: String?
        /// The publisher's name of the app.
        public var publishedName: String?
        /// The publisher's key; `nil` if packages are not signed.
        public var key: AppKey?
        /// The origins that its pages may connect to, besides the station.
        public var origins: [String] = []
        /// The sign-in page, such as `login.html`.
        public var signIn: String?

        /// Creates empty settings.
        public init() {}

        /// Keeps earlier settings that are not given now: always the key, and the permissions of pages if the
        /// publisher is the same.
        mutating func keep(_ before: Settings?) {
            guard let before else { return }
            key = key ?? before.key
            guard key == before.key, publishedName == before.publishedName else { return }
            if origins.isEmpty { origins = before.origins }
            signIn = signIn ?? before.signIn
        }
    }

    /// The name, which is also in its host name.
    public var name: AppName
    /// The settings.
    public var settings: Settings
    /// The current version.
    public var current: Version
    /// The previous version, which ``AppStore/rollBack(_:)`` returns to.
    public var previous: Version?
    /// The SHA-256 of the version that was rolled back; updates do not install it again.
    public var rejected: String?
}
