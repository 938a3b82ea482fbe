import CoreMetrics
import Synchronization

/// A backend of swift-metrics with output in Prometheus' text format (version 0.0.4).
///
/// The names of counters end in `_total`, those of timers in `_seconds`. Timers and aggregating recorders are
/// histograms. Series beyond the limit are dropped, and counted as dropped.
final class PrometheusRegistry: MetricsFactory {
    /// The maximum number of series with one name, because labels from untrusted sources must not fill the memory.
    static let maximumSeries = 512
    /// The upper bounds of a histogram's buckets, in seconds for timers.
    static let buckets: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    private struct Family {
        var type: String
        var series: [String: Series] = [:]
    }

    private struct State {
        var families: [String: Family] = [:]
        var dropped = 0
    }

    private let state = Mutex(State())

    /// Creates an empty registry.
    init() {}

    /// Returns all metrics as text, with families and series sorted by name.
    func text() -> String {
        let (families, dropped) = state.withLock { ($0.families, $0.dropped) }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            text += "# TYPE \(name) \(family.type)\n"
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                text += series.lines(name: name, labels: labels)
            }
        }
        text += "# TYPE metrics_series_dropped_total counter\nmetrics_series_dropped_total \(dropped)\n"
        return text
    }

    private func series(_ kind: Series.Kind, _ label: String, _ dimensions: [(String, String)]) -> Series {
        let name = Self.name(label, kind)
        let labels = Self.labels(dimensions)
        return state.withLock { state in
            // The same name with two types would not be valid.
            let type = kind.type
            let key = state.families[name].map { $0.type == type ? name : "\(name)_\(type)" } ?? name
            var family = state.families[key] ?? Family(type: type)
            if let known = family.series[labels] { return known }
            let series = Series(kind)
            if family.series.count < Self.maximumSeries {
                family.series[labels] = series
                state.families[key] = family
            } else {
                state.dropped += 1
            }
            return series
        }
    }

    /// Converts a label to a valid Prometheus name with the suffix of its kind.
    static func name(_ label: String, _ kind: Series.Kind) -> String {
        var name = String(
            label.map { character in
                character.isASCII && (character.isLetter || character.isNumber || "_:".contains(character))
                    ? character : "_"
            } as [Character])
        if name.first?.isNumber ?? true { name = "_" + name }
        let ending =
            switch kind {
            case .counter: "_total"
            case .timer: "_seconds"
            case .gauge, .histogram: ""
            }
        return name.hasSuffix(ending) ? name : name + ending
    }

    /// Formats the labels as they appear between the braces.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { key, value in
            let escaped = value.unicodeScalars.reduce(into: "") { text, scalar in
                switch scalar {
                case "\\": text += "\\\\"
                case "\"": text += "\\\""
                case "\n": text += "\\n"
                default: text.unicodeScalars.append(scalar)
                }
            }
            let name = String(
                key.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" } as [Character])
            return "\(name.first?.isNumber ?? true ? "_" : "")\(name)=\"\(escaped)\""
        }.joined(separator: ",")
    }

    // MARK: MetricsFactory

    /// Creates a counter, whose name ends in `_total`.
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(.counter, label, dimensions)
    }

    /// Creates a counter of fractions.
    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(.counter, label, dimensions)
    }

    /// Creates a gauge.
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(.gauge, label, dimensions)
    }

    /// Creates a histogram if it aggregates, otherwise a gauge.
    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        series(aggregate ? .histogram : .gauge, label, dimensions)
    }

    /// Creates a histogram in seconds.
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(.timer, label, dimensions)
    }

    // Series are kept, because Prometheus would take the end of one for a restart.
    /// Does nothing.
    func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing.
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing.
    func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing.
    func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing.
    func destroyTimer(_ handler: any TimerHandler) {}
}
