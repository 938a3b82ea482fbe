import Glibc

/// A temporary folder that is deleted with this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Creates a folder below another one.
    package init(in parent: String = "/tmp") throws {
        var name = Array("\(parent)/quietzone-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw SystemFailure("mkdtemp") }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Programs that run as another user need access too.
        chmod(path, 0o755)
    }

    deinit {
        // Foundation would not delete names that are not UTF-8.
        _ = try? ProgramRunner(executable: "/bin/rm").run(["-rf", "--", path])
    }

    /// The path of an entry of the folder.
    package subscript(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        try file(Array(name.utf8), bytes)
        return self[name]
    }

    /// Writes a file of text and returns its path.
    @discardableResult
    package func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

    /// Writes a file whose name is bytes, and returns its path as bytes.
    @discardableResult
    package func file(_ name: [UInt8], _ bytes: [UInt8]) throws -> [UInt8] {
        let path = Array(path.utf8) + [0x2F] + name
        let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { throw SystemFailure("open") }
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor)
        return path
    }

    /// Creates a folder and returns its path.
    @discardableResult
    package func folder(_ name: String) throws -> String {
        guard mkdir(self[name], 0o755) == 0 else { throw SystemFailure("mkdir") }
        return self[name]
    }

    /// Creates a FIFO and returns its path.
    package func fifo(_ name: String) throws -> String {
        guard mkfifo(self[name], 0o666) == 0 else { throw SystemFailure("mkfifo") }
        return self[name]
    }

    /// Creates a symbolic link to `target` and returns the link's path.
    @discardableResult
    package func link(_ name: String, to target: String) throws -> String {
        guard symlink(target, self[name]) == 0 else { throw SystemFailure("symlink") }
        return self[name]
    }
}

/// Makes a written file a program that can be started at once.
///
/// The kernel starts no file that a process has open for writing (ETXTBSY). A process that another test starts while
/// this one writes the file inherits the descriptor for a moment. So the program is a copy that this process never had
/// open.
package func makeExecutable(_ path: String) throws {
    let copy = path + ".copy"
    let result = try ProgramRunner(executable: "/usr/bin/install").run(["-m", "755", "--", path, copy])
    guard result.ending == .exit(0) else { throw SystemFailure("install \(path)") }
    guard rename(copy, path) == 0 else { throw SystemFailure("rename \(copy)") }
}

/// A failed system call.
package struct SystemFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ call: String) {
        description = "\(call): \(String(cString: strerror(errno)))"
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes as a C string.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }

    /// The bytes as text.
    package var text: String { String(decoding: self, as: UTF8.self) }
}

/// Writes all bytes; it is not an error if the reader has closed its end.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 {
            if errno == EINTR { continue }
            if errno == EPIPE { return }
            throw SystemFailure("write")
        }
        rest = rest.dropFirst(count)
    }
}

/// Returns the bytes of a file; `nil` if it cannot be read.
package func readFile(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rbe") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
}
