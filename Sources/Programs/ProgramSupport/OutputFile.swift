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
    }

    /// Checks that a path leads to a regular file or does not exist, for code that writes the file itself.
    public static func check(_ path: [UInt8]) throws(Fault) {
        var status = stat()
        guard withCString(path, { lstat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw Fault(mode: status.st_mode)
    }

    /// Opens a file for reading and writing, creates it if necessary, and truncates it.
    ///
    /// - Returns: the descriptor, which the caller closes.
    public static func open(_ path: [UInt8]) throws(Fault) -> Int32 {
        // First by its path: opening a device may have an effect, and opening a pipe may block.
        try check(path)
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = withCString(path) { Glibc.open($0, flags, 0o666) }
        guard descriptor >= 0 else { throw errno == ELOOP ? Fault(mode: S_IFLNK) : Fault(errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Fault(mode: status.st_mode)
        }
        guard ftruncate(descriptor, 0) == 0 else {
            let number = errno
            close(descriptor)
            throw Fault(errno: number)
        }
        return descriptor
    }

    /// Overwrites a file.
    public static func write(_ bytes: [UInt8], to path: [UInt8]) throws(Fault) {
        let descriptor = try open(path)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                let number = errno
                close(descriptor)
                throw Fault(errno: number)
            }
            rest = rest.dropFirst(count)
        }
        // A network share may report only here that it is full.
        guard close(descriptor) == 0 else { throw Fault(errno: errno) }
    }

    private static func withCString<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (path + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress.unsafelyUnwrapped) }
        }
    }
}
