internal import BarcodeCore
internal import CLinux
internal import Cryptography
internal import DecodeReports
internal import Glibc
internal import SystemPackage

/// An open file of the watched folder, so that the hashed file is the decoded one.
final class WatchedFile: Sendable {
    let descriptor: Int32
    /// The identity when it was opened.
    let identity: FileIdentity

    /// Opens a regular file below a folder.
    ///
    /// - Throws: `Errno`; ELOOP for a link, and EINVAL if it is not a regular file.
    init(_ root: FolderHandle, _ path: RelativePath) throws(Errno) {
        let folder = try root.folder(path.folder)
        // Without O_NONBLOCK, opening a pipe would block.
        descriptor = try FolderHandle.check(
            path.name.withPath {
                openat(folder.descriptor, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            })
        var status = qz_file_status()
        guard qz_status(descriptor, "", &status) == 0 else {
            let error = Errno(rawValue: errno)
            Glibc.close(descriptor)
            throw error
        }
        guard status.mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw .invalidArgument
        }
        identity = FileIdentity(status)
    }

    deinit { Glibc.close(descriptor) }

    /// The current identity of the file, whatever its name.
    func identityNow() throws(Errno) -> FileIdentity {
        var status = qz_file_status()
        _ = try FolderHandle.check(qz_status(descriptor, "", &status))
        return FileIdentity(status)
    }

    /// Indicates whether a process has the file open for writing; `nil` if the kernel does not say.
    ///
    /// The kernel grants no read lease on a file that is open for writing (fcntl(2), "Leases"). A lease requires
    /// ownership of the file or CAP_LEASE, and a local file system.
    var isBeingWritten: Bool? {
        let answer = qz_is_open_for_writing(descriptor)
        return answer < 0 ? nil : answer == 1
    }

    /// The path by which this process can open this very file again.
    var pathOfOpenFile: PictureName { PictureName("/proc/self/fd/\(descriptor)") }

    /// The first bytes, at most 1024; empty if they cannot be read.
    var head: [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(0, count)))
    }

    /// The SHA-256 of the content.
    ///
    /// - Throws: `Errno`; `canceled` once the flag is set.
    func hash(until stop: StopFlag) throws(Errno) -> [UInt8] {
        var hasher = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var offset: off_t = 0
        while true {
            let count = pread(descriptor, &buffer, buffer.count, offset)
            if count < 0 {
                if errno == EINTR { continue }
                throw Errno(rawValue: errno)
            }
            if count == 0 { return hasher.digest }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += off_t(count)
            try stop.check(at: offset)
        }
    }
}
