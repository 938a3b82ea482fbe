internal import BarcodeCore
internal import Glibc
internal import SystemPackage

/// The exclusive lock of one watcher on a folder: a kernel lock on the folder itself, which leaves no file in it.
///
/// The kernel releases it when the process ends in any way. On a file system that cannot lock folders (NFS), a file
/// in the folder is locked, ``fileName``, which other machines see too.
public final class FolderLock: Sendable {
    /// An error that another watcher has the folder, or a folder above it.
    public struct InUse: Error, Sendable, CustomStringConvertible {
        /// The locked folder.
        public var folder: String
        /// The process that holds the lock; `nil` if this process cannot determine it.
        public var process: Int32?
        /// Indicates whether it is a folder above the requested one.
        public var isAbove: Bool

        /// A sentence with the remedy.
        public var description: String {
            let holder = process.map { "by process \($0)" } ?? "by another process"
            return "the folder \(folder) is being watched \(holder)"
                + (isAbove ? ", which reads the folders in it too; " : "; ")
                + "a folder can have one watcher at a time: stop the other one, or wait for it"
        }
    }

    /// The file to lock if the folder cannot be locked.
    static let fileName = Array(".quietzone.lock".utf8)

    /// The device and inode of the folder.
    let number: [UInt64]?
    /// The reason why the folder could not be locked, so that nothing keeps another watcher away; `nil` if it is
    /// locked.
    let weakness: Errno?
    private let descriptor: Int32

    /// Locks a folder.
    ///
    /// - Parameter path: an absolute path without links.
    /// - Throws: ``InUse``, or `Errno` if the folder cannot be opened.
    public convenience init(folder path: [UInt8]) throws {
        try self.init(try FolderHandle(path: path), path: path)
    }

    init(_ folder: FolderHandle, path: [UInt8]) throws {
        try Self.checkAbove(path)
        number = folder.number
        // A file description of its own: the lock belongs to that, and ends with its last duplicate.
        var opened = try FolderHandle.check(openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        var error = Self.lock(opened)
        if let refusal = error, Self.isUnsupported(refusal) {
            let file = Self.fileName.withPath {
                openat(folder.descriptor, $0, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            if file >= 0 {
                Glibc.close(opened)
                opened = file
                error = Self.lock(file)
            }
        }
        if error == .wouldBlock {
            let process = Self.holder(of: opened)
            Glibc.close(opened)
            throw InUse(folder: RelativePath(path).display, process: process, isAbove: false)
        }
        descriptor = opened
        weakness = error
    }

    deinit {
        // Unlock explicitly: a child process that is just being started shares the descriptor until it executes the
        // new program, and would keep the lock that long.
        flock(descriptor, LOCK_UN)
        Glibc.close(descriptor)
    }

    /// Indicates whether another watcher has a folder; this process does not count.
    static func isTaken(_ folder: FolderHandle) -> Bool {
        let opened = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return false }
        defer { Glibc.close(opened) }
        // A shared lock succeeds unless a watcher has the folder, and is released at once.
        guard flock(opened, LOCK_SH | LOCK_NB) != 0 else {
            flock(opened, LOCK_UN)
            return false
        }
        return errno == EWOULDBLOCK
    }

    /// The number of attempts to lock: another process may hold the lock briefly to test it.
    private static let tries = 20

    private static func lock(_ descriptor: Int32) -> Errno? {
        for attempt in 1...tries {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return nil }
            let error = Errno(rawValue: errno)
            guard error == .wouldBlock, attempt < tries else { return error }
            usleep(5000)
        }
        return .wouldBlock
    }

    private static func isUnsupported(_ error: Errno) -> Bool {
        // NFS grants such a lock only on descriptors that are open for writing, which is impossible for folders.
        [.badFileDescriptor, .invalidArgument, .notSupported, .noFunction, .noLocks, .ioError].contains(error)
    }

    /// Throws if a folder above a path is watched and the watcher enters this one.
    private static func checkAbove(_ path: [UInt8]) throws(InUse) {
        let components = RelativePath(path).components
        for depth in (0..<components.count).reversed() {
            let above = [0x2F] + Array(components[..<depth].joined(separator: [0x2F]))
            let rest = RelativePath(Array(components[depth...].joined(separator: [0x2F])))
            // A folder that cannot be opened has no watcher that could conflict.
            guard FileSelection(destination: nil).reaches(folder: rest), let folder = try? FolderHandle(path: above),
                isTaken(folder)
            else { continue }
            throw InUse(folder: RelativePath(above).display, process: holder(of: folder.descriptor), isAbove: true)
        }
    }

    /// The process that holds the lock, by `/proc/locks`; `nil` if it cannot be determined, as in a container.
    private static func holder(of descriptor: Int32) -> Int32? {
        var status = stat()
        let table = open("/proc/locks", O_RDONLY | O_CLOEXEC)
        guard table >= 0, fstat(descriptor, &status) == 0 else { return nil }
        defer { Glibc.close(table) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        // The kernel returns a page at a time.
        while bytes.count < 1 << 22 {
            let count = read(table, &part, part.count)
            if count <= 0 { break }
            bytes += part.prefix(count)
        }
        // "1: FLOCK  ADVISORY  WRITE 1234 fd:01:5678 0 EOF"
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", words[3] == "WRITE",
                words[5].split(separator: ":").last == "\(status.st_ino)"
            else { continue }
            let device = words[5].split(separator: ":").prefix(2).compactMap { UInt64($0, radix: 16) }
            let number = UInt64(status.st_dev)
            let major = ((number >> 8) & 0xFFF) | ((number >> 32) & 0xFFFF_F000)
            let minor = (number & 0xFF) | ((number >> 12) & 0xFFFF_FF00)
            if device == [major, minor] { return Int32(words[4]) }
        }
        return nil
    }
}
