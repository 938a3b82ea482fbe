import ArgumentParser
import BarcodeCore
import DecodeWorkers
import Glibc

/// The program as a worker of its own pool: `docs/worker-protocol.md`.
enum WorkerMode {
    /// The first argument that asks for it.
    static let flag = "--worker"

    /// The arguments that start a worker.
    static func arguments(memoryMegabytes: Int, timeout: Duration) -> [String] {
        // The pool ends a worker that hangs; this longer limit is for one whose pool is gone.
        let seconds = Int(timeout / .seconds(1)) + 10
        return [flag, "--memory-megabytes", "\(memoryMegabytes)", "--picture-seconds", "\(seconds)"]
    }

    /// Answers requests until standard input ends, then ends the process.
    static func main(_ arguments: [String]) -> Never {
        // Ctrl-C reaches the whole group: the pool decides what becomes of its workers.
        signal(SIGINT, SIG_IGN)
        do {
            let command = try Command.parse(arguments)
            let settings = Worker.Settings(
                memoryLimit: command.memoryMegabytes << 20, pictureSeconds: command.pictureSeconds)
            try Worker(settings: settings) { (image, symbols, path) throws(DecodeError) in
                try AnnotatedPicture(image, symbols: symbols).write(to: path)
            }.run()
        } catch {
            Command.exit(withError: error)
        }
        exit(0)
    }

    private struct Command: ParsableArguments {
        @Option var memoryMegabytes = 2048
        @Option var pictureSeconds = 600

        func validate() throws {
            guard (1...1_000_000).contains(memoryMegabytes), (1...1_000_000).contains(pictureSeconds) else {
                throw ValidationError("--memory-megabytes and --picture-seconds take 1 to 1000000.")
            }
        }
    }
}
