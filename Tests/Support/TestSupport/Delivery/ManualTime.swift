package import FoundationEssentials
internal import ScanEvents
internal import Synchronization

/// Clocks that a test controls.
package final class ManualTime: Sendable {
    private let state: Mutex<(now: Date, uptime: Duration)>

    package init(_ now: Date = Date(milliseconds: 1_800_000_000_000)) { state = Mutex((now, .zero)) }

    /// The wall clock, which may jump.
    package var now: Date { state.withLock { $0.now } }
    /// The monotonic clock.
    package var uptime: Duration { state.withLock { $0.uptime } }

    /// Advances both clocks.
    package func pass(_ duration: Duration) {
        state.withLock {
            $0.now += Double(duration.milliseconds) / 1000
            $0.uptime += duration
        }
    }

    /// Makes the wall clock jump.
    package func jump(_ seconds: Double) { state.withLock { $0.now += seconds } }
}
