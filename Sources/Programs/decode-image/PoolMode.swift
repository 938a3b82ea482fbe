import ArgumentParser
import DecodeWorkers
import Glibc
import Logging
import ProgramSupport
import SymbolContent

/// The program as a worker pool for a program in another language, see `docs/reference/worker-protocol.md`.
enum PoolMode {
    /// The first argument, which selects this mode.
    private static let flag = "--pool"

    /// Indicates whether the arguments, without the program's name, select this mode.
    static func isAsked(_ arguments: [String]) -> Bool { arguments.first == flag }

    /// Answers requests until standard input ends; returns the exit status.
    static func run(_ arguments: [String]) async -> Int32 {
        let command: Command
        do { command = try Command.parse(Array(arguments.dropFirst())) } catch { Command.exit(withError: error) }
        // Ctrl-C reaches the whole process group; the client decides when the pool ends.
        signal(SIGINT, SIG_IGN)
        // The pool holds the bytes of an image only until a worker has taken them.
        ProcessLimits.keepFreedMemory()
        let jobs = command.workers.jobs ?? RunSettings().jobs
        var settings = WorkerMode.pool(
            workers: jobs, memoryMegabytes: command.workers.workerMegabytes, timeout: .seconds(command.timeout),
            folders: Sandbox.Folders(pictures: command.pictureFolder, annotations: command.annotationFolder))
        settings.opensOwnFiles = false
        let pool = WorkerPool(
            settings: settings, logger: Logger(label: "decode-image") { _ in SwiftLogNoOpLogHandler() })
        let server = RequestServer(
            pool: pool, window: 4 * jobs, contentYear: command.content ? RunSettings.currentYear : nil,
            signingKeys: command.keys)
        do {
            try await server.run(input: STDIN_FILENO, output: STDOUT_FILENO)
            return 0
        } catch {
            Messages(isQuiet: false).write("\(error)")
            return 1
        }
    }

    private struct Command: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "decode-image --pool")

        @OptionGroup var workers: WorkerOptions
        @Option(parsing: .unconditional, transform: NumberArgument.decimal(0.001...86_400)) var timeout = 30.0
        @Flag var content = false
        @Option(transform: KeyFolder.keys) var keys: SigningKeys?
        @Option var pictureFolder: String?
        @Option var annotationFolder: String?
    }
}
