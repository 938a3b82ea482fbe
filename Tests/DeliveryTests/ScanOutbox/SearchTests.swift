import BarcodeCore
import FoundationEssentials
import GRDB
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// Full-text search: its results, deletion, and the index of an older outbox.
@Suite(.timeLimit(.minutes(10))) struct SearchTests {
    private static let start = HistoryTests.start

    private static let texts = [
        "ORDER-2024-0815", "order-2024-0816", "条码与二维码：你好", "Straße ÄÖÜ", "a \"quoted\" text", "a\u{0}hidden",
        "50% off*",
        "01095011015300031726063010AB\u{1D}21X", "MECARD:N:Doe,Jane;TEL:+4912345678;;", "",
    ]

    private func filled() async throws -> TestOutbox {
        let box = try TestOutbox()
        for (index, text) in Self.texts.enumerated() {
            var event = ScanEvent.test(
                text, symbology: index % 2 == 0 ? .qrCode : .code128, at: Self.start + Double(index))
            event.operator = index < 2 ? "Anna" : nil
            event.place = index % 3 == 0 ? "ward-3" : "ward-4"
            try await box.outbox.store([event], for: [])
        }
        return box
    }

    @Test func whatIsFound() async throws {
        let box = try await filled()
        let texts = Self.texts
        let cases: [(String, [Int])] = [
            ("order", [1, 0]), ("2024-08", [1, 0]), ("0815", [0]), ("DER-2024-0816", [1]), ("二维码", [2]), ("二维", [2]),
            ("码", [2]), ("straße äöü", [3]), ("\"quoted\"", [4]), ("\"", [4]), ("50% OFF*", [6]), ("%", [6]),
            ("OFF", [6]), ("ab\u{1D}21x", [7]), ("Jane", []), ("Ja", []), ("zzz", []), ("zz", []), ("AND", []),
            ("or", [1, 0]), ("AB", [7]), ("5", [7, 6, 0]), ("16", [1]), ("x", [7, 4]), ("Ü", [3]), ("öÜ", [3]),
            ("二", [2]),
            ("好", [2]), ("你好", [2]), ("a", [7, 5, 4, 3]), ("T", [4, 3]),
        ]
        for (part, expected) in cases {
            var query = HistoryQuery(text: .containing(part))
            query.newestFirst = true
            let found = try await box.outbox.history(query).map { $0.event.symbol.text }
            #expect(found == expected.map { texts[$0] }, "\(part)")
            // Paging gives the same results.
            var pages: [String] = []
            query.limit = 1
            while let record = try await box.outbox.history(query).first {
                pages.append(record.event.symbol.text)
                query.before = record.event.id
            }
            #expect(pages == found, "\(part)")
        }
    }

    /// SQLite takes the quotation mark for one, although it and the combining mark are one `Character`.
    @Test func aQuotationMarkWithACombiningMark() async throws {
        let box = try TestOutbox()
        try await box.outbox.store([ScanEvent.test("a\"\u{338} OR b")], for: [])
        for (part, count) in [("\"\u{338} OR", 1), ("\"\u{338} AND", 0)] {
            #expect(try await box.outbox.history(HistoryQuery(text: .containing(part))).count == count)
        }
    }

    @Test func togetherWithOtherConditions() async throws {
        let box = try await filled()
        func found(_ change: (inout HistoryQuery) -> Void) async throws -> [Int] {
            var query = HistoryQuery()
            query.newestFirst = true
            change(&query)
            return try await box.outbox.history(query).compactMap { Self.texts.firstIndex(of: $0.event.symbol.text) }
        }
        #expect(try await found { ($0.text, $0.operator) = (.containing("order"), "Anna") } == [1, 0])
        #expect(try await found { ($0.text, $0.place) = (.containing("order"), "ward-3") } == [0])
        #expect(try await found { ($0.text, $0.symbology) = (.containing("or"), .code128) } == [1])
        #expect(try await found { ($0.text, $0.since) = (.containing("order"), Self.start + 1) } == [1])
        #expect(try await found { ($0.text, $0.until) = (.containing("order"), Self.start + 1) } == [0])
        #expect(try await found { ($0.text, $0.until) = (.containing("order"), Self.start) } == [])
        #expect(try await found { ($0.text, $0.state) = (.containing("order"), .dead) } == [])
        #expect(try await found { $0.operator = "Anna" } == [1, 0])
        #expect(try await found { $0.place = "ward-3" } == [9, 6, 3, 0])
        #expect(try await found { ($0.operator, $0.place) = ("Anna", "ward-4") } == [1])
        #expect(try await found { $0.operator = "anna" } == [])
        #expect(try await found { ($0.text, $0.operator) = (.containing("order"), "anna") } == [])
        #expect(try await found { ($0.text, $0.operator) = (.containing("o"), "Anna") } == [1, 0])
        #expect(try await found { ($0.text, $0.place, $0.operator) = (.containing("0"), "ward-4", "Anna") } == [1])
        #expect(try await found { ($0.text, $0.place) = (.containing("0"), "") } == [])
        let record = try await box.outbox.history(HistoryQuery(text: .exactly("ORDER-2024-0815"))).first
        #expect(record?.event.operator == "Anna" && record?.event.place == "ward-3")
    }

    @Test func anIndexAnswers() async throws {
        let box = try TestOutbox()
        var byOperator = HistoryQuery()
        byOperator.operator = "x"
        byOperator.newestFirst = true
        var byPlace = HistoryQuery(symbology: .qrCode)
        byPlace.place = "x"
        byPlace.newestFirst = true
        var byBoth = byOperator
        byBoth.place = "x"
        let cases: [(HistoryQuery, String)] = [
            (HistoryQuery(text: .containing("abc")), "VIRTUAL TABLE INDEX"),
            (HistoryQuery(since: Self.start, text: .containing("abc"), symbology: .qrCode), "VIRTUAL TABLE INDEX"),
            (HistoryQuery(text: .containing("a")), "VIRTUAL TABLE INDEX"),
            (byOperator, "event_operator"), (byPlace, "event_place"), (byBoth, "event_reader"),
        ]
        for (query, index) in cases {
            let plan = try await box.outbox.commits.read { database in
                let (sql, arguments) = try HistoryStatement(query, in: database).sql.build(database)
                return try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
                    .map { $0["detail"] as String }
            }
            #expect(plan.first?.contains(index) == true, "\(query): \(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(query): \(plan)")
        }
        let options = try await box.outbox.read { try String.fetchAll($0, sql: "PRAGMA compile_options") }
        #expect(options.contains("ENABLE_FTS5"))
    }

    /// Returns the terms in the index, of all rows.
    private func terms(_ outbox: Outbox) async throws -> Set<String> {
        try await outbox.read { Set(try String.fetchAll($0, sql: "SELECT term FROM event_terms")) }
    }

    @Test func whatIsDeletedIsFoundNoMore() async throws {
        let box = try await filled()
        #expect(try await terms(box.outbox).isSuperset(of: ["ord", "081", "二维码"]))
        let query = HistoryQuery(text: .containing("order"))
        #expect(try await box.outbox.history(query).count == 2)
        #expect(try await box.outbox.prune(Retention(age: .seconds(0), count: nil), now: Self.start + 1.5) == 2)
        #expect(try await box.outbox.history(query).isEmpty)
        #expect(try await !terms(box.outbox).contains("ord"))
        // The row number of a deleted event is reused.
        try await box.outbox.store([.test("border", at: Self.start + 50)], for: [])
        #expect(try await box.outbox.history(query).map { $0.event.symbol.text } == ["border"])
        #expect(try await box.outbox.verify() == [])
    }

    /// Even the trigrams must not exist: a text could be reconstructed from them.
    @Test func whatIsPersonalNeverEnters() async throws {
        let box = try await filled()
        #expect(try await terms(box.outbox).isDisjoint(with: ["jan", "ane", "doe", "491", "mec"]))
        _ = try await box.outbox.withholdPersonal(
            Retention(age: nil, count: nil, withholdsUnsent: true), now: Self.start + 100)
        #expect(try await terms(box.outbox).isDisjoint(with: ["jan", "ane", "doe", "491", "mec"]))
        #expect(try await terms(box.outbox).contains("ord"))
    }

    /// Converts the outbox to an older version: no index, and no columns for operator and place.
    static func takeBack(_ outbox: Outbox) async throws {
        try await outbox.change { transaction in
            try transaction.database.execute(
                sql: """
                    DROP TRIGGER event_search_insert; DROP TRIGGER event_search_delete;
                    DROP TRIGGER event_search_looked; DROP TABLE event_terms; DROP TABLE event_search;
                    DROP INDEX event_operator; DROP INDEX event_place; DROP INDEX event_reader;
                    ALTER TABLE event DROP COLUMN operator; ALTER TABLE event DROP COLUMN place;
                    DELETE FROM grdb_migrations WHERE identifier IN ('4', '5');
                    """)
        }
    }

    @Test func anOlderOutboxKeepsItsDataAndIsSearched() async throws {
        let folder = try TemporaryFolder()
        let path = folder["outbox.sqlite"]
        let events = (0..<3000).map { index in
            ScanEvent.test(
                index % 10 == 0 ? "MECARD:N:Doe,Jane\(index);;" : "order \(index)", symbology: .qrCode,
                at: Self.start + Double(index))
        }
        do {
            let outbox = try Outbox(path: path)
            try await outbox.store(events, for: [Destination(name: "his")])
            try await Self.takeBack(outbox)
            try outbox.close()
        }
        let outbox = try Outbox(path: path)
        #expect(Set(try await outbox.history(HistoryQuery(limit: 4000)).map(\.event)) == Set(events))
        #expect(try await outbox.status().destinations["his"]?.counts == [.pending: 3000])
        let found = try await outbox.history(HistoryQuery(text: .containing("DER 29"), limit: 4000))
        #expect(found.count == events.count { $0.symbol.text.contains("der 29") })
        #expect(try await outbox.history(HistoryQuery(text: .containing("Jane"))).isEmpty)
        #expect(try await terms(outbox).isDisjoint(with: ["jan", "doe"]))
        try await outbox.store([.test("order later", at: Self.start + 9000)], for: [])
        #expect(try await outbox.history(HistoryQuery(text: .containing("later"))).count == 1)
        #expect(try await outbox.verify() == [])
    }

    /// For any order of storing and deleting, the search finds the existing events.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func searchesFindWhatIsThere(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let box = try TestOutbox()
        var texts: [(text: String, time: Date)] = []
        let letters = ["a", "B", "b", "é", "É", "码", " ", "-", "\"", "*"]
        for step in 0..<120 {
            let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                letters[Int.random(in: 0..<letters.count, using: &random)]
            }.joined()
            let time = Self.start + Double(step)
            texts.append((text, time))
            try await box.outbox.store([.test(text, at: time)], for: [])
            if step % 40 == 39 {
                let cutoff = Self.start + Double(step - 25)
                try await box.outbox.prune(Retention(age: .seconds(0), count: nil), now: cutoff)
                texts.removeAll { $0.time < cutoff }
            }
        }
        for _ in 0..<40 {
            let part = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                letters[Int.random(in: 0..<letters.count, using: &random)]
            }.joined()
            let found = try await box.outbox.history(HistoryQuery(text: .containing(part), limit: 1000))
            let expected = texts.reversed().map(\.text).filter { $0.lowercased().contains(part.lowercased()) }
            #expect(found.map { $0.event.symbol.text } == expected, "seed \(seed), \"\(part)\"")
        }
    }
}

/// A random number generator with a seed (SplitMix64).
private struct SeededRandom: RandomNumberGenerator {
    var seed: UInt64

    mutating func next() -> UInt64 {
        seed &+= 0x9E37_79B9_7F4A_7C15
        var value = seed
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
