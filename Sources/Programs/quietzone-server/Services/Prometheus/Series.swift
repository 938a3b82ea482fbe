import CoreMetrics
import Synchronization

/// A series: a number, or the buckets of a histogram.
final class Series: Sendable {
    enum Kind: Sendable, Hashable {
        case counter, gauge, histogram, timer

        /// The type in Prometheus.
        var type: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram, .timer: "histogram"
            }
        }
    }

    private struct State {
        var value = 0.0
        var count = 0
        /// The number of values in each bucket, not cumulative.
        var counts: [Int]
    }

    private let kind: Kind
    private let state: Mutex<State>

    init(_ kind: Kind) {
        self.kind = kind
        let isHistogram = kind == .histogram || kind == .timer
        state = Mutex(State(counts: isHistogram ? Array(repeating: 0, count: PrometheusRegistry.buckets.count) : []))
    }

    private func observe(_ value: Double) {
        state.withLock { state in
            state.value += value
            state.count += 1
            if let bucket = PrometheusRegistry.buckets.firstIndex(where: { value <= $0 }) { state.counts[bucket] += 1 }
        }
    }

    private func take(_ value: Double) {
        if kind == .histogram { observe(value) } else { state.withLock { $0.value = value } }
    }

    /// The lines of text for the series.
    func lines(name: String, labels: String) -> String {
        let state = state.withLock { $0 }
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        guard kind == .histogram || kind == .timer else { return "\(name)\(braces) \(state.value.prometheus)\n" }
        var (text, total) = ("", 0)
        let before = labels.isEmpty ? "" : labels + ","
        for (bound, count) in zip(PrometheusRegistry.buckets, state.counts) {
            total += count
            text += "\(name)_bucket{\(before)le=\"\(bound.prometheus)\"} \(total)\n"
        }
        text += "\(name)_bucket{\(before)le=\"+Inf\"} \(state.count)\n"
        return text + "\(name)_sum\(braces) \(state.value.prometheus)\n\(name)_count\(braces) \(state.count)\n"
    }
}

extension Series: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    func increment(by amount: Int64) { state.withLock { $0.value += Double(amount) } }
    func increment(by amount: Double) { state.withLock { $0.value += amount } }
    func decrement(by amount: Double) { state.withLock { $0.value -= amount } }
    func set(_ value: Int64) { state.withLock { $0.value = Double(value) } }
    func set(_ value: Double) { state.withLock { $0.value = value } }
    func record(_ value: Int64) { take(Double(value)) }
    func record(_ value: Double) { take(value) }
    func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
    func reset() { state.withLock { $0.value = 0 } }
}

extension Double {
    /// The number in Prometheus' format.
    var prometheus: String {
        if isNaN { return "NaN" }
        if isInfinite { return self < 0 ? "-Inf" : "+Inf" }
        return self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : description
    }
}
