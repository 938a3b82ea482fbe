internal import BarcodeCore
public import DecodeReports
internal import ImageCodecs
public import Logging
internal import Subprocess
internal import Synchronization
public import SystemPackage

/// A pool of worker processes that decode images, so that an image that crashes or hangs a reader affects no other.
///
/// `run()` runs for the lifetime of the pool; many tasks may call `decode(_:)` meanwhile. A process is started when
/// there is work for it, and kept for the next image. It is replaced when it crashes, hangs or reaches its image
/// limit.
///
/// ```swift
/// let pool = WorkerPool(
///     settings: WorkerPool.Settings(executable: "/usr/bin/decode-image", arguments: ["--worker"], workers: 2),
///     logger: Logger(label: "decoding"))
/// await withTaskGroup(of: Void.self) { group in
///     group.addTask { await pool.run() }
///     let report = await pool.decode(WorkerRequest(path: PictureName("upload.jpg")))
///     print(report.symbols.map(\.text))
///     pool.finish()
/// }
/// ```
public final class WorkerPool: Sendable {
    /// The number of workers, and their limits.
    public struct Settings: Sendable {
        /// The program: one that calls ``Worker/run()`` when started with `arguments`.
        public var executable: FilePath
        /// The arguments that put the program into its worker mode.
        public var arguments: [String]
        /// The number of processes.
        public var workers: Int
        /// The time limit of an image, after which its worker is killed.
        public var timeout: Duration
        /// The number of images after which a worker is replaced by a new one.
        public var picturesPerWorker: Int
        /// Indicates whether the pool opens the files, and passes them to workers that need not be able to open any.
        public var opensFiles = false
        /// Indicates whether a path such as `/dev/stdin` is opened, which is an open file of this process.
        ///
        /// It is false for requests of another program, whose paths cannot mean that.
        public var opensOwnFiles = true

        /// Creates settings; by default 30 seconds per image and 1,000 images per worker.
        public init(
            executable: FilePath, arguments: [String], workers: Int, timeout: Duration = .seconds(30),
            picturesPerWorker: Int = 1000
        ) {
            self.executable = executable
            self.arguments = arguments
            self.workers = workers
            self.timeout = timeout
            self.picturesPerWorker = picturesPerWorker
        }

        /// The first argument that makes a program of this package a worker.
        public static let workerFlag = "--worker"

        /// Creates settings for workers that are a program of this package, such as `decode-image`.
        ///
        /// - Parameters:
        ///   - program: the path of the program.
        ///   - workers: the number of processes.
        ///   - memoryMegabytes: the memory limit of each worker, in MiB.
        ///   - timeout: the time limit of an image.
        ///   - folders: the folders to which the workers are restricted. Without a folder of pictures, the pool opens
        ///     the files, and the workers open none.
        public init(
            program: FilePath, workers: Int, memoryMegabytes: Int, timeout: Duration,
            folders: Sandbox.Folders = Sandbox.Folders()
        ) {
            // The pool terminates a worker that hangs; this longer limit is for a worker whose pool is gone.
            let seconds = Int(timeout / .seconds(1)) + 10
            self.init(
                executable: program,
                arguments: [
                    Self.workerFlag, "--memory-megabytes", "\(memoryMegabytes)", "--picture-seconds", "\(seconds)",
                    "--timeout-milliseconds", "\(max(1, Int(timeout / .milliseconds(1))))",
                    "--picture-folder", folders.pictures ?? Sandbox.Folders.noFolder,
                ] + (folders.annotations.map { ["--annotation-folder", $0] } ?? []),
                workers: workers, timeout: timeout)
            opensFiles = folders.pictures == nil
        }
    }

    struct Job: Sendable {
        var request: WorkerRequest
        /// The original request line, if it is relayed to a worker as it is.
        var relayed: EncodedRequest?
        var answer: CheckedContinuation<Answer, Never>

        func fail(_ code: DecodeError.Code, _ message: String) { fail(DecodeError(code, message)) }

        func fail(_ error: DecodeError) {
            var report = DecodeReport(source: request.name, error: error)
            if request.page.number > 1 { report.page = request.page.number }
            answer.resume(returning: .report(report))
        }
    }

    /// A request in its wire format.
    struct EncodedRequest: Sendable {
        /// The number of the reply.
        var id: Int
        /// The JSON, with its line feed.
        var line: [UInt8]
    }

    /// The answer to a request.
    enum Answer: Sendable {
        /// The worker's reply line, with its line feed.
        case line([UInt8])
        /// A report of the pool itself, if no worker replied.
        case report(DecodeReport)
    }

    private let settings: Settings
    private let logger: Logger
    private let queue = WorkQueue<Job>()
    /// The number of running processes.
    private let running = Mutex(0)

    /// The delay before a worker retries to start its process after a shortage of resources.
    private static let waitAfterShortage: Duration = .milliseconds(200)

