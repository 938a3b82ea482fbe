internal import CLinux

/// What tells a file from every other, and from itself after it was written to.
///
/// Not the time of its last change of state, which a rename changes too.
struct FileIdentity: Sendable, Hashable {
    /// The number of the file system.
    var device: UInt64
    /// The number of the file in it.
    ///
    /// File systems give the number of a deleted file to the next one.
    var inode: UInt64
    /// The length in bytes.
    var size: Int64
    /// The time of the last write, in nanoseconds since 1970.
    ///
    /// Whoever copies a file may copy this too.
    var modified: Int64
    /// The time of birth, in nanoseconds since 1970, which nobody can choose; 0 if the file system does not have it.
    var born: Int64

    init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, born: Int64 = 0) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.born = born
    }

    init(_ status: qz_file_status) {
        self.init(
            device: status.device, inode: status.inode, size: status.size, modified: status.modified,
            born: status.born)
    }

    /// Indicates whether a file that was noted earlier, perhaps without the time at which it was made, is this one.
    func isSame(as noted: FileIdentity) -> Bool {
        var noted = noted
        if noted.born == 0 || born == 0 { noted.born = born }
        return noted == self
    }
}
