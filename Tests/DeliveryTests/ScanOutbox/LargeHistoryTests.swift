import BarcodeCore
import FoundationEssentials
import GRDB
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// A history of QUIETZONE_HISTORY events: interactive queries are fast enough for typing.
@Suite(.timeLimit(.minutes(60))) struct LargeHistoryTests {
    private static let count = ProcessInfo.processInfo.environment["QUIETZONE_HISTORY"].flatMap { Int($0) }
    /// The maximum duration of a query, if it is measured.
    private static let longest: Duration = .milliseconds(50)

    private static func text(_ number: Int) -> String {
        switch number % 5 {
        case 0: "ORDER-2026-\(String(String(10_000_000 + number).dropFirst()))"
        case 1: String(4_006_381_000_000 + number * 7919 % 1_000_000)
        case 2:
            "https://example.org/item/\(String(number &* 2_654_435_761 % 4_294_967_296, radix: 16))?lot=\(number % 997)"
        case 3: "条码\(number)号"
        default: "0109501101530003172706301\(number % 99_999)\u{1D}21\(String(number, radix: 16))"
        }
    }

    @Test func searchesAreAnswered() async throws {
        let count = Self.count ?? 2000
        let box = try TestOutbox()
        let start = HistoryTests.start
        for first in stride(from: 0, to: count, by: 2000) {
            let events = (first..<min(first + 2000, count)).map { number in
                var event = ScanEvent.test(Self.text(number), symbology: .qrCode, at: start + Double(number))
                event.operator = "person \(number % 20)"
                event.place = "ward-\(number % 50)"
                return event
            }
            try await box.outbox.store(events, for: [Destination(name: "his")])
        }
        // Nearly all are delivered.
        try await box.outbox.change {
            try $0.database.execute(
                sql: "UPDATE delivery SET state = CASE WHEN event % ? = 3 THEN 2 ELSE 1 END",
                arguments: [count / 100 + 1])
        }
        func query(_ change: (inout HistoryQuery) -> Void) -> HistoryQuery {
            var query = HistoryQuery(limit: 50)
            query.newestFirst = true
            change(&query)
            return query
        }
        let day = (start + 1000, start + 1600)
        let cases: [(String, HistoryQuery)] = [
            ("the newest", query { _ in }),
            ("a frequent part", query { $0.text = .containing("order") }),
            ("one order", query { $0.text = .containing("2026-0001000") }),
            ("none", query { $0.text = .containing("zzzz") }),
            ("Chinese", query { $0.text = .containing("条码1") }),
            ("part of a link", query { $0.text = .containing("ORG/ITEM/1") }),
            ("zeros", query { $0.text = .containing("0000") }),
            (
                "a part in some minutes long ago",
                query { ($0.text, $0.since, $0.until) = (.containing("order"), day.0, day.1) }
            ),
            ("a person", query { $0.operator = "person 7" }),
            ("a place and a part", query { ($0.text, $0.place) = (.containing("order"), "ward-10") }),
            ("nobody and a part", query { ($0.text, $0.operator) = (.containing("2026-0"), "nobody") }),
            (
                "a busy person and a part that others read",
                query {
                    ($0.text, $0.operator) = (.containing("2026-0"), "person 7")
                }
            ),
            ("another kind and a part", query { ($0.text, $0.symbology) = (.containing("2026-0"), .aztec) }),
            ("a person and a place that never met", query { ($0.operator, $0.place) = ("person 7", "ward-10") }),
            ("a letter", query { $0.text = .containing("o") }),
            ("a digit", query { $0.text = .containing("0") }),
            ("two Chinese letters", query { $0.text = .containing("条码") }),
            ("two letters that nothing has", query { $0.text = .containing("zz") }),
            ("a digit that somebody never read", query { ($0.text, $0.operator) = (.containing("号"), "person 7") }),
            ("given up, and a part", query { ($0.text, $0.state) = (.containing("order"), .dead) }),
            ("given up, and a letter", query { ($0.text, $0.state) = (.containing("o"), .dead) }),
            ("none that waits, and a part", query { ($0.text, $0.state) = (.containing("order"), .pending) }),
            ("given up, by a person", query { ($0.operator, $0.state) = ("person 7", .dead) }),
            ("given up, of a kind", query { ($0.symbology, $0.state) = (.qrCode, .dead) }),
            (
                "delivered, of a person and a kind",
                query {
                    ($0.operator, $0.symbology, $0.state) = ("person 7", .qrCode, .delivered)
                }
            ),
            ("none that waits, by a beginning", query { ($0.text, $0.state) = (.beginning("ORDER-2026-0"), .pending) }),
            ("delivered, and a part", query { ($0.text, $0.state) = (.containing("order"), .delivered) }),
            ("a beginning", query { $0.text = .beginning("ORDER-2026-00010") }),
        ]
        for (label, query) in cases {
            var times: [Duration] = []
            var found = 0
            for _ in 0..<5 {
                let clock = ContinuousClock.now
                found = try await box.outbox.history(query).count
                times.append(clock.duration(to: .now))
            }
            let isNothing = ["none", "nobody", "others", "another", "never", "nothing"].contains { label.contains($0) }
            #expect((found > 0) == !isNothing, "\(label)")
            guard Self.count != nil else { continue }
            let median = times.sorted()[2]
            print("\(count) events, \(label): \(median), \(found) found")
            #expect(median < Self.longest, "\(label)")
        }
    }
}
