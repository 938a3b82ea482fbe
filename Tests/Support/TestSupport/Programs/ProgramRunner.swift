import Dispatch
package import Glibc
import Synchronization

/// Starts programs as a shell does, with arguments and streams as bytes.
///
/// It uses posix_spawn, because the tests need names that are not UTF-8, closed streams, and devices as streams.
package struct ProgramRunner: Sendable {
    /// The root folder of the package.
    package static let packageFolder = String(
        #filePath.dropLast("Tests/Support/TestSupport/Programs/ProgramRunner.swift".count))

    /// The folder of sample pictures.
    package static let samplesFolder = packageFolder + "Samples/"

    /// The folder of the programs under test: `QUIETZONE_PROGRAMS`, relative to the package, else the debug build.
    package static let programsFolder: String = {
        let named = getenv("QUIETZONE_PROGRAMS").map { String(cString: $0) } ?? ".build/debug"
        return (named.hasPrefix("/") ? named : packageFolder + named) + "/"
    }()

    /// Returns the runner of a program under test, such as `decode-image`.
    package static func built(_ name: String) -> ProgramRunner {
        ProgramRunner(executable: programsFolder + name)
    }

    package init(executable: String, leading: [String] = [], streams: Streams = Streams()) {
        self.executable = executable
        self.leading = leading
        self.streams = streams
    }

    package var executable: String
    /// Arguments before all others, for a program that starts another one.
    package var leading: [String] = []
    package var environment: [String] = ["LC_ALL=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin"]
    /// The standard streams of the program.
    package var streams = Streams()
    /// The time limit in seconds, after which the program is killed.
    package var seconds = 300.0

    /// The standard streams.
    package struct Streams: Sendable {
        package enum Stream: Sendable, Equatable {
            case pipe
            case closed
            case file(String)
            /// Appends to a file, which is created if it is missing.
            case append(String)
        }

        package init(input: Stream = .pipe, output: Stream = .pipe, error: Stream = .pipe) {
            self.input = input
            self.output = output
            self.error = error
        }

        package var input: Stream
        package var output: Stream
        package var error: Stream
    }

    /// Runs a program to completion, on a thread that may block.
    package func callAsFunction(_ arguments: [String], input: [UInt8] = []) async throws -> ProgramResult {
        try await callAsFunction(bytes: arguments.map { Array($0.utf8) }, input: input)
    }

    /// Runs a program to completion, with arguments as bytes.
    package func callAsFunction(bytes arguments: [[UInt8]], input: [UInt8] = []) async throws -> ProgramResult {
        try await onThread { try start(arguments).end(input: input) }
    }

    /// Runs a program to completion on the calling thread.
    package func run(_ arguments: [String], input: [UInt8] = []) throws -> ProgramResult {
        try start(arguments.map { Array($0.utf8) }).end(input: input)
    }

    /// Starts a program.
    package func start(_ arguments: [String]) throws -> RunningProgram {
        try start(arguments.map { Array($0.utf8) })
    }

    /// Starts a program with arguments as bytes.
    package func start(_ arguments: [[UInt8]]) throws -> RunningProgram {
        // A program that does not read its input must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        return try Self.starting.withLock { _ in try spawn(arguments) }
    }

    /// Programs are started one at a time: a pipe that another program inherits stays open too long.
    private static let starting = Mutex(())

    private func spawn(_ arguments: [[UInt8]]) throws -> RunningProgram {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var ours: [Int32] = [-1, -1, -1]
        var theirs: [Int32] = []
        defer { for descriptor in theirs { close(descriptor) } }
        for (number, stream) in [streams.input, streams.output, streams.error].enumerated() {
            switch stream {
            case .pipe:
                var ends: [Int32] = [0, 0]
                guard pipe(&ends) == 0 else { throw SystemFailure("pipe") }
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                let (reading, writing) = (ends[0], ends[1])
                ours[number] = number == 0 ? writing : reading
                theirs.append(number == 0 ? reading : writing)
                posix_spawn_file_actions_adddup2(&actions, theirs[theirs.count - 1], Int32(number))
            case .closed: posix_spawn_file_actions_addclose(&actions, Int32(number))
            case .file(let path):
                posix_spawn_file_actions_addopen(&actions, Int32(number), path, number == 0 ? O_RDONLY : O_WRONLY, 0)
            case .append(let path):
                posix_spawn_file_actions_addopen(
                    &actions, Int32(number), path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
            }
        }
        // A test's threads may block signals, and this process ignores SIGPIPE; both would be inherited, unlike from
        // a shell.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = ([executable] + leading).map { Array($0.utf8) } + arguments
        var vector: [UnsafeMutablePointer<CChar>?] = words.map { $0.withCString { strdup($0) } } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for text in vector + variables { free(text) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, executable, &actions, &attributes, &vector, &variables)
        guard status == 0 else {
            for descriptor in ours where descriptor >= 0 { close(descriptor) }
            errno = status
            throw SystemFailure("posix_spawn \(executable)")
        }
        return RunningProgram(process: process, streams: ours, deadline: .now + .seconds(seconds))
    }
}

/// The exit and the output of a program.
package struct ProgramResult: Sendable {
    package var ending: Ending
    package var output: [UInt8]
    package var error: [UInt8]

    package enum Ending: Sendable, Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    /// Standard output as text.
    package var text: String { output.text }
    /// Standard error as text.
    package var messages: String { error.text }
    /// The lines of standard output.
    package var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// A running program.
///
/// Its methods block, so call them on a thread that may block.
package final class RunningProgram {
    package let process: pid_t
    private var input: Int32
    private var output: Int32
    private var error: Int32
    private let deadline: ContinuousClock.Instant
    private var unread: [UInt8] = []
    private var messages: [UInt8] = []

    fileprivate init(process: pid_t, streams: [Int32], deadline: ContinuousClock.Instant) {
        self.process = process
        (input, output, error) = (streams[0], streams[1], streams[2])
        self.deadline = deadline
    }

    deinit {
        for descriptor in [input, output, error] where descriptor >= 0 { close(descriptor) }
    }

    /// Writes to its standard input.
    package func send(_ text: String) throws { try writeAll(Array(text.utf8), to: input) }

    /// Indicates whether its standard input accepts a page of bytes within the given milliseconds.
    package func takesInput(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, milliseconds) == 1 && request.revents == Int16(POLLOUT)
    }

    /// The number of bytes that the pipe of its standard input holds.
    package var inputCapacity: Int32 {
        let getPipeSize: Int32 = 1032  // F_GETPIPE_SZ of fcntl(2)
        return fcntl(input, getPipeSize)
    }

    /// Closes its standard input.
    package func endInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Closes its standard output on this side.
    package func closeOutput() {
        if output >= 0 { close(output) }
        output = -1
    }

    /// Waits until a signal no longer ends it, or until it has ended or its time is over.
    package func waitForHandler(of number: Int32) {
        while isRunning(process), ContinuousClock.now < deadline {
            let lines = (readFile("/proc/\(process)/status") ?? []).text.split(separator: "\n")
            let caught = lines.first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
            if let caught, let signals = UInt64(caught, radix: 16), signals >> (number - 1) & 1 == 1 { return }
            usleep(1000)
        }
    }

    /// Sends it a signal.
    package func signal(_ number: Int32) { kill(process, number) }

    /// Waits for the next line of its standard output; `nil` at the end.
    package func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread.removeSubrange(...end) }
                return unread[..<end].withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
            guard read(from: [output]) else { return nil }
        }
    }

    /// The processes that it has started.
    package var children: [pid_t] { TestSupport.children(of: process) }

    /// Sends the rest of its input and waits for its exit.
    package func end(input bytes: [UInt8] = []) throws -> ProgramResult {
        // The output is read at the same time, so that neither side blocks the other.
        var rest = bytes[...]
        if input >= 0 { _ = fcntl(input, F_SETFL, O_NONBLOCK) }
        while input >= 0 {
            if rest.isEmpty {
                endInput()
            } else {
                let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    guard read(from: [output, error], orWriteTo: input) else { break }
                } else {
                    endInput()
                }
            }
        }
        while read(from: [output, error]) {}
        return try reap()
    }

    private func reap() throws -> ProgramResult {
        var status: Int32 = 0
        // Both streams have ended, so the program has too, or it is killed at the deadline.
        while waitpid(process, &status, WNOHANG) == 0 {
            if ContinuousClock.now > deadline { kill(process, SIGKILL) }
            usleep(200)
        }
        let signal = status & 0x7F
        return ProgramResult(
            ending: signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal), output: unread, error: messages)
    }

    /// Waits for bytes on either stream and reads them; false if all streams have ended.
    private func read(from descriptors: [Int32], orWriteTo writing: Int32 = -1) -> Bool {
        let open = descriptors.filter { $0 >= 0 }
        guard !open.isEmpty else { return false }
        var requests = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if writing >= 0 { requests.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)) }
        let left = (deadline - .now) / .milliseconds(1)
        if left <= 0 || poll(&requests, nfds_t(requests.count), Int32(left)) == 0 {
            kill(process, SIGKILL)
            return false
        }
        for request in requests where request.revents != 0 && request.fd != writing {
            var chunk = [UInt8](repeating: 0, count: 65536)
            let count = Glibc.read(request.fd, &chunk, chunk.count)
            if count > 0 {
                if request.fd == output { unread += chunk[..<count] } else { messages += chunk[..<count] }
            } else {
                close(request.fd)
                if request.fd == output { output = -1 } else { error = -1 }
            }
        }
        return true
    }
}

