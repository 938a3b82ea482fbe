internal import Glibc
internal import VideoCapture

/// Runs the jobs of one actor on one thread, in the order in which they come.
package final class ThreadExecutor: SerialExecutor {
    private let queue = JobQueue()
    private let thread: OwnedThread

    /// Starts the thread, which ends with the last reference.
    package init() {
        let queue = queue
        thread = OwnedThread {
            while let (job, executor) = queue.next() { job.runSynchronously(on: executor) }
        }
    }

    deinit {
        queue.close()
        // The last reference may go on the thread itself, which cannot wait for its own end.
        thread.detach()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.add(UnownedJob(job), asUnownedSerialExecutor())
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}

/// Jobs that wait for their thread.
// Unchecked: everything is touched under the mutex only, and a condition needs pthread's own.
private final class JobQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [(UnownedJob, UnownedSerialExecutor)] = []
    private var isClosed = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func add(_ job: UnownedJob, _ executor: UnownedSerialExecutor) {
        pthread_mutex_lock(mutex)
        jobs.append((job, executor))
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for the next job; nil once the queue is closed and empty.
    func next() -> (UnownedJob, UnownedSerialExecutor)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty, !isClosed { pthread_cond_wait(condition, mutex) }
        return jobs.isEmpty ? nil : jobs.removeFirst()
    }
}
