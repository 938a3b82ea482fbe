internal import Glibc

/// File operations.
enum Files {
    /// Reads a file.
    static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw BenchError("\(path) cannot be read: \(reason())") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
            bytes += chunk[..<count]
        }
        guard ferror(file) == 0 else { throw BenchError("\(path) cannot be read: \(reason())") }
        return bytes
    }

    /// Reads a text file; `nil` if it does not exist, such as a file that only some systems have.
    static func text(_ path: String) -> String? {
        (try? read(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a file, and creates its folders.
    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        try makeFolder(parts.dropLast().joined(separator: "/"))
        let bytes = Array(bytes)
        guard let file = fopen(path, "wb") else { throw BenchError("\(path) cannot be written: \(reason())") }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else {
            throw BenchError("\(path) cannot be written: \(reason())")
        }
    }

    /// Creates a folder and its parents.
    static func makeFolder(_ path: String) throws {
        guard !path.isEmpty, !exists(path) else { return }
        try makeFolder(path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
            throw BenchError("the folder \(path) cannot be made: \(reason())")
        }
    }

    /// Indicates whether a file or folder exists.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Indicates whether a path is a folder.
    static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the files of a folder and its subfolders, sorted.
    static func all(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(folder + "/" + name) }
        }
        return names.sorted().flatMap { isFolder($0) ? all(in: $0) : [$0] }
    }

    /// Searches for a program in PATH; `nil` if it is not installed.
    static func program(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? ""
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
