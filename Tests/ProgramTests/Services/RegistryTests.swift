import CoreMetrics
import Testing

@testable import quietzone_server

/// The Prometheus text format.
@Suite struct RegistryTests {
    @Test func eachKindInItsForm() {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "scan.events", dimensions: [("to", "a")]).increment(by: 2)
        registry.makeCounter(label: "scan.events", dimensions: [("to", "a")]).increment(by: 1)
        registry.makeRecorder(label: "depth", dimensions: [], aggregate: false).record(Int64(7))
        registry.makeTimer(label: "took", dimensions: []).recordNanoseconds(3_000_000)
        registry.makeTimer(label: "took", dimensions: []).recordNanoseconds(120_000_000_000)
        let text = registry.text()
        #expect(text.contains("# TYPE scan_events_total counter\nscan_events_total{to=\"a\"} 3\n"))
        #expect(text.contains("# TYPE depth gauge\ndepth 7\n"))
        #expect(text.contains("# TYPE took_seconds histogram\ntook_seconds_bucket{le=\"0.001\"} 0\n"))
        #expect(text.contains("took_seconds_bucket{le=\"0.005\"} 1\n"))
        #expect(text.contains("took_seconds_bucket{le=\"60\"} 1\ntook_seconds_bucket{le=\"+Inf\"} 2\n"))
        #expect(text.contains("took_seconds_sum 120.003\ntook_seconds_count 2\n"))
    }

    @Test(arguments: [
        ("quotes", "a\"b", "l=\"a\\\"b\""), ("backslash", "a\\b", "l=\"a\\\\b\""), ("line feed", "a\nb", "l=\"a\\nb\""),
        ("any letter", "é仓", "l=\"é仓\""),
    ])
    func labelsAreEscaped(_ name: String, _ value: String, _ expected: String) {
        #expect(PrometheusRegistry.labels([("l", value)]) == expected)
    }

    @Test func aNameOfTwoKindsStaysValid() {
        let registry = PrometheusRegistry()
        registry.makeRecorder(label: "x_total", dimensions: [], aggregate: false).record(Int64(1))
        registry.makeCounter(label: "x", dimensions: []).increment(by: 5)
        let text = registry.text()
        #expect(text.contains("# TYPE x_total gauge\nx_total 1\n"))
        #expect(text.contains("# TYPE x_total_counter counter\nx_total_counter 5\n"))
    }

    @Test func seriesAreBounded() {
        let registry = PrometheusRegistry()
        for index in 0..<600 { registry.makeCounter(label: "c", dimensions: [("n", "\(index)")]).increment(by: 1) }
        let text = registry.text()
        #expect(
            text.split(separator: "\n").filter { $0.hasPrefix("c_total{") }.count == PrometheusRegistry.maximumSeries)
        #expect(text.contains("metrics_series_dropped_total 88\n"))
    }
}
