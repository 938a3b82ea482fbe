internal import BarcodeCore
public import DecodeReports
internal import ImageCodecs
public import Logging
internal import Subprocess
internal import Synchronization
public import SystemPackage

/// A number of worker processes that decode pictures, so that a picture which crashes or hangs a reader costs no other.
///
/// `run()` lives as long as the pool; `decode(_:)` may be called from many tasks meanwhile. A process is started when
/// there is work for it, kept for the next picture, and replaced when it dies, hangs or has served its time.
public final class WorkerPool: Sendable {
    /// How many workers there are, and what they may take.
    public struct Settings: Sendable {
        /// The program: one that calls ``Worker/run()`` when started with `arguments`.
        public var executable: FilePath
        /// The arguments that put the program into its worker mode.
        public var arguments: [String]
        /// The number of processes.
        public var workers: Int
        /// The time for one picture, after which its worker is killed.
        public var timeout: Duration
        /// The number of pictures after which a worker is replaced by a fresh one.
        public var picturesPerWorker: Int

        /// The given settings; 30 seconds for a picture and 1,000 pictures for a worker unless said otherwise.
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
    }

    struct Job: Sendable {
        var request: WorkerRequest
        /// The line that asks for it, where it is relayed to a worker as it came.
        var relayed: EncodedRequest?
        var answer: CheckedContinuation<Answer, Never>

        func fail(_ code: DecodeError.Code, _ message: String) {
            answer.resume(returning: .report(DecodeReport(source: request.name, error: DecodeError(code, message))))
        }
    }

    /// A request as it is sent to a worker.
    struct EncodedRequest: Sendable {
        /// The number that the answer bears.
        var id: Int
        /// The JSON, with its line feed.
        var line: [UInt8]
    }

    /// What becomes of a request.
    enum Answer: Sendable {
        /// The worker's answer, with its line feed.
        case line([UInt8])
        /// The pool's own, where no worker answered.
        case report(DecodeReport)
    }

    private let settings: Settings
    private let logger: Logger
    private let queue = WorkQueue<Job>()
    /// How many processes there are.
    private let running = Mutex(0)

    /// How long a worker waits for what this machine lacked to start its process.
    private static let waitAfterShortage: Duration = .milliseconds(200)

    /// A pool; nothing is started before there is work.
    public init(settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Decodes one picture in a worker, waiting for one to be free.
    ///
    /// - Returns: the report. A worker that died is the error `reader_crashed`, one that took too long `timed_out`,
    ///   a pool that was shut down `cancelled`. How many pages a document has is told in any case, so that one that costs
    ///   its worker does not hide the others.
    public func decode(_ request: WorkerRequest) async -> DecodeReport {
        await addPages(to: await report(on: request), request)
    }

    /// Has a worker answer a request of another program by the line that asks for it.
    ///
    /// Both lines are passed on as they came: to write them anew takes time that counts for a small picture.
    ///
    /// - Returns: the worker's line as it stands, or a report where there was none.
    func relay(_ request: WorkerRequest, as relayed: EncodedRequest) async -> Answer {
        let answer = await ask(request, relayed)
        guard case .report(let report) = answer else { return answer }
        return .report(await addPages(to: report, request))
    }

    /// Adds to a report without an answer how many pages the document has.
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
        case .line(let line):
            (try? JSONLine.decode(WorkerReplyLine.self, from: line))?.report
                ?? DecodeReport(
                    source: request.name,
                    error: DecodeError(.readerCrashed, "was answered by something that is no report of this program"))
        }
    }

    private func ask(_ request: WorkerRequest, _ relayed: EncodedRequest? = nil) async -> Answer {
        await withCheckedContinuation { answer in
            let job = Job(request: request, relayed: relayed, answer: answer)
            if !queue.put(job) { job.fail(.cancelled, "was not decoded: the workers were stopped before its turn") }
        }
    }

    /// Runs the workers until ``finish()`` is called and the work is done, or until the task is cancelled: then
    /// pictures that wait are answered with the error `cancelled`, and running workers are killed.
    ///
    /// Where SIGPIPE has its default action, it is ignored from here on: a worker may die while it is written to, and
    /// the signal would end the process that holds the pool.
    public func run() async {
        ProcessLimits.outliveBrokenPipes()
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for index in 0..<max(1, settings.workers) {
                    group.addTask { await self.serve(worker: index) }
                }
            }
        } onCancel: {
            for job in queue.close(discarding: true) {
                job.fail(.cancelled, "was not decoded: the workers were stopped before its turn")
            }
        }
    }

    /// Takes no more pictures; those that wait are still decoded.
    public func finish() {
        queue.close()
    }

    /// One worker's life: process after process, as long as there is work.
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
                logger.warning("a worker was lost", metadata: ["picture": "\(job.request.name.display)"])
                // A picture is blamed only if it kills a process that has seen no other.
                again = job
            case .died(let job, let code, let message):
                startFailures = 0
                logger.warning("a worker was lost", metadata: ["picture": "\(job.request.name.display)"])
                job.fail(code, message)
            case .postponed(let job, let shortage):
                if others == 0 {
                    job.fail(.noWorker, "was not decoded: no worker could be started (\(shortage))")
                } else if !queue.putBack(job) {
                    again = job
                }
                // The others read the pictures meanwhile, and what they need is free once they have ended.
                try? await Task.sleep(for: Self.waitAfterShortage)
            case .notStarted(let job, let reason):
                // One that cannot start at all would fail every picture anew: say so, and give the machine a rest.
                startFailures += 1
                job.fail(.noWorker, "was not decoded: no worker could be started (\(reason))")
                try? await Task.sleep(for: .milliseconds(min(1000, 10 << startFailures)))
            }
        }
    }
}
