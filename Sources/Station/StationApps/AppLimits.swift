/// The limits of an app, which are checked before that much is written or allocated.
public struct AppLimits: Sendable, Hashable {
    /// The maximum size of a package, in bytes.
    public var packageBytes = 64 << 20
    /// The maximum size of all files of an app, in bytes.
    public var unpackedBytes = 256 << 20
    /// The maximum size of one file, in bytes.
    public var fileBytes = 64 << 20
    /// The maximum number of files and folders.
    public var entries = 10_000
    /// The maximum length of a file's path, in bytes.
    public var pathBytes = 512
    /// The maximum depth of folders.
    public var depth = 32
    /// The maximum number of apps on a station.
    public var apps = 32
    /// The maximum size of `info.json`, in bytes.
    public var infoBytes = 64 << 10

    /// Creates the default limits.
    public init() {}
}
