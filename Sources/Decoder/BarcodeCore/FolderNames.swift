internal import Glibc

/// The names in folders.
package enum FolderNames {
    /// Returns the names in a folder, sorted by their bytes, without `.` and `..`.
    ///
    /// - Parameter path: the path of the folder, byte for byte.
    /// - Throws: ``SystemError`` if the folder cannot be opened, or cannot be read to its end.
    package static func all(in path: [UInt8]) throws(SystemError) -> [[UInt8]] {
        guard let stream = path.withPath({ opendir($0) }) else { throw SystemError("opendir", errno: errno) }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            // Only errno tells the end of a folder from an error.
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SystemError("readdir", errno: errno) }
                return names.sorted { $0.lexicographicallyPrecedes($1) }
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
        }
    }
}
