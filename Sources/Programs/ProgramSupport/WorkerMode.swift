internal import ArgumentParser
public import BarcodeCore
public import DecodeReports
public import DecodeWorkers
internal import Glibc
internal import SystemPackage

/// The program as a worker of its own pool, see `docs/reference/worker-protocol.md`.
///
/// Every program that decodes images in workers starts itself for them, so there is no second executable to
/// install, and a worker always has the version of its pool.
public enum WorkerMode {
    /// Writes an image with its symbols outlined to a file.
    public typealias Annotation = @Sendable (LumaImage, [Symbol], PictureName) throws(DecodeError) -> Void

    /// The settings of a pool whose workers are this program.
    ///
    /// - Parameters:
    ///   - workers: the number of processes.
    ///   - memoryMegabytes: the memory limit of each worker, in MiB.
    ///   - timeout: the timeout for one image.
    ///   - folders: the folders to which the workers are restricted.
    public static func pool(
        workers: Int, memoryMegabytes: Int, timeout: Duration, folders: Sandbox.Folders = Sandbox.Folders()
    ) -> WorkerPool.Settings {
        WorkerPool.Settings(
            program: executable, workers: workers, memoryMegabytes: memoryMegabytes, timeout: timeout,
            folders: folders)
    }

    /// The settings of a pool for the frames of one camera, whose only worker opens no files.
    public static var framePool: WorkerPool.Settings {
        var settings = pool(
            workers: 1, memoryMegabytes: 1024, timeout: .seconds(10),
            folders: Sandbox.Folders(pictures: Sandbox.Folders.noFolder))
        // About an hour; frames that come while a new worker starts are skipped.
        settings.picturesPerWorker = 100_000
        return settings
    }

    /// The executable of this process.
    private static var executable: FilePath {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return count < 0 ? "/proc/self/exe" : FilePath(platformString: buffer)
    }

    /// Indicates whether the arguments, without the program's name, select a worker.
    private static func isAsked(_ arguments: [String]) -> Bool { arguments.first == WorkerPool.Settings.workerFlag }

    /// If the arguments select a worker, answers requests until standard input ends, and then ends the process.
    ///
    /// - Parameters:
    ///   - arguments: the program's arguments without its name.
    ///   - niceness: the steps by which the worker's niceness is higher than that of the program that started it.
    ///   - annotate: handles requests for an outlined copy; omit it in a program that makes no such requests.
    public static func runIfAsked(_ arguments: [String], niceness: Int = 0, annotate: Annotation? = nil) {
        guard isAsked(arguments) else { return }
        // Ctrl-C reaches the whole process group; the pool decides when its workers end.
        signal(SIGINT, SIG_IGN)
        do {
            let command = try Command.parse(Array(arguments.dropFirst()))
            let settings = Worker.Settings(
                memoryLimit: command.memoryMegabytes << 20, pictureSeconds: command.pictureSeconds,
                timeout: command.timeoutMilliseconds.map { .milliseconds($0) },
                folders: Sandbox.Folders(pictures: command.pictureFolder, annotations: command.annotationFolder),
                niceness: niceness)
            try Worker(settings: settings) { (image, symbols, path) throws(DecodeError) in
                guard let annotate else {
                    throw DecodeError(.invalidRequest, "this program does not write annotated copies")
                }
                try annotate(image, symbols, path)
            }.run()
        } catch {
            Command.exit(withError: error)
        }
        exit(0)
    }

    private struct Command: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "decode-image --worker")

        @Option var memoryMegabytes = 2048
        @Option var pictureSeconds = 600
        @Option(transform: NumberArgument.whole(1...86_400_000)) var timeoutMilliseconds: Int?
        @Option var pictureFolder: String?
        @Option var annotationFolder: String?

        func validate() throws {
            guard (1...1_000_000).contains(memoryMegabytes), (1...1_000_000).contains(pictureSeconds) else {
                throw ValidationError("--memory-megabytes and --picture-seconds must be 1 to 1000000.")
            }
        }
    }
}
