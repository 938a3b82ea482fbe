/// How much an app may have; all of it is checked before anything of that size is written or held.
public struct AppLimits: Sendable, Hashable {
    /// Bytes of a package.
    public var packageBytes = 64 << 20
    /// Bytes of all of its files.
    public var unpackedBytes = 256 << 20
    /// Bytes of one of them.
    public var fileBytes = 64 << 20
    /// Files and folders.
    public var entries = 10_000
    /// Bytes of a file's path.
    public var pathBytes = 512
    /// Folders within each other.
    public var depth = 32
    /// Apps of a station.
    public var apps = 32
    /// Bytes of the file that names the newest version.
    public var infoBytes = 64 << 10

    /// What an app may have unless somebody says otherwise.
    public init() {}
}
