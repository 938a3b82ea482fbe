internal import Glibc

/// A small file written by a person and read as a whole: a configuration, a secret, certificates.
enum SmallFile {
    /// The size limit in bytes (1 MiB).
    ///
    /// No such file is larger, and it bounds reading from an endless device.
    static let maximumBytes = 1 << 20

    /// Returns the bytes of a file.
    ///
    /// - Throws: ``ConfigurationError`` with a clause that names the file and says if it is missing or unreadable.
    static func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path, errno)
            }
            bytes += part.prefix(count)
            if bytes.count > maximumBytes {
                throw ConfigurationError("the file \(path) is larger than \(maximumBytes >> 20) MiB")
            }
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> ConfigurationError {
        switch code {
        case ENOENT, ENOTDIR: ConfigurationError("the file \(path) does not exist")
        case EISDIR: ConfigurationError("\(path) is a folder; give the path of a file")
        default: ConfigurationError("the file \(path) cannot be read: \(String(cString: strerror(code)))")
        }
    }
}