    /// Creates a pool; no process is started before there is work.
    public init(settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Decodes one image in a worker, and waits for a free one.
    ///
    /// Cancellation of the calling task does not end the wait; the time limit of an image does.
    /// - Returns: the report. Its error is `reader_crashed` if the worker crashed, `timed_out` if it took too long,
    ///   and `cancelled` if the pool was shut down. It has the page count of a document in any case, so that a page
    ///   that crashes its worker does not hide the others.
    public func decode(_ request: WorkerRequest) async -> DecodeReport {
        await addPages(to: await report(on: request), request)
    }

    /// Relays a request of another program to a worker.
    ///
    /// Both lines are passed on unchanged, because encoding them again takes significant time for a small image.
    ///
    /// - Returns: the worker's unchanged reply line, or a report if there was none, or one that a client could take
    ///   for another reply.
    func relay(_ request: WorkerRequest, as relayed: EncodedRequest) async -> Answer {
        let answer = await ask(request, relayed)
        switch answer {
        case .line(let line):
            return WorkerReplyLine.isUnambiguous(line, id: relayed.id)
                ? answer : .report(Self.report(in: line, request))
        case .report(let report): return .report(await addPages(to: report, request))
        }
    }

    /// Adds the page count of the document to the report of a lost worker.
    private func addPages(to report: DecodeReport, _ request: WorkerRequest) async -> DecodeReport {
        var report = report
        guard report.pages == nil, report.error?.isLossOfWorker == true,
            (request.bytes.map { ImageFormat.detect(in: $0) } ?? ImageFormat.detect(inFileAt: request.path.bytes))?
                .isDocument == true
        else { return report }
        var count = request
        count.countsPages = true
        guard let pages = await self.report(on: count).pages else { return report }
        (report.page, report.pages) = (request.page.number, pages)
        return report
    }

    private func report(on request: WorkerRequest) async -> DecodeReport {
        switch await ask(request) {
        case .report(let report): report
        case .line(let line): Self.report(in: line, request)
        }
    }

    private static func report(in line: [UInt8], _ request: WorkerRequest) -> DecodeReport {
        (try? JSONLine.decode(WorkerReplyLine.self, from: line))?.report
            ?? DecodeReport(
                source: request.name, error: DecodeError(.readerCrashed, "received an invalid reply from its worker"))
    }

    private func ask(_ request: WorkerRequest, _ relayed: EncodedRequest? = nil) async -> Answer {
        await withCheckedContinuation { answer in
            let job = Job(request: request, relayed: relayed, answer: answer)
            if !queue.put(job) { job.fail(.cancelled, "was not decoded: the workers were stopped first") }
        }
    }

    /// Runs the workers until ``finish()`` was called and the work is done, or until the task is cancelled.
    ///
    /// On cancellation, waiting images get the error `cancelled`, and running workers are killed. If SIGPIPE has
    /// its default action, it is ignored from here on: a worker may die while it is written to, and the signal
    /// would end the process that holds the pool.
    public func run() async {
        ProcessLimits.outliveBrokenPipes()
        if !Sandbox.filtersSystemCalls {
            logger.warning(
                "Decoding pictures without a sandbox",
                metadata: ["reason": "libseccomp is missing, or the kernel or the container forbids seccomp"])
        }
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for index in 0..<max(1, settings.workers) {
                    group.addTask { await self.serve(worker: index) }
                }
            }
        } onCancel: {
            for job in queue.close(discarding: true) {
                job.fail(.cancelled, "was not decoded: the workers were stopped first")
            }
        }
    }

    /// Stops accepting images; waiting ones are still decoded.
    public func finish() {
        queue.close()
    }

    /// Runs one worker: one process after another, as long as there is work.
    private func serve(worker index: Int) async {
        var startFailures = 0
        var again: Job?
        while true {
            var waiting = again
            again = nil
            if waiting == nil { waiting = await queue.take() }
            guard let job = waiting else { return }
            var logger = logger
            logger[metadataKey: "worker"] = "\(index)"
            let process = WorkerProcess(settings: settings, logger: logger)
            running.withLock { $0 += 1 }
            let outcome = await process.run(first: job, next: queue.take)
            let others = running.withLock { running in
                running -= 1
                return running
            }
            switch outcome {
            case .served:
                startFailures = 0
            case .interrupted(let job):
                startFailures = 0
                logger.warning("A worker ended unexpectedly", metadata: ["picture": "\(job.request.name.display)"])
                // An image only counts as the cause if it kills a process that has decoded no other one.
                again = job
            case .died(let job, let code, let message):
                startFailures = 0
                logger.warning("A worker ended unexpectedly", metadata: ["picture": "\(job.request.name.display)"])
                job.fail(code, message)
            case .postponed(let job, let shortage):
                if others == 0 {
                    job.fail(.noWorker, "was not decoded: no worker could be started (\(shortage))")
                } else if !queue.putBack(job) {
                    again = job
                }
                // The other workers continue meanwhile, and free resources when they end.
                try? await Task.sleep(for: Self.waitAfterShortage)
            case .notStarted(let job, let reason):
                // A program that cannot start would fail every image, so this reports the failure and backs off.
                startFailures += 1
                job.fail(.noWorker, "was not decoded: no worker could be started (\(reason))")
                try? await Task.sleep(for: .milliseconds(10 << min(startFailures, 7)))
            }
        }
    }
}
