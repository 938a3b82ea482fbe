import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A folder with a drop folder in it, and what the program left there.
final class WatchRun: Sendable {
    static let program = ProgramRunner.built("watch-folder")

    let folder: TemporaryFolder
    let inbox: String
    /// What each run wrote to standard output, one after the other.
    var ledger: String { folder["ledger"] }
    /// What each run wrote to standard error.
    var log: String { (readFile(folder["log"]) ?? []).text }

    /// How often a sentence stands in the log.
    func count(_ sentence: String) -> Int { log.ranges(of: sentence).count }

    init() throws {
        folder = try TemporaryFolder()
        inbox = try folder.folder("inbox")
    }

    /// The words of every run, and a settle time that keeps the tests short.
    func arguments(_ options: [String]) -> [String] {
        let settle = options.contains("--settle") ? [] : ["--settle", "0.1"]
        return ["run", inbox, "--database", folder["outbox.sqlite"], "--jobs", "2"] + settle + options
    }

    /// The program with its streams in files.
    ///
    /// - Parameters:
    ///   - environment: variables besides those of every test.
    ///   - seconds: after so long it is killed.
    func runner(environment: [String] = [], seconds: Double = 300) -> ProgramRunner {
        var runner = Self.program
        runner.environment += ["HOME=\(folder.path)"] + environment
        runner.seconds = seconds
        runner.streams = .init(input: .file("/dev/null"), output: .append(ledger), error: .append(folder["log"]))
        return runner
    }

    /// Starts the program, which is killed with the value that is returned.
    func start(_ options: String..., environment: [String] = [], seconds: Double = 300) throws -> Watcher {
        try start(options, environment: environment, seconds: seconds)
    }

    /// Starts the program with options that stand in an array.
    func start(_ options: [String], environment: [String] = [], seconds: Double = 300) throws -> Watcher {
        Watcher(try runner(environment: environment, seconds: seconds).start(arguments(options)))
    }

    /// Takes what is there, once.
    func once(_ options: String..., environment: [String] = []) async throws -> ProgramResult.Ending {
        try await runner(environment: environment)(arguments(options + ["--once"])).ending
    }

    /// What `status --json` says, and its text otherwise.
    func status(_ options: [String]) async throws -> ProgramResult {
        var runner = Self.program
        runner.environment += ["HOME=\(folder.path)"]
        let database = options.contains("--database") ? [] : ["--database", folder["outbox.sqlite"]]
        return try await runner(["status", inbox] + database + options)
    }

    /// Writes a file into the drop folder at once.
    func drop(_ name: String, _ bytes: [UInt8]) throws { try folder.file("inbox/\(name)", bytes) }

    /// Writes pictures into the drop folder: each holds its own name without the extension.
    func drop(codes names: [String]) throws {
        for name in names { try drop("\(name).png", Picture.qr(name)) }
    }

    /// The regular files, as `done/a.png`, `no-code/b.png` or, where they still wait, `c.png`: dates are left out.
    func files() -> [String] { Tree.files(below: inbox) }

    /// The names of files that wait.
    func waiting() -> [String] {
        files().filter { file in !["done/", "failed/", "no-code/"].contains { file.hasPrefix($0) } }
    }

    /// The events that were written to standard output, without a last line that was cut off.
    func events() -> [Event] {
        let lines = (readFile(ledger) ?? []).split(separator: 0x0A)
        return lines.compactMap { try? JSONDecoder().decode(Event.self, from: Data($0)) }
    }

    /// The texts of the events, each as often as it came.
    func texts() -> [String] { events().map(\.symbol.text).sorted() }

    /// Waits until these texts have come, each as often as it stands here, and no other.
    func reports(_ expected: [String]) async -> Bool {
        let isTold = await eventually { texts() == expected.sorted() }
        if !isTold { print("came: \(texts())\nlog: \(log.suffix(4000))") }
        return isTold
    }

    /// Waits until this is where all files are, see ``files()``: that an event has been written says nothing of it.
    func puts(_ expected: [String]) async -> Bool {
        let isPut = await eventually { files() == expected.sorted() }
        if !isPut { print("files: \(files())\nlog: \(log.suffix(4000))") }
        return isPut
    }

    /// Waits until no file waits but these.
    func leaves(_ expected: [String] = []) async -> Bool {
        let isLeft = await eventually { waiting() == expected.sorted() }
        if !isLeft { print("waiting: \(waiting())\nlog: \(log.suffix(4000))") }
        return isLeft
    }

    /// Waits until its log says this, which may be later than what it speaks of can be seen.
    func says(_ line: String) async -> Bool {
        let isSaid = await eventually { log.contains(line) }
        if !isSaid { print("log: \(log.suffix(4000))") }
        return isSaid
    }

    /// What a destination sees of an event.
    struct Event: Decodable {
        struct Source: Decodable {
            var kind: String
            var name: String?
        }
        struct Symbol: Decodable { var text: String }
        var id: String
        var source: Source
        var symbol: Symbol
    }
}

/// A program that watches.
final class Watcher {
    let program: RunningProgram
    private var isEnded = false

    init(_ program: RunningProgram) { self.program = program }

    deinit {
        if !isEnded { _ = try? end(by: SIGKILL) }
    }

    /// Asks it to stop; returns how it ended.
    @discardableResult
    func stop() throws -> ProgramResult.Ending { try end(by: SIGTERM) }

    @discardableResult
    func end(by signal: Int32) throws -> ProgramResult.Ending {
        program.signal(signal)
        return try wait()
    }

    /// Waits for its end.
    func wait() throws -> ProgramResult.Ending {
        isEnded = true
        return try program.end().ending
    }

    var isRunning: Bool { TestSupport.isRunning(program.process) }

    /// The most memory that the process itself has had, in kilobytes.
    var peakKilobytes: Int? {
        let lines = (readFile("/proc/\(program.process)/status") ?? []).text.split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
    }
}
