import Glibc
import ImageCodecs

/// The kind of file at a path.
enum FileKind {
    case folder, file, link, other

    /// Determines the kind of file at a path given in bytes; `nil` if there is none.
    init?(of path: [UInt8], followsLinks: Bool = true) {
        var status = stat()
        let failed = path.withCString { followsLinks ? stat($0, &status) : lstat($0, &status) } != 0
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
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &start, start.count)
        guard count >= 0 else { return true }
        return ImageFormat.detect(in: Array(start[..<count])) != nil
    }
}

/// The entries of a folder.
enum Folder {
    /// The names in a folder, sorted by their bytes, without `.` and `..`; `nil` if it cannot be read.
    static func entries(of path: [UInt8]) -> [[UInt8]]? {
        guard let stream = path.withCString({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

/// The message of the last system error.
enum ErrorNumber {
    static var text: String { String(cString: strerror(errno)) }
}
