internal import DecodeWorkers
internal import Dispatch
internal import Glibc
internal import Logging
internal import Synchronization
internal import SystemPackage

/// The worker processes of a context, for callers that block.
final class Workers: Sendable {
    struct Settings {
        var program: FilePath = "/usr/bin/decode-image"
        var count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var timeout: Duration = .seconds(30)
        var megabytes = 2048
    }

    private let pool: WorkerPool
    private let run: Task<Void, Never>

    /// Creates workers; a process is started when there is work for it.
    init(_ settings: Settings) {
        let pool = WorkerPool(
            settings: WorkerPool.Settings(
                program: settings.program, workers: settings.count, memoryMegabytes: settings.megabytes,
                timeout: settings.timeout),
            logger: Logger(label: "libquietzone") { _ in SwiftLogNoOpLogHandler() })
        self.pool = pool
        run = Task { await pool.run() }
    }

    /// Decodes a picture, and blocks until its report is there.
    func report(on request: WorkerRequest) -> DecodeReport {
        let answer = Answer()
        Task { answer.give(await pool.decode(request)) }
        return answer.wait()
    }

    /// Kills the workers; running and later calls get the error `cancelled`.
    func cancel() {
        run.cancel()
    }

    /// A report that a thread waits for.
    private final class Answer: Sendable {
        private let report = Mutex<DecodeReport?>(nil)
        private let isGiven = DispatchSemaphore(value: 0)

        func give(_ report: DecodeReport) {
            self.report.withLock { $0 = report }
            isGiven.signal()
        }

        func wait() -> DecodeReport {
            isGiven.wait()
            // give() stores the report before it signals.
            guard let report = report.withLock({ $0 }) else { preconditionFailure("no report after the signal") }
            return report
        }
    }
}
