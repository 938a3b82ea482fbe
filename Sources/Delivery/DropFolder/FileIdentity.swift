internal import CLinux

/// The metadata that distinguishes a file from others, and from itself before a change.
///
/// It excludes the time of the last status change, because a rename changes that too.
struct FileIdentity: Sendable, Hashable {
    /// The device number of the file system.
    var device: UInt64
    /// The inode number.
    ///
    /// File systems reuse the number of a deleted file.
    var inode: UInt64
    /// The length in bytes.
    var size: Int64
    /// The modification time, in nanoseconds since 1970.
    ///
    /// A copy of a file may preserve it.
    var modified: Int64
    /// The creation time, in nanoseconds since 1970, which users cannot set; 0 if the file system does not have it.
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

    /// Indicates whether this is the same file as an earlier recorded one, whose creation time may be unknown.
    func isSame(as noted: FileIdentity) -> Bool {
        var noted = noted
        if noted.born == 0 || born == 0 { noted.born = born }
        return noted == self
    }
}
