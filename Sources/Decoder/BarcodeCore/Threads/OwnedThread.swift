internal import Glibc

/// A thread that does one piece of work, waited for by its owner.
///
/// What blocks for long has a thread of its own: the threads that tasks share are few.
package final class OwnedThread: Sendable {
    private let handle: pthread_t

    /// What the new thread is handed.
    private final class Work {
        let body: () -> Void

        init(body: @escaping () -> Void) {
            self.body = body
        }
    }

    /// Starts the thread.
    package init(body: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        let work = Unmanaged.passRetained(Work(body: body))
        let status = pthread_create(
            &handle, nil,
            { argument in
                guard let argument else { return nil }
                let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                work.body()
                return nil
            }, work.toOpaque())
        // As where memory runs out: nothing here could go on.
        precondition(status == 0, "the system has no room for a thread")
        self.handle = handle
    }

    /// Waits for the end of the thread.
    ///
    /// Either this or ``detach()`` is called once, and this by another thread.
    package func join() {
        pthread_join(handle, nil)
    }

    /// Leaves the thread to itself: it frees what it has when it ends.
    package func detach() {
        pthread_detach(handle)
    }
}
