internal import BarcodeCore

/// Runs the jobs of one actor on one thread, in the order in which they come.
package final class ThreadExecutor: SerialExecutor {
    private let queue = JobQueue<(UnownedJob, UnownedSerialExecutor)>()
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
        queue.add((UnownedJob(job), asUnownedSerialExecutor()))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}
