internal import Glibc
internal import Synchronization

/// The folder that pictures are in while they are read, and whether it takes any.
final class UploadFolder: Sendable {
    let path: String
    private let maximumBytes: Int
    private let hasFailed = Mutex(false)

    /// A folder that is made where there is none, and emptied.
    ///
    /// - Parameter maximumBytes: the room that a body may need.
    init(_ folder: String, maximumBytes: Int) throws(UploadFolderError) {
        path = folder
        self.maximumBytes = maximumBytes
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw UploadFolderError("the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
        guard access(folder, R_OK | W_OK | X_OK) == 0, let list = opendir(folder) else {
            throw UploadFolderError("the folder \(folder) cannot be used: \(String(cString: strerror(errno)))")
        }
        defer { closedir(list) }
        // What a process left behind that was killed.
        while let entry = readdir(list) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("upload-") { unlink("\(folder)/\(name)") }
        }
    }

    /// Takes note of how the last attempt to write a picture ended.
    func note(hasFailed: Bool) { self.hasFailed.withLock { $0 = hasFailed } }

    /// Whether a picture can be kept: the last one could, and there is room for the largest.
    var isWritable: Bool {
        var room = statvfs()
        guard !hasFailed.withLock({ $0 }), access(path, W_OK | X_OK) == 0, statvfs(path, &room) == 0 else {
            return false
        }
        // A file system in memory may not count at all.
        return room.f_blocks == 0 || Int(clamping: room.f_bavail) >= maximumBytes / max(1, Int(clamping: room.f_frsize))
    }
}

/// A folder for uploads that cannot be used: a sentence for whoever starts the station.
public struct UploadFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, with the folder.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
