internal import BarcodeCore
internal import CLinux
internal import Glibc
internal import SystemPackage

/// An open folder, below which everything is accessed without following symbolic links.
///
/// A link that replaces a folder or a file between two accesses causes an error (ELOOP, ENOTDIR).
final class FolderHandle: Sendable {
    let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    /// Opens the folder at a path, which may contain links.
    convenience init(path: [UInt8]) throws(Errno) {
        self.init(descriptor: try Self.check(path.withPath { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }))
    }

    /// Opens a folder below this one.
    func folder(_ path: RelativePath) throws(Errno) -> FolderHandle {
        var handle = FolderHandle(descriptor: try Self.check(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)))
        for name in path.components { handle = try handle.entry(name) }
        return handle
    }

    /// Opens a folder below this one, creating it and its parents if necessary.
    func makeFolder(_ path: RelativePath) throws(Errno) -> FolderHandle {
        var handle = FolderHandle(descriptor: try Self.check(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)))
        for name in path.components {
            if name.withPath({ mkdirat(handle.descriptor, $0, 0o777) }) != 0 && errno != EEXIST {
                // If it cannot be created, it may exist nevertheless.
                let reason = Errno(rawValue: errno)
                do throws(Errno) { handle = try handle.entry(name) } catch { throw reason }
                continue
            }
            handle = try handle.entry(name)
        }
        return handle
    }

    /// The first symbolic link on the path to a folder below this one; `nil` if there is none.
    func link(within path: RelativePath) -> RelativePath? {
        var folder = self
        var way = RelativePath.root
        for name in path.components {
            way = way.appending(name)
            guard let status = try? folder.status(of: name) else { return nil }
            if status.mode & S_IFMT == S_IFLNK { return way }
            guard let next = try? folder.entry(name) else { return nil }
            folder = next
        }
        return nil
    }

    private func entry(_ name: [UInt8]) throws(Errno) -> FolderHandle {
        FolderHandle(
            descriptor: try Self.check(
                name.withPath { openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }))
    }

    /// The identity of an entry of this folder; `nil` if it is not a regular file.
    func identity(of name: [UInt8]) throws(Errno) -> FileIdentity? {
        let status = try status(of: name)
        return status.mode & S_IFMT == S_IFREG ? FileIdentity(status) : nil
    }

    /// Fails with `noSuchFileOrDirectory` if another file has the name now.
    func checkIdentity(_ noted: FileIdentity, of name: [UInt8]) throws(Errno) {
        guard try identity(of: name)?.isSame(as: noted) == true else { throw .noSuchFileOrDirectory }
    }

    /// Removes a file, unless another file has its name now.
    ///
    /// - Parameter identity: the file that is meant; `nil` for any.
    /// - Throws: `Errno`; `noSuchFileOrDirectory` if it does not have the name.
    func remove(_ name: [UInt8], of identity: FileIdentity?) throws(Errno) {
        if let identity { try checkIdentity(identity, of: name) }
        _ = try Self.check(name.withPath { unlinkat(descriptor, $0, 0) })
    }

    /// The status of an entry of this folder, not of the target of a link.
    func status(of name: [UInt8]) throws(Errno) -> qz_file_status {
        var status = qz_file_status()
        _ = try Self.check(name.withPath { qz_status(descriptor, $0, &status) })
        return status
    }

    /// The maximum length of a name in this folder, in bytes.
    var maximumNameLength: Int {
        let most = fpathconf(descriptor, Int32(_PC_NAME_MAX))
        return most > 0 ? min(most, Placement.maximumNameLength) : Placement.maximumNameLength
    }

    /// Syncs the names in this folder to the disk.
    func sync() throws(Errno) {
        if fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS { throw Errno(rawValue: errno) }
    }

    /// The result of a system call, or its error.
    static func check(_ result: Int32) throws(Errno) -> Int32 {
        if result < 0 { throw Errno(rawValue: errno) }
        return result
    }
}
