internal import ArgumentParser
public import BarcodeCore
public import DecodeReports
public import DecodeWorkers
internal import Glibc
internal import SystemPackage

/// A program as a worker of its own pool, see `docs/reference/worker-protocol.md`.
///
/// Every program that decodes pictures in workers starts itself again for them: there is no second file to install,
/// and a worker is never of another version than its pool.
public enum WorkerMode {
    /// The first argument that asks for it.
    static let flag = "--worker"

    /// Writes a picture with its symbols outlined to a file.
    public typealias Annotation = @Sendable (LumaImage, [Symbol], PictureName) throws(DecodeError) -> Void

    /// The settings of a pool whose workers are this program.
    ///
    /// - Parameters:
    ///   - workers: the number of processes.
    ///   - memoryMegabytes: the memory that each may take, in MiB.
    ///   - timeout: the time for one picture.
    public static func pool(workers: Int, memoryMegabytes: Int, timeout: Duration) -> WorkerPool.Settings {
        // The pool ends a worker that hangs; this longer limit is for one whose pool is gone.
        let seconds = Int(timeout / .seconds(1)) + 10
        return WorkerPool.Settings(
            executable: executable,
            arguments: [
                flag, "--memory-megabytes", "\(memoryMegabytes)", "--picture-seconds", "\(seconds)",
                "--timeout-milliseconds", "\(max(1, Int(timeout / .milliseconds(1))))",
            ],
            workers: workers, timeout: timeout)
    }

    /// The file of this process.
    private static var executable: FilePath {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return count < 0 ? "/proc/self/exe" : FilePath(platformString: buffer)
    }

    /// Whether the arguments ask for a worker, without the program's name.
    public static func isAsked(_ arguments: [String]) -> Bool { arguments.first == flag }

    /// Answers requests until standard input ends and then ends the process, if the arguments ask for a worker.
    ///
    /// - Parameters:
    ///   - arguments: the program's arguments without its name.
    ///   - annotate: for requests that want a copy with outlines; a program that never asks for one leaves it out.
    public static func runIfAsked(_ arguments: [String], annotate: Annotation? = nil) {
        guard isAsked(arguments) else { return }
        // Ctrl-C reaches the whole group: the pool decides what becomes of its workers.
        signal(SIGINT, SIG_IGN)
        do {
            let command = try Command.parse(Array(arguments.dropFirst()))
            let settings = Worker.Settings(
                memoryLimit: command.memoryMegabytes << 20, pictureSeconds: command.pictureSeconds,
                timeout: command.timeoutMilliseconds.map { .milliseconds($0) })
            try Worker(settings: settings) { (image, symbols, path) throws(DecodeError) in
                guard let annotate else {
                    throw DecodeError(.invalidRequest, "this program writes no annotated copies")
                }
                try annotate(image, symbols, path)
            }.run()
        } catch {
            Command.exit(withError: error)
        }
        exit(0)
    }

    private struct Command: ParsableArguments {
        @Option var memoryMegabytes = 2048
        @Option var pictureSeconds = 600
        @Option(transform: NumberArgument.whole(1...86_400_000)) var timeoutMilliseconds: Int?

        func validate() throws {
            guard (1...1_000_000).contains(memoryMegabytes), (1...1_000_000).contains(pictureSeconds) else {
                throw ValidationError("--memory-megabytes and --picture-seconds take 1 to 1000000.")
            }
        }
    }
}
