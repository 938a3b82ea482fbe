internal import BarcodeCore
internal import Glibc
internal import Synchronization

/// A thread pool for decoding, so that it does not block the shared thread pool of Swift concurrency.
///
/// A thread is started if a job finds none idle, up to ``maximumThreads``; further jobs wait. The threads end with
/// the pool.
public final class DecodingPool: TaskExecutor {
    /// The default pool of ``BarcodeDecoder``, with as many threads as there are processors.
    public static let shared = DecodingPool()

    /// The largest number of images that are decoded at once.
    public let maximumThreads: Int

    private let queue = JobQueue<(job: UnownedJob, executor: UnownedTaskExecutor)>()
    private let startedThreads = Mutex(0)

    /// Creates a pool with at most this many threads, at least one; by default as many as there are processors.
    public init(maximumThreads: Int? = nil) {
        self.maximumThreads = max(1, maximumThreads ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    deinit {
        queue.close()
    }

    /// Runs a part of a task on a thread of the pool.
    public func enqueue(_ job: consuming ExecutorJob) {
        guard queue.add((UnownedJob(job), asUnownedTaskExecutor())) else { return }
        let isAllowed = startedThreads.withLock { count in
            guard count < maximumThreads else { return false }
            count += 1
            return true
        }
        guard isAllowed else { return }
        let thread = OwnedThread { [queue] in
            while let (job, executor) = queue.next() { job.runSynchronously(on: executor) }
        }
        // The last reference to the pool may be released on the thread itself, which cannot join itself.
        thread.detach()
    }
}
