internal import CLinux
internal import Dispatch
internal import Glibc

/// SIGINT and SIGTERM as requests to end cleanly.
///
/// The second signal ends the program at once: its user does not want to wait for a clean end, which unread output or a
/// lack of threads can block forever.
public struct StopSignals: Sendable {
    // Unchecked by the compiler: the source is only kept alive and canceled here, which any thread may do.
    private nonisolated(unsafe) let source: (any DispatchSourceRead)?

    /// Calls `stop` with the number of the first signal.
    ///
    /// A program creates only one value.
    public init(_ stop: @escaping @Sendable (Int32) -> Void) {
        let descriptor = qz_stop_signals()
        guard descriptor >= 0 else {
            // The signals keep their default actions.
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        source.setEventHandler {
            var number: UInt8 = 0
            if read(descriptor, &number, 1) == 1 { stop(Int32(number)) }
        }
        source.resume()
        self.source = source
    }

    /// Stops waiting for a signal.
    public func end() {
        source?.cancel()
    }

    /// Ends this process by the signal that stopped it, so that a shell sees the cause.
    public static func resend(_ number: Int32) {
        signal(number, SIG_DFL)
        // Dispatch threads, such as this one, block signals: a signal raised here would stay pending.
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
    }
}
