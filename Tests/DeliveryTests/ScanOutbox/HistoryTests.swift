import BarcodeCore
import FoundationEssentials
import GRDB
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// Queries of the history: their results, and their use of an index.
@Suite(.timeLimit(.minutes(10))) struct HistoryTests {
    static let start = Date(milliseconds: 1_800_000_000_000)

    static func filled() async throws -> TestOutbox {
        let box = try TestOutbox()
        let texts = ["apple", "apple pie", "appl", "banana", "a\u{0}b", "é", "\u{10FFFF}x", ""]
        for (index, text) in texts.enumerated() {
            let event = ScanEvent.test(
                text, symbology: index % 2 == 0 ? .qrCode : .code128, at: start + Double(index))
            try await box.outbox.store(
                [event], for: index < 4 ? [Destination(name: "his"), Destination(name: "log")] : [])
        }
        let claim = try #require(
            try await box.outbox.claim("his", limit: 1, now: start, lease: .seconds(60)).first)
        try await box.outbox.settle([Settlement(claim, state: .delivered, attemptedAt: start)])
        return box
    }

    @Test func whatIsFound() async throws {
        let box = try await Self.filled()
        let start = Self.start
        let cases: [(HistoryQuery, [String])] = [
            (HistoryQuery(), ["", "\u{10FFFF}x", "é", "a\u{0}b", "banana", "appl", "apple pie", "apple"]),
            (HistoryQuery(limit: 2), ["", "\u{10FFFF}x"]),
            (HistoryQuery(since: start + 3, until: start + 5), ["a\u{0}b", "banana"]),
            (HistoryQuery(text: .exactly("apple")), ["apple"]),
            (HistoryQuery(text: .exactly("a")), []),
            (HistoryQuery(text: .exactly("a\u{0}b")), ["a\u{0}b"]),
            (HistoryQuery(text: .beginning("appl")), ["appl", "apple", "apple pie"]),
            (HistoryQuery(text: .beginning("\u{10FFFF}")), ["\u{10FFFF}x"]),
            (HistoryQuery(text: .beginning("apple"), symbology: .code128), ["apple pie"]),
            (HistoryQuery(symbology: .code128), ["", "é", "banana", "apple pie"]),
            (HistoryQuery(state: .pending), ["banana", "appl", "apple pie", "apple"]),
            (HistoryQuery(state: .delivered), ["apple"]),
            (HistoryQuery(since: start + 1, until: start + 3, state: .pending), ["appl", "apple pie"]),
            (HistoryQuery(symbology: .code128, state: .pending), ["banana", "apple pie"]),
            (HistoryQuery(text: .beginning("b"), state: .pending), ["banana"]),
            (HistoryQuery(state: .dead), []),
        ]
        for (query, texts) in cases {
            #expect(try await box.outbox.history(query).map { $0.event.symbol.text } == texts, "\(query)")
        }
    }

    @Test func anIndexAnswersEachQuery() async throws {
        let box = try TestOutbox()
        let since = Self.start
        let cases: [(HistoryQuery, String)] = [
            (HistoryQuery(), "event_time"), (HistoryQuery(since: since), "event_time"),
            (HistoryQuery(since: since, until: since), "event_time"),
            (HistoryQuery(symbology: .qrCode), "event_format"),
            (HistoryQuery(since: since, symbology: .qrCode), "event_format"),
            (HistoryQuery(text: .exactly("x")), "event_text"), (HistoryQuery(text: .beginning("x")), "event_text"),
            (HistoryQuery(since: since, text: .beginning("x"), symbology: .qrCode), "event_text"),
            (HistoryQuery(state: .dead), "delivery_state"),
            (HistoryQuery(since: since, state: .dead), "delivery_state"),
            // A state of few deliveries is used as the index; one of many is not.
            (HistoryQuery(symbology: .qrCode, state: .dead), "delivery_state"),
            (HistoryQuery(symbology: .qrCode, state: .delivered), "event_format"),
            (HistoryQuery(text: .exactly("x"), state: .delivered), "event_text"),
        ]
        let destinations = (0..<110).map { Destination(name: "\($0)") }
        try await box.outbox.store((0..<100).map { ScanEvent.test("\($0)") }, for: destinations)
        try await box.outbox.change { try $0.database.execute(sql: "UPDATE delivery SET state = 1") }
        for (query, index) in cases {
            let plan = try await box.outbox.commits.read { database in
                let (sql, arguments) = try HistoryStatement(query, in: database).sql.build(database)
                return try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
                    .map { $0["detail"] as String }
            }
            #expect(plan.first?.contains("INDEX \(index)") == true, "\(query): \(plan)")
            // Rows are read in index order up to the limit; the matches are never all sorted.
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(query): \(plan)")
        }
    }

    @Test func exportsEverythingOnceInOrder() async throws {
        let box = try TestOutbox()
        // Many of the same millisecond, across the batches of a read.
        let events = (0..<2500).map { ScanEvent.test("\($0)", at: Self.start + Double($0 / 1500)) }
        try await box.outbox.store(events, for: [])
        var texts: [String] = []
        try await box.outbox.forEachEvent(since: nil, until: nil) { texts += $0.map { $0.event.symbol.text } }
        let expected = (0..<2500).map { String($0) }
        #expect(texts == expected)
        texts = []
        try await box.outbox.forEachEvent(since: Self.start + 1, until: nil) {
            texts += $0.map { $0.event.symbol.text }
        }
        #expect(texts.count == 1000)
    }
}
