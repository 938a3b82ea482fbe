import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Stuck or closed readers of standard output, and commands that do not end.
@Suite(.timeLimit(.minutes(10))) struct OutboxOutputTests {
    /// A FIFO that is open for reading, but only read on command.
    final class StuckReader {
        let path: String
        private let descriptor: Int32
        private let writing: Int32

        init(_ folder: TemporaryFolder) throws {
            path = try folder.fifo("output")
            descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            writing = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            try #require(descriptor >= 0 && writing >= 0)
        }

        deinit {
            close(descriptor)
            close(writing)
        }

        /// Indicates whether the FIFO is full, so that a writer must wait.
        var isFull: Bool {
            var request = pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)
            return poll(&request, 1, 0) == 0
        }

        /// Fills the FIFO, so that the next writer must wait.
        func fill() {
            for size in [4096, 1] {
                let bytes = [UInt8](repeating: 0x2E, count: size)
                while write(writing, bytes, size) > 0 {}
            }
        }

        /// Returns the bytes since the last call.
        func read() -> [UInt8] {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65536)
            while case let count = Glibc.read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
            return bytes
        }
    }

    private func start(_ station: Station, _ reader: StuckReader, _ words: String...) throws -> RunningProgram {
        var runner = station.runner()
        runner.streams = .init(input: .pipe, output: .file(reader.path), error: .append(station.folder["log"]))
        return try runner.start(station.arguments(words))
    }

    private func fill(_ station: Station, timeout: Double, more: String = "") async throws {
        try station.configure(
            "lines:\n  type: stdout\n  form: event\n  timeoutSeconds: \(timeout)\n"
                + "  retryAfterSeconds: [\(Array(repeating: "0.2", count: 90).joined(separator: ", "))]\n\(more)")
        try await station.add(
            (0..<200).map { report("\($0) " + String(repeating: "x", count: 1000)) }.joined())
    }

    @Test(arguments: ["run", "run --add"])
    func aStuckReaderDoesNotKeepTheProgramFromEnding(_ command: String) async throws {
        let station = try Station()
        let reader = try StuckReader(station.folder)
        try await fill(station, timeout: 1)
        let run =
            command == "run"
            ? try start(station, reader, "run") : try start(station, reader, "run", "--add", "--log-level", "debug")
        let isFull = await eventually { reader.isFull }
        #expect(isFull)
        run.signal(SIGTERM)
        let result = try await onThread { [run = Transfer(run)] in try run.value.end() }
        #expect(result.ending == .exit(0), "\((readFile(station.folder["log"]) ?? []).text.suffix(2000))")
        #expect(try await station.counts("lines").pending > 0)
    }

    /// Standard output is a file on a full disk: the reason says so for each line, and the next run begins a line of its
    /// own behind the half one.
    @Test func aFullDiskBelowStandardOutput() async throws {
        let station = try Station()
        let delays = Array(repeating: "0.2", count: 90).joined(separator: ", ")
        try station.configure("lines:\n  type: stdout\n  form: event\n  retryAfterSeconds: [\(delays)]")
        let ids = try await station.add(["a", "b", "c"].map { report($0) }.joined())
        // In blocks of 1024 bytes: the file has room for half a line, and the outbox for all that it needs.
        let output = try station.folder.file("output", [UInt8](repeating: 0x0A, count: 1024 * 1024 - 100))
        var runner = station.runner()
        runner.streams.output = .append(output)
        let free = runner
        runner.executable = "/bin/bash"
        runner.leading = ["-c", "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\"", Station.program]
        let result = try await runner(station.arguments(["run", "--once"]))
        #expect(result.ending == .exit(3), "\(result.messages)")
        #expect(result.messages.contains("standard output cannot be written: File too large"), "\(result.messages)")
        #expect(!result.messages.contains("was not read"), "\(result.messages)")
        #expect(
            try await eventually {
                _ = try await free(station.arguments(["run", "--once"]))
                return try await station.counts("lines").delivered == 3
            })
        let lines = try #require(readFile(output)).split(separator: 0x0A)
        #expect(lines.count == 4 && lines[0].count == 100)
        let whole = lines.dropFirst().compactMap { try? JSONDecoder().decode(Line.self, from: Data($0)) }
        #expect(Set(whole.map(\.id)) == Set(ids))
    }

    private struct Line: Decodable { var id: String }

    /// An attempt may take ten minutes: the second signal does not wait for it.
    @Test func aSecondSignalEndsItAtOnce() async throws {
        let station = try Station()
        let reader = try StuckReader(station.folder)
        try await fill(station, timeout: 600)
        let run = try start(station, reader, "run")
        let isFull = await eventually { reader.isFull }
        #expect(isFull)
        // Signals before the first one is handled are merged.
        let isEnded = await eventually {
            run.signal(SIGTERM)
            return !isRunning(run.process)
        }
        #expect(isEnded)
        let result = try await onThread { [run = Transfer(run)] in try run.value.end() }
        #expect(result.ending == .exit(0))
    }

    @Test func linesAreWholeAfterAReaderWasStuck() async throws {
        let station = try Station()
        let reader = try StuckReader(station.folder)
        try await fill(station, timeout: 0.3)
        let run = try start(station, reader, "run")
        let isFailed = await eventually {
            (readFile(station.folder["log"]) ?? []).text.contains("standard output was not read")
        }
        #expect(isFailed)
        struct Line: Decodable { var id: String }
        var bytes: [UInt8] = []
        var ids: Set<String> = []
        let isRead = await eventually {
            bytes += reader.read()
            let lines = bytes.split(separator: 0x0A)
            ids = Set(lines.compactMap { try? JSONDecoder().decode(Line.self, from: Data($0)).id })
            return ids.count == 200
        }
        #expect(isRead, "\(ids.count) of 200 have come")
        run.signal(SIGTERM)
        let result = try await onThread { [run = Transfer(run)] in try run.value.end() }
        #expect(result.ending == .exit(0))
        bytes += reader.read()
        let torn = bytes.split(separator: 0x0A).filter { line in
            (try? JSONDecoder().decode(Line.self, from: Data(line))) == nil
        }
        #expect(torn.isEmpty)
    }

    @Test(arguments: ["at once", "after a line", "while adding"])
    func theEndOfTheReaderIsTheEnd(_ moment: String) async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout\n  form: event\n  retryAfterSeconds: [300, 300]")
        try await station.add(report("a", "b", "c"))
        var runner = station.runner()
        let run: RunningProgram
        switch moment {
        case "while adding":
            try station.configure("his:\n  type: command\n  command: [cat]")
            run = try runner.start(station.arguments(["run", "--add"]))
            try run.send(report("d"))
            #expect(run.line() != nil)
        default:
            run = try runner.start(station.arguments(["run"]))
            if moment == "after a line" {
                let line = try #require(run.line())
                // Their order is not guaranteed.
                #expect(line.contains("\"text\":\""))
            }
        }
        run.closeOutput()
        let result = try await onThread { [run = Transfer(run)] in try run.value.end() }
        #expect(result.ending == .exit(141), "\(result.messages)")
        #expect(result.messages.contains("standard output was closed"))
        if moment != "while adding" {
            // Standard output is closed: no other file may take its descriptor.
            runner.streams.output = .closed
            let closed = try await runner(station.arguments(["run"]))
            #expect(closed.ending == .exit(141), "\(closed.messages)")
        }
        let lock = readFile(station.database + ".lock") ?? []
        #expect(!lock.text.contains("{"))
        #expect(try await station("verify").ending == .exit(0))
    }

    /// If nobody reads the log, events are delivered all the same, and a later reader is told about missing messages.
    @Test func aStuckReaderOfTheLogHoldsUpNothing() async throws {
        let station = try Station()
        let reader = try StuckReader(station.folder)
        let delivered = station.folder["delivered"]
        try station.configure("his:\n  type: command\n  command: [touch, '\(delivered)']")
        try await station.add(report("a"))
        reader.fill()
        var runner = station.runner()
        runner.streams.error = .file(reader.path)
        let run = try runner.start(station.arguments(["run", "--log-level", "debug"]))
        let isDelivered = await eventually { access(delivered, F_OK) == 0 }
        #expect(isDelivered)
        var log = reader.read()
        run.signal(SIGTERM)
        let result = try await onThread { [run = Transfer(run)] in try run.value.end() }
        #expect(result.ending == .exit(0))
        log += reader.read()
        #expect(log.text.contains(" messages are missing here"), "\(log.filter { $0 != 0x2E }.text)")
    }

    /// The leader of the process group ends at the signal, but its child does not; and vice versa.
    @Test(
        arguments: [
            "(trap '' TERM; exec sleep 1000) & echo $! > PID; exec sleep 1000",
            "trap '' TERM; sleep 1000 & echo $! > PID; while :; do sleep 1000; done",
            "setsid -w sleep 0; sleep 1000 & echo $! > PID; wait",
        ])
    func aCommandThatTakesTooLongEndsWithItsChildren(_ script: String) async throws {
        let station = try Station()
        let file = station.folder["pid"]
        try station.folder.file("script", Array(script.replacing("PID", with: file).utf8))
        try station.configure(
            "his:\n  type: command\n  timeoutSeconds: 1\n"
                + "  command: [sh, '\(station.folder["script"])']")
        try await station.add(report("a"))
        let result = try await station("run", "--once")
        #expect(result.ending == .exit(3), "\(result.messages)")
        #expect(result.messages.contains("took longer than"))
        let child = try #require(readFile(file).flatMap { pid_t($0.text.filter(\.isNumber)) })
        defer { kill(child, SIGKILL) }
        #expect(remaining(of: [child]).isEmpty, "what the command has started has ended too")
    }
}

/// Passes a value that only one task uses at a time.
struct Transfer<Value>: @unchecked Sendable {
    // The value is only used by the task it was passed to, until that is done.
    let value: Value
    init(_ value: Value) { self.value = value }
}
