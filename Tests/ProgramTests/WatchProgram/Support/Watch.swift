import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A temporary folder with a watched folder, and the output of the program.
final class WatchRun: Sendable {
    static let program = ProgramRunner.built("watch-folder")

    let folder: TemporaryFolder
    let inbox: String
    /// The file with the standard output of all runs.
    var ledger: String { folder["ledger"] }
    /// The standard error of all runs.
    var log: String { (readFile(folder["log"]) ?? []).text }

    /// Returns the number of occurrences of a message in the log.
    func count(_ sentence: String) -> Int { log.ranges(of: sentence).count }

    init() throws {
        folder = try TemporaryFolder()
        inbox = try folder.folder("inbox")
    }

    /// Returns the arguments of every run, with a short settle time.
    func arguments(_ options: [String]) -> [String] {
        let settle = options.contains("--settle") ? [] : ["--settle", "0.1"]
        return ["run", inbox, "--database", folder["outbox.sqlite"], "--jobs", "2"] + settle + options
    }

    /// Returns the program with its streams in files.
    ///
    /// - Parameters:
    ///   - environment: additional environment variables.
    ///   - seconds: the time limit, after which it is killed.
    func runner(environment: [String] = [], seconds: Double = 300) -> ProgramRunner {
        var runner = Self.program
        runner.environment += ["HOME=\(folder.path)"] + environment
        runner.seconds = seconds
        runner.streams = .init(input: .file("/dev/null"), output: .append(ledger), error: .append(folder["log"]))
        return runner
    }

    /// Starts the program; it is killed when the returned value is deallocated.
    func start(_ options: String..., environment: [String] = [], seconds: Double = 300) throws -> Watcher {
        try start(options, environment: environment, seconds: seconds)
    }

    /// Starts the program with an array of options.
    func start(_ options: [String], environment: [String] = [], seconds: Double = 300) throws -> Watcher {
        Watcher(try runner(environment: environment, seconds: seconds).start(arguments(options)))
    }

    /// Processes the existing files once.
    func once(_ options: String..., environment: [String] = []) async throws -> ProgramResult.Ending {
        try await runner(environment: environment)(arguments(options + ["--once"])).ending
    }

    /// Returns the output of `status` with the given options.
    func status(_ options: [String]) async throws -> ProgramResult {
        var runner = Self.program
        runner.environment += ["HOME=\(folder.path)"]
        let database = options.contains("--database") ? [] : ["--database", folder["outbox.sqlite"]]
        return try await runner(["status", inbox] + database + options)
    }

    /// Writes a file to the watched folder in one go.
    func drop(_ name: String, _ bytes: [UInt8]) throws { try folder.file("inbox/\(name)", bytes) }

    /// Writes pictures to the watched folder; each contains its own name without the extension.
    func drop(codes names: [String]) throws {
        for name in names { try drop("\(name).png", Picture.qr(name)) }
    }

    /// Returns the regular files, as `done/a.png`, `no-code/b.png` or, if still waiting, `c.png`; dates are left out.
    func files() -> [String] { Tree.files(below: inbox) }

    /// Returns the names of the waiting files.
    func waiting() -> [String] {
        files().filter { file in !["done/", "failed/", "no-code/"].contains { file.hasPrefix($0) } }
    }

    /// Returns the events on standard output, without an incomplete last line.
    func events() -> [Event] {
        let lines = (readFile(ledger) ?? []).split(separator: 0x0A)
        return lines.compactMap { try? JSONDecoder().decode(Event.self, from: Data($0)) }
    }

    /// Returns the texts of all events, including repetitions.
    func texts() -> [String] { events().map(\.symbol.text).sorted() }

    /// Waits until exactly these texts have been reported, each as often as it is listed.
    func reports(_ expected: [String]) async -> Bool {
        let isTold = await eventually { texts() == expected.sorted() }
        if !isTold { print("came: \(texts())\nlog: \(log.suffix(4000))") }
        return isTold
    }

    /// Waits until the files are exactly these, see ``files()``; they may be moved after their events were written.
    func puts(_ expected: [String]) async -> Bool {
        let isPut = await eventually { files() == expected.sorted() }
        if !isPut { print("files: \(files())\nlog: \(log.suffix(4000))") }
        return isPut
    }

    /// Waits until only these files are waiting.
    func leaves(_ expected: [String] = []) async -> Bool {
        let isLeft = await eventually { waiting() == expected.sorted() }
        if !isLeft { print("waiting: \(waiting())\nlog: \(log.suffix(4000))") }
        return isLeft
    }

    /// Waits until the log contains a message, which may come later than its visible effect.
    func says(_ line: String) async -> Bool {
        let isSaid = await eventually { log.contains(line) }
        if !isSaid { print("log: \(log.suffix(4000))") }
        return isSaid
    }

    /// An event as a destination gets it.
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

/// A running program.
final class Watcher {
    let program: RunningProgram
    private var isEnded = false

    init(_ program: RunningProgram) { self.program = program }

    deinit {
        if !isEnded { _ = try? end(by: SIGKILL) }
    }

    /// Asks it to stop and returns how it ended.
    @discardableResult
    func stop() throws -> ProgramResult.Ending {
        // A program that finds all its work done may still be starting.
        program.waitForHandler(of: SIGTERM)
        return try end(by: SIGTERM)
    }

    @discardableResult
    func end(by signal: Int32) throws -> ProgramResult.Ending {
        program.signal(signal)
        return try wait()
    }

    /// Waits for it to end.
    func wait() throws -> ProgramResult.Ending {
        isEnded = true
        return try program.end().ending
    }

    var isRunning: Bool { TestSupport.isRunning(program.process) }

    /// The peak memory of the process itself, in kilobytes.
    var peakKilobytes: Int? {
        let lines = (readFile("/proc/\(program.process)/status") ?? []).text.split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
    }
}
