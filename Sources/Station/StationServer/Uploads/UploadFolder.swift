internal import Glibc
internal import Synchronization

/// The folder for pictures during decoding, and its health.
final class UploadFolder: Sendable {
    let path: String
    private let maximumBytes: Int
    private let hasFailed = Mutex(false)

    /// Creates the folder if it does not exist, and removes old uploads.
    ///
    /// - Parameter maximumBytes: the space that one body may need.
    init(_ folder: String, maximumBytes: Int) throws(UploadFolderError) {
        path = folder
        self.maximumBytes = maximumBytes
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw UploadFolderError("the folder \(folder) cannot be created: \(String(cString: strerror(errno)))")
        }
        // One that was copied may have other permissions.
        chmod(folder, 0o700)
        guard access(folder, R_OK | W_OK | X_OK) == 0, let list = opendir(folder) else {
            throw UploadFolderError("the folder \(folder) cannot be used: \(String(cString: strerror(errno)))")
        }
        defer { closedir(list) }
        // Remove the files of a process that was killed.
        while let entry = readdir(list) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("upload-") { unlink("\(folder)/\(name)") }
        }
    }

    /// Records the result of the last attempt to write a picture.
    func note(hasFailed: Bool) { self.hasFailed.withLock { $0 = hasFailed } }

    /// Indicates whether a picture can be stored: the last write succeeded, and there is space for the largest body.
    var isWritable: Bool {
        var room = statvfs()
        guard !hasFailed.withLock({ $0 }), access(path, W_OK | X_OK) == 0, statvfs(path, &room) == 0 else {
            return false
        }
        // A file system in memory may report no block count.
        return room.f_blocks == 0 || Int(clamping: room.f_bavail) >= maximumBytes / max(1, Int(clamping: room.f_frsize))
    }
}

/// An upload folder that cannot be used, with a message for the person who starts the station.
public struct UploadFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault, with the path of the folder.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
