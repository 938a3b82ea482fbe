import BarcodeCore
import Glibc
import ImageCodecs

/// The kind of file at a path.
enum FileKind {
    case folder, file, link, other

    /// Determines the kind of file at a path given in bytes; `nil` if there is none.
    init?(of path: [UInt8], followsLinks: Bool = true) {
        var status = stat()
        let failed = path.withPath { followsLinks ? stat($0, &status) : lstat($0, &status) } != 0
        guard !failed else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .folder
        case S_IFREG: self = .file
        case S_IFLNK: self = .link
        default: self = .other
        }
    }

    /// Indicates whether a regular file begins like an image of a known format.
    ///
    /// Also true if it cannot be opened, so that the failure is reported; false for a dangling link.
    static func beginsAsPicture(_ path: [UInt8]) -> Bool {
        guard let kind = FileKind(of: path) else { return errno != ENOENT && errno != ELOOP }
        guard kind == .file else { return false }
        let descriptor = path.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &start, start.count)
        guard count >= 0 else { return true }
        return ImageFormat.detect(in: Array(start[..<count])) != nil
    }
}

/// The message of the last system error.
enum ErrorNumber {
    static var text: String { String(cString: strerror(errno)) }
}
