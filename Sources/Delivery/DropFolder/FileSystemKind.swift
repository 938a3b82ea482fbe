internal import CLinux

/// The kind of a file system, by the magic number that statfs(2) returns.
enum FileSystemKind {
    /// The file systems on which other machines change files without notification to this one: the magic numbers of
    /// linux/magic.h and statfs(2), with their names.
    private static let silent: [UInt32: String] = [
        0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB2", 0x6573_5546: "FUSE",
        0x0102_1997: "9p", 0x5346_414F: "AFS", 0x00C3_6400: "Ceph", 0x7375_7245: "Coda", 0x564C: "NCP",
        0x0BD0_0BD0: "Lustre", 0x786F_4256: "vboxsf", 0x1980_1023: "VMware HGFS",
    ]

    /// The name of an open folder's file system if inotify misses changes on it; otherwise `nil`.
    static func silent(_ folder: FolderHandle) -> String? {
        silent(type: UInt32(truncatingIfNeeded: qz_file_system_type(folder.descriptor)))
    }

    /// The name of a file system type if inotify misses changes on it; otherwise `nil`.
    static func silent(type: UInt32) -> String? { silent[type] }
}
