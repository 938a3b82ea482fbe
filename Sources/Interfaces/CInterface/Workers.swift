internal import DecodeWorkers
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

    /// The process that was the first to use workers; 0 if none has.
    private static let owner = Atomic<pid_t>(0)

    /// Indicates whether workers can run: a fork of a process that has used some lacks the threads that serve them.
    static var areAvailable: Bool {
        let process = getpid()
        let (isFirst, owner) = owner.compareExchange(expected: 0, desired: process, ordering: .relaxed)
        return isFirst || owner == process
    }

    /// Indicates whether the threads that serve workers can start: without two descriptors, libdispatch ends the
    /// process.
    static var haveDescriptors: Bool {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return false
        }
        for end in ends { close(end) }
        return true
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
    func report(on request: WorkerRequest) -> DecodeReport { pool.decodeAndWait(request) }

    /// Kills the workers; running and later calls get the error `cancelled`.
    func cancel() {
        run.cancel()
    }
}