/// Runs blocking work on a thread of its own.
package func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "a test that waits").async { continuation.resume(with: .init(catching: work)) }
    }
}

/// Returns the child processes of a process.
package func children(of process: pid_t) -> [pid_t] {
    // Each thread has its own list of children.
    guard let folder = opendir("/proc/\(process)/task") else { return [] }
    defer { closedir(folder) }
    var found: [pid_t] = []
    while let entry = readdir(folder) {
        let thread = withUnsafeBytes(of: &entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let list = readFile("/proc/\(process)/task/\(thread)/children")?.text ?? ""
        found += list.split(separator: " ").compactMap { pid_t($0) }
    }
    return found
}

/// Indicates whether a process exists and is not a zombie.
package func isRunning(_ process: pid_t) -> Bool {
    // The file of a process that is reaped between opening and reading is empty.
    guard let status = readFile("/proc/\(process)/stat")?.text, !status.isEmpty else { return false }
    return !status.contains(") Z ") && !status.contains(") X ")
}

/// Waits for processes to end.
///
/// Returns those that are still running after two minutes.
package func remaining(of processes: [pid_t]) -> [pid_t] {
    let deadline = ContinuousClock.now + .seconds(120)
    // They are not children of this process, so there is no event to wait for.
    while processes.contains(where: isRunning), ContinuousClock.now < deadline { usleep(2000) }
    return processes.filter(isRunning)
}
