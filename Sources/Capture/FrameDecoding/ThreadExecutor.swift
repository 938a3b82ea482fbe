internal import BarcodeCore

/// A serial executor that runs the jobs of one actor on one thread, in order.
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
        // The last reference may be released on the thread itself, which cannot join itself.
        thread.detach()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.add((UnownedJob(job), asUnownedSerialExecutor()))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}
