import Dispatch
import Glibc

/// SIGINT and SIGTERM as requests to end cleanly: results are reported and the camera is released.
struct StopSignals {
    private let sources: [any DispatchSourceSignal]

    init(_ stop: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before the source is notified.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                // A user who signals twice does not want to wait for a clean end.
                for other in [SIGINT, SIGTERM] { signal(other, SIG_DFL) }
                stop()
            }
            source.resume()
            return source
        }
    }

    func end() {
        for source in sources { source.cancel() }
    }
}

/// Ends the run after a timeout.
struct StopTimer {
    private let timer: any DispatchSourceTimer

    init(seconds: Double, _ stop: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource()
        timer.setEventHandler(handler: DispatchWorkItem(block: stop))
        timer.schedule(deadline: .now() + seconds)
        timer.resume()
    }

    func end() {
        timer.cancel()
    }
}
