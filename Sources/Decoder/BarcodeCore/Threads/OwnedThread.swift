internal import Glibc

/// A thread that runs one closure, and that its owner joins or detaches.
///
/// Long blocking work gets a dedicated thread, since the shared thread pool of Swift concurrency is small.
package final class OwnedThread: Sendable {
    private let handle: pthread_t

    /// The argument of the new thread.
    private final class Work {
        let body: () -> Void

        init(body: @escaping () -> Void) {
            self.body = body
        }
    }

    /// The time to wait for other threads to end if the system cannot start one more.
    private static let patience: Duration = .seconds(10)

    /// Starts the thread.
    ///
    /// If the user or the machine has too many threads, waits for others to end, since that is mostly over soon.
    package init(body: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        let work = Unmanaged.passRetained(Work(body: body))
        let deadline = ContinuousClock.now + Self.patience
        var status: Int32
        while true {
            status = pthread_create(
                &handle, nil,
                { argument in
                    guard let argument else { return nil }
                    let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                    work.body()
                    return nil
                }, work.toOpaque())
            guard status == EAGAIN, ContinuousClock.now < deadline else { break }
            usleep(50_000)
        }
        // As when memory runs out, the program cannot continue.
        precondition(status == 0, "the system cannot start another thread")
        self.handle = handle
    }

    /// Waits for the end of the thread.
    ///
    /// Call either this or ``detach()`` once, and this one from another thread.
    package func join() {
        pthread_join(handle, nil)
    }

    /// Detaches the thread, which then frees its resources when it ends.
    package func detach() {
        pthread_detach(handle)
    }
}
