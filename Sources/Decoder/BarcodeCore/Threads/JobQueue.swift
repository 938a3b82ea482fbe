internal import Glibc

/// A blocking queue of jobs for one or more threads.
// Unchecked: everything is touched under the mutex only, and a condition needs pthread's own.
package final class JobQueue<Job>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [Job] = []
    private var waitingThreads = 0
    private var isClosed = false

    package init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Adds a job at the end.
    ///
    /// - Returns: whether more jobs than threads are waiting, so that another thread would help.
    @discardableResult package func add(_ job: Job) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        jobs.append(job)
        pthread_cond_signal(condition)
        return jobs.count > waitingThreads
    }

    /// Closes the queue to new jobs; the threads end after the pending ones.
    package func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for the next job; `nil` once the queue is closed and empty.
    package func next() -> Job? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        waitingThreads += 1
        while jobs.isEmpty, !isClosed { pthread_cond_wait(condition, mutex) }
        waitingThreads -= 1
        return jobs.isEmpty ? nil : jobs.removeFirst()
    }
}
