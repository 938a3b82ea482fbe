internal import BarcodeCore
internal import Glibc
internal import Synchronization

/// Threads for decoding, so that tasks which wait for a picture block none of the threads that all tasks share.
///
/// A thread is started when a picture has none to wait for, up to ``maximumThreads``; pictures beyond that wait for
/// their turn. The threads end with the pool.
public final class DecodingPool: TaskExecutor {
    /// The pool that ``BarcodeDecoder`` uses unless it is handed another: as many threads as there are processors.
    public static let shared = DecodingPool()

    /// Pictures that are decoded at once.
    public let maximumThreads: Int

    private let queue = JobQueue<(job: UnownedJob, executor: UnownedTaskExecutor)>()
    private let startedThreads = Mutex(0)

    /// A pool of so many threads at the most, at least one; as many as there are processors unless said otherwise.
    public init(maximumThreads: Int? = nil) {
        self.maximumThreads = max(1, maximumThreads ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    deinit {
        queue.close()
    }

    /// Has a thread of the pool run a part of a task.
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
        // The last reference to the pool may go on the thread itself, which cannot wait for its own end.
        thread.detach()
    }
}
