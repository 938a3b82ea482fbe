import Dispatch
import Glibc

/// SIGINT and SIGTERM as asynchronous events, so that a batch can end cleanly.
struct StopSignals: Sendable {
    private let signals: AsyncStream<Int32>
    // Unchecked by the compiler: sources are only kept alive here, and Dispatch sources can be released on any
    // thread.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init() {
        // One is enough to stop cleanly; the second takes effect at once.
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        signals = stream
        sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before the source is notified.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                // A user who signals twice does not want to wait for a clean end, which unread output can block
                // forever.
                for other in [SIGINT, SIGTERM] { signal(other, SIG_DFL) }
                continuation.yield(number)
            }
            source.resume()
            return source
        }
    }

    /// Waits for the first signal; `nil` if the task is canceled first.
    func first() async -> Int32? {
        for await number in signals { return number }
        return nil
    }

    /// Ends this process by the signal that stopped it, so that a shell sees the cause.
    static func resend(_ number: Int32) {
        signal(number, SIG_DFL)
        // Dispatch threads, such as this one, block signals: a signal raised here would stay pending.
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
    }
}
