internal import Glibc

/// What tells a file from every other, and from itself after it was written to.
///
/// Not the time of its last change of state, which a rename changes too.
struct FileIdentity: Sendable, Hashable {
    /// The number of the file system.
    var device: UInt64
    /// The number of the file in it.
    var inode: UInt64
    /// The length in bytes.
    var size: Int64
    /// When it was last written, in nanoseconds since 1970.
    var modified: Int64

    init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
    }

    init(_ status: stat) {
        self.init(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
    }
}
