internal import Glibc

/// Another program, used through its standard input and output.
///
/// It uses `posix_spawn` and `waitpid`, without threads or polling, because the program's time is measured.
final class ChildProcess {
    private let id: pid_t
    private let input: UnsafeMutablePointer<FILE>
    private let output: UnsafeMutablePointer<FILE>
    private var isOver = false

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: the program, which is searched for in PATH, and its arguments.
    ///   - environment: additions to the environment, each "NAME=value".
    ///   - keepsErrors: true if standard error goes to standard output, else it is discarded.
    init(_ arguments: [String], environment: [String] = [], keepsErrors: Bool = false) throws {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else {
            throw BenchError("no pipe could be made for \(arguments[0])")
        }
        // If another child inherited an end, this one would not see the end of its input.
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        if keepsErrors {
            posix_spawn_file_actions_adddup2(&actions, fromChild[1], 2)
        } else {
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        var id: pid_t = 0
        let status = withCStrings(arguments) { arguments in
            withCStrings(environment + Self.inherited(without: environment)) { environment in
                posix_spawnp(&id, arguments[0]!, &actions, nil, arguments, environment)
            }
        }
        close(toChild[0])
        close(fromChild[1])
        guard status == 0, let input = fdopen(toChild[1], "w"), let output = fdopen(fromChild[0], "r") else {
            close(toChild[1])
            close(fromChild[0])
            throw BenchError("\(arguments[0]) could not be started: \(String(cString: strerror(status)))")
        }
        (self.id, self.input, self.output) = (id, input, output)
    }

    deinit {
        if !isOver { _ = finish() }
    }

    /// Writes a line to its standard input.
    func send(_ line: String) {
        fputs(line + "\n", input)
        fflush(input)
    }

    /// Returns the next line of its standard output; `nil` at the end.
    func nextLine() -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        guard getline(&line, &capacity, output) > 0, let line else { return nil }
        let text = String(cString: line)
        return text.last == "\n" ? String(text.dropLast()) : text
    }

    /// Closes its input, reads its output to the end and waits for its exit.
    ///
    /// - Returns: the rest of the output; the exit status, or 128 plus the signal that killed it; and the processor
    ///   time in nanoseconds.
    func finish() -> (output: [UInt8], status: Int32, processor: UInt64) {
        fclose(input)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, output), count > 0 { bytes += chunk[..<count] }
        fclose(output)
        var status: Int32 = 0
        var usage = rusage()
        while wait4(id, &status, 0, &usage) < 0 && errno == EINTR {}
        isOver = true
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return (
            bytes, status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F,
            UInt64(seconds) * 1_000_000_000 + UInt64(microseconds) * 1000
        )
    }

    /// Runs a program to its end.
    static func run(
        _ arguments: [String], environment: [String] = [], keepsErrors: Bool = false
    ) throws -> (output: [UInt8], status: Int32, processor: UInt64) {
        try ChildProcess(arguments, environment: environment, keepsErrors: keepsErrors).finish()
    }

    /// Returns the output of a program as text without line ends around it; `nil` if it cannot be run or fails.
    static func text(_ arguments: [String]) -> String? {
        guard let (output, status, _) = try? run(arguments), status == 0 else { return nil }
        let text = String(decoding: output, as: UTF8.self)
        return text.split(separator: "\n").joined(separator: "\n")
    }

    private static func inherited(without changed: [String]) -> [String] {
        let names = changed.compactMap { $0.split(separator: "=").first }
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            if !names.contains(where: { text.hasPrefix("\($0)=") }) { variables.append(text) }
            next += 1
        }
        return variables
    }
}

/// Calls `body` with the strings as a C array that ends with a null pointer.
func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
