import Dispatch

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
