internal import BarcodeCore
internal import Glibc

/// A file that a program overwrites at a path given by the user.
///
/// Only a regular file is replaced. A symbolic link would redirect the output to another file, and a device or a
/// pipe serves another purpose.
public enum OutputFile {
    /// The reason why a file cannot be written, as a clause for people.
    public struct Fault: Error, CustomStringConvertible {
        /// The clause.
        public let description: String

        fileprivate init(errno number: Int32) { description = String(cString: strerror(number)) }

        fileprivate init(mode: mode_t) {
            description =
                mode & S_IFMT == S_IFDIR
                ? "it is a folder; give the path of a file" : "it is not a regular file; remove it, or choose another"
        }

        fileprivate init(_ description: String) { self.description = description }
    }

    /// Checks that a path leads to a regular file or does not exist, for code that writes the file itself.
    public static func check(_ path: [UInt8]) throws(Fault) {
        var status = stat()
        guard path.withPath({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw Fault(mode: status.st_mode)
    }

    /// Opens a file for reading and writing, creates it if necessary, and truncates it.
    ///
    /// - Returns: the descriptor, which the caller closes.
    public static func open(_ path: [UInt8]) throws(Fault) -> Int32 {
        let descriptor = try openUnchanged(path).descriptor
        guard ftruncate(descriptor, 0) == 0 else {
            let number = errno
            close(descriptor)
            throw Fault(errno: number)
        }
        return descriptor
    }

    /// Overwrites a file.
    ///
    /// A full disk leaves the file as it was.
    public static func write(_ bytes: [UInt8], to path: [UInt8]) throws(Fault) {
        try write(bytes, to: path) { (_, _) throws(Fault) in }
    }

    /// Writes a file into a folder that may also contain files of the user, which are not replaced.
    ///
    /// - Parameter mark: a text in the first 256 bytes of `bytes` that no other program writes there. Only a file with
    ///   this mark is replaced.
    public static func write(_ bytes: [UInt8], to path: [UInt8], replacingOnly mark: String) throws(Fault) {
        var status = stat()
        if path.withPath({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw Fault("there is a folder of that name; remove it, or choose another folder")
        }
        try write(bytes, to: path) { (descriptor, size) throws(Fault) in
            var start = [UInt8](repeating: 0, count: 256)
            let count = pread(descriptor, &start, start.count, 0)
            guard count >= 0 else { throw Fault(errno: errno) }
            guard size == 0 || start[..<count].firstRange(of: mark.utf8) != nil else {
                throw Fault(
                    "there is a file of that name that this program did not write; remove it, or choose another folder")
            }
        }
    }

    /// Overwrites a file after a check of its descriptor and size.
    private static func write(
        _ bytes: [UInt8], to path: [UInt8], after check: (Int32, Int) throws(Fault) -> Void
    ) throws(Fault) {
        let (descriptor, size, isNew) = try openUnchanged(path, for: bytes.count)
        do throws(Fault) {
            try check(descriptor, size)
        } catch {
            close(descriptor)
            throw error
        }
        var failure = replace(descriptor, size, by: bytes)
        // A network share may report only here that it is full.
        if close(descriptor) != 0, failure == 0 { failure = errno }
        guard failure != 0 else { return }
        // A sandbox may forbid it.
        let isLeft = isNew && path.withPath { unlink($0) } != 0
        throw isLeft ? Fault("\(Fault(errno: failure)); an empty file is left") : Fault(errno: failure)
    }

    /// Replaces the content of a file of `size` bytes; returns an error number, or 0.
    private static func replace(_ descriptor: Int32, _ size: Int, by bytes: [UInt8]) -> Int32 {
        // Reserves the room first, because a full disk must not cost the earlier content.
        let shortage = posix_fallocate(descriptor, 0, off_t(bytes.count))
        guard ![ENOSPC, EDQUOT, EFBIG].contains(shortage) else {
            ftruncate(descriptor, off_t(size))
            return shortage
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                let number = errno
                // A part of the new content is of no use; if nothing was written, the earlier content is whole.
                ftruncate(descriptor, off_t(rest.count == bytes.count ? size : 0))
                return number
            }
            rest = rest.dropFirst(count)
        }
        return ftruncate(descriptor, off_t(bytes.count)) == 0 ? 0 : errno
    }

    /// Opens a file for reading and writing, and creates it if necessary, and if the disk has room for `bytes`.
    private static func openUnchanged(
        _ path: [UInt8], for bytes: Int = 0
    ) throws(Fault) -> (descriptor: Int32, size: Int, isNew: Bool) {
        // First by its path: opening a device may have an effect, and opening a pipe may block.
        try check(path)
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        var descriptor = path.withPath { Glibc.open($0, flags) }
        let isNew = descriptor < 0 && errno == ENOENT
        if isNew {
            // A sandbox may not allow to remove a file that then stays empty.
            guard hasRoom(for: bytes, at: path) else { throw Fault(errno: ENOSPC) }
            descriptor = path.withPath { Glibc.open($0, flags | O_CREAT, 0o666) }
        }
        guard descriptor >= 0 else { throw errno == ELOOP ? Fault(mode: S_IFLNK) : Fault(errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Fault(mode: status.st_mode)
        }
        return (descriptor, Int(status.st_size), isNew)
    }

    /// Indicates whether the disk of a new file has room for `bytes`; true if that is not known.
    private static func hasRoom(for bytes: Int, at path: [UInt8]) -> Bool {
        let folder = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? [UInt8(ascii: ".")]
        var status = statvfs()
        guard folder.withPath({ statvfs($0, &status) }) == 0, status.f_blocks > 0 else { return true }
        // A part may be reserved for root.
        let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
        return Double(bytes) <= Double(blocks) * Double(status.f_frsize)
    }
}
