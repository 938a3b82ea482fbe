import Dispatch
import Glibc

/// SIGINT and SIGTERM as something to wait for, so that a batch ends in order.
struct StopSignals: Sendable {
    private let signals: AsyncStream<Int32>
    // Unchecked by the compiler: sources are only kept alive here, and Dispatch's are safe to release anywhere.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init() {
        // One is enough to stop in order; the second is not waited for.
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        signals = stream
        sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before the source hears of the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                // Whoever asks twice does not want to wait for the order, which an unread output can hold up for ever.
                for other in [SIGINT, SIGTERM] { signal(other, SIG_DFL) }
                continuation.yield(number)
            }
            source.resume()
            return source
        }
    }

    /// Waits for the first signal; nil when the task is cancelled before.
    func first() async -> Int32? {
        for await number in signals { return number }
        return nil
    }

    /// Ends this process by the signal that stopped it, so that a shell sees what happened.
    static func resend(_ number: Int32) {
        signal(number, SIG_DFL)
        // Dispatch's threads, of which this is one, block signals: raised there, one would wait for ever.
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
    }
}
