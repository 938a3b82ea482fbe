internal import BarcodeCore
internal import CLinux
internal import Glibc
internal import SystemPackage

/// A way to rename a file without ever overwriting another one.
enum MoveStrategy: Sendable {
    /// renameat2(2) with RENAME_NOREPLACE.
    case rename
    /// Links the new name, then removes the old one: for file systems that do not support the flag.
    case link
    /// Copies to the disk, then removes the original: for another file system.
    case copy

    /// The next way to try after an error; `nil` if no other would succeed.
    func next(after error: Errno) -> MoveStrategy? {
        switch (self, error) {
        case (_, .improperLink) where self != .copy: .copy
        case (.rename, .invalidArgument), (.rename, .noFunction), (.rename, .notSupported): .link
        case (.link, .notPermitted), (.link, .notSupported), (.link, .noFunction), (.link, .tooManyLinks): .copy
        default: nil
        }
    }

    /// Moves an entry of one folder to another.
    ///
    /// - Parameters:
    ///   - identity: the file that is meant; `nil` for any. A file that has taken its name since stays.
    ///   - stop: stops a copy.
    /// - Throws: `Errno`; `fileExists` if the new name is taken, `noSuchFileOrDirectory` if the file does not have
    ///   the name any more, `canceled` once the flag is set.
    func move(
        _ name: [UInt8], in source: FolderHandle, to newName: [UInt8], in target: FolderHandle,
        of identity: FileIdentity? = nil, until stop: StopFlag = StopFlag()
    ) throws(Errno) {
        if let identity { try source.checkIdentity(identity, of: name) }
        switch self {
        case .rename:
            _ = try FolderHandle.check(
                name.withPath { old in
                    newName.withPath { qz_rename_unless_taken(source.descriptor, old, target.descriptor, $0) }
                })
            return
        case .link:
            _ = try FolderHandle.check(
                name.withPath { old in
                    newName.withPath { linkat(source.descriptor, old, target.descriptor, $0, 0) }
                })
        case .copy:
            try FileCopy.copy(name, in: source, to: newName, in: target, of: identity, until: stop)
        }
        do throws(Errno) {
            try source.remove(name, of: identity)
        } catch  where error == .noSuchFileOrDirectory {
            // It is at its new place, and its name is free, or another file's.
        }
    }
}

/// Helpers that copy, write and read files.
enum FileCopy {
    /// Copies a file to a free name; the copy is on the disk when this returns.
    static func copy(
        _ name: [UInt8], in source: FolderHandle, to newName: [UInt8], in target: FolderHandle,
        of identity: FileIdentity?, until stop: StopFlag
    ) throws(Errno) {
        let file = try WatchedFile(source, RelativePath(name))
        if let identity, !file.identity.isSame(as: identity) { throw .noSuchFileOrDirectory }
        var status = stat()
        _ = try FolderHandle.check(fstat(file.descriptor, &status))
        let temporary = PartFile.copy(file.identity.inode)
        _ = temporary.withPath { unlinkat(target.descriptor, $0, 0) }
        let copy = try FolderHandle.check(
            temporary.withPath {
                openat(target.descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0o666)
            })
        defer {
            Glibc.close(copy)
            _ = temporary.withPath { unlinkat(target.descriptor, $0, 0) }
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: off_t = 0
        while true {
            let count = pread(file.descriptor, &buffer, buffer.count, offset)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw Errno(rawValue: errno) }
            if count == 0 { break }
            try write(buffer[..<count], to: copy)
            offset += off_t(count)
            try stop.check(at: offset)
        }
        let times = [status.st_atim, status.st_mtim]
        _ = futimens(copy, times)
        _ = try FolderHandle.check(fsync(copy))
        guard try file.identityNow() == file.identity, offset == off_t(file.identity.size) else {
            throw .resourceTemporarilyUnavailable
        }
        do throws(Errno) {
            try MoveStrategy.rename.move(temporary, in: target, to: newName, in: target)
        } catch  where MoveStrategy.rename.next(after: error) != nil {
            try MoveStrategy.link.move(temporary, in: target, to: newName, in: target)
        }
        try target.sync()
    }

    /// Writes all of the bytes.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(Errno) {
        let number = bytes.withUnsafeBytes { $0.write(to: descriptor) }
        if number != 0 { throw Errno(rawValue: number) }
    }

    /// The first `most` bytes of a file; `nil` if it cannot be read.
    static func read(_ name: [UInt8], in folder: FolderHandle, most: Int) -> [UInt8]? {
        guard let file = try? WatchedFile(folder, RelativePath(name)) else { return nil }
        var buffer = [UInt8](repeating: 0, count: most)
        let count = pread(file.descriptor, &buffer, most, 0)
        return count < 0 ? nil : Array(buffer.prefix(count))
    }
}
