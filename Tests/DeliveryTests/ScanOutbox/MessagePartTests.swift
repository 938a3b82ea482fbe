import BarcodeCore
import FoundationEssentials
import GRDB
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// Messages that are spread over several symbols.
@Suite struct MessagePartTests {
    /// Joins texts, unless one of them asks not to be joined.
    private static let join: MessageJoiner = { parts in
        let text = parts.map(\.text).joined()
        return text.contains("!")
            ? nil : ScannedSymbol(symbology: parts[0].symbology, text: text, bytes: Array(text.utf8))
    }

    /// Returns the symbol with a text, such as "a" as number 0 of 3.
    private static func symbol(
        _ text: String, _ index: Int, of count: Int?, parity: Int? = 7, identifier: String? = nil,
        _ symbology: Symbology = .qrCode
    ) -> ScannedSymbol {
        var symbol = ScannedSymbol(symbology: symbology, text: text, bytes: Array(text.utf8))
        symbol.structuredAppend = MessagePart(index: index, count: count, parity: parity, identifier: identifier)
        return symbol
    }

    /// A case: the submissions in their order, the missing indices that each symbol's event has, and the joined texts.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var submissions: [[ScannedSymbol]]
        var missing: [[Int]?]
        var joined: [String]
    }

    static let cases = [
        Case(
            testDescription: "three pictures, in any order",
            submissions: [[symbol("c", 2, of: 3)], [symbol("a", 0, of: 3)], [symbol("b", 1, of: 3)]],
            missing: [[0, 1], [1], []], joined: ["abc"]),
        Case(
            testDescription: "all in one picture",
            submissions: [[symbol("b", 1, of: 2), symbol("a", 0, of: 2)]], missing: [[], []], joined: ["ab"]),
        Case(
            testDescription: "a part twice",
            submissions: [[symbol("a", 0, of: 2)], [symbol("a", 0, of: 2)], [symbol("b", 1, of: 2)]],
            missing: [[1], [1], []], joined: ["ab"]),
        Case(
            testDescription: "the same message again",
            submissions: [
                [symbol("a", 0, of: 2), symbol("b", 1, of: 2)], [symbol("a", 0, of: 2)], [symbol("b", 1, of: 2)],
            ], missing: [[], [], [1], []], joined: ["ab", "ab"]),
        Case(
            testDescription: "messages with different parities",
            submissions: [[symbol("a", 0, of: 2)], [symbol("y", 1, of: 2, parity: 8)], [symbol("b", 1, of: 2)]],
            missing: [[1], [0], []], joined: ["ab"]),
        Case(
            testDescription: "of two that contradict each other in one picture neither is taken",
            submissions: [[symbol("a", 0, of: 2), symbol("x", 0, of: 2), symbol("b", 1, of: 2)]],
            missing: [[], [], []], joined: []),
        Case(
            testDescription: "symbols that name no message are joined within one picture",
            submissions: [[symbol("a", 0, of: 2, parity: nil, .aztec), symbol("b", 1, of: 2, parity: nil, .aztec)]],
            missing: [[], []], joined: ["ab"]),
        Case(
            testDescription: "symbols that name no message may belong to different ones",
            submissions: [[symbol("a", 0, of: 2, parity: nil, .aztec)], [symbol("b", 1, of: 2, parity: nil, .aztec)]],
            missing: [[1], [0]], joined: []),
        Case(
            testDescription: "a PDF417 of which only the last symbol states their number",
            submissions: [
                [symbol("a", 0, of: nil, parity: nil, identifier: "009", .pdf417)],
                [symbol("b", 1, of: 2, parity: nil, identifier: "009", .pdf417)],
            ], missing: [nil, []], joined: ["ab"]),
        Case(
            testDescription: "what gives no message",
            submissions: [[symbol("a!", 0, of: 2)], [symbol("b", 1, of: 2)]], missing: [[1], []], joined: []),
        Case(
            testDescription: "an index or a number that no symbology has",
            submissions: [
                [symbol("a", 100_000, of: nil)], [symbol("a", -1, of: 2)], [symbol("a", 0, of: 1 << 40)],
                [symbol("a", 0, of: -1)],
            ],
            missing: [nil, nil, nil, nil], joined: []),
        Case(
            testDescription: "ten thousand symbols",
            submissions: [[symbol("a", 3, of: 10_000)]],
            missing: [Array(0...2) + Array(4...100)], joined: []),
    ]

    @Test(arguments: cases) func joins(_ test: Case) async throws {
        let folder = try TemporaryFolder()
        let path = folder["outbox.sqlite"]
        var missing: [[Int]?] = []
        for symbols in test.submissions {
            // Each time after a restart.
            let outbox = try Outbox(path: path, joining: Self.join)
            let intake = ScanIntake(outbox: outbox, station: "office", destinations: [Destination(name: "his")])
            let submission = ScanSubmission(symbols: symbols, source: ScanSource(kind: .folder, name: "scan.png"))
            let events = try await intake.accept([submission])
            #expect(events.map(\.symbol.text) == symbols.map(\.text))
            missing += events.map(\.symbol.structuredAppend?.missing)
            try outbox.close()
        }
        #expect(missing == test.missing)
        let outbox = try Outbox(path: path, joining: Self.join)
        let events = try await outbox.events(after: nil, limit: 100)
        #expect(events.count == test.submissions.joined().count + test.joined.count)
        let whole = events.filter { $0.event.symbol.joined != nil }
        #expect(whole.map(\.event.symbol.text) == test.joined)
        for record in whole {
            #expect(record.event.symbol.joined == record.event.symbol.text.count)
            #expect(record.event.symbol.structuredAppend == nil)
            #expect(record.event.source == ScanSource(kind: .folder, name: "scan.png"))
            #expect(record.deliveries.map(\.destination) == ["his"])
        }
        #expect(try await outbox.verify() == [])
        try outbox.close()
    }

    /// A symbol waits for an hour for the others, and is then no longer kept beside its event.
    @Test func aSymbolDoesNotWaitForever() async throws {
        for (wait, isJoined) in [(3590.0, true), (3610, false)] {
            let folder = try TemporaryFolder()
            let outbox = try Outbox(path: folder["outbox.sqlite"], joining: Self.join)
            let intake = ScanIntake(outbox: outbox, station: "office", destinations: [])
            let start = Date(milliseconds: 1_700_000_000_000)
            let parts = [Self.symbol("a", 0, of: 2), Self.symbol("b", 1, of: 2)]
            for (index, part) in parts.enumerated() {
                let submission = ScanSubmission(symbols: [part], source: ScanSource(kind: .upload))
                _ = try await intake.accept([submission], at: start + Double(index) * wait)
            }
            let events = try await outbox.events(after: nil, limit: 100)
            #expect(events.contains { $0.event.symbol.text == "ab" } == isJoined, "after \(wait) s")
            let kept = try await outbox.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM part") }
            #expect(kept == (isJoined ? 0 : 1))
            try await outbox.prune(Retention(age: nil, count: nil), now: start + wait + 3610)
            #expect(try await outbox.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM part") } == 0)
            try outbox.close()
        }
    }

    @Test func aDestinationMayGetWholeMessagesOnly() async throws {
        let folder = try TemporaryFolder()
        let outbox = try Outbox(path: folder["outbox.sqlite"], joining: Self.join)
        var whole = Destination(name: "whole")
        whole.filter.acceptsParts = false
        let intake = ScanIntake(outbox: outbox, station: "office", destinations: [Destination(name: "all"), whole])
        let plain = ScannedSymbol(symbology: .qrCode, text: "p", bytes: [0x70])
        _ = try await intake.accept([
            ScanSubmission(
                symbols: [Self.symbol("a", 0, of: 2), Self.symbol("b", 1, of: 2), plain],
                source: ScanSource(kind: .upload))
        ])
        let got = try await outbox.events(after: nil, limit: 100).filter { record in
            record.deliveries.contains { $0.destination == "whole" }
        }
        #expect(Set(got.map(\.event.symbol.text)) == ["ab", "p"])
        try outbox.close()
    }

    /// If an event cannot be stored, its symbol does not count as read.
    @Test func aSymbolThatIsNotStoredIsStillMissing() async throws {
        let folder = try TemporaryFolder()
        let outbox = try Outbox(path: folder["outbox.sqlite"], joining: Self.join)
        let first = ScanEvent.test("a", symbology: .qrCode)
        var (part, other) = (first, ScanEvent.test("b", symbology: .qrCode))
        part.symbol = Self.symbol("a", 0, of: 2)
        other.symbol = Self.symbol("b", 1, of: 2)
        try await outbox.store([first], for: [])
        // Its identifier is taken.
        await #expect(throws: OutboxError.self) { try await outbox.store([part], for: []) }
        let stored = try await outbox.store([try OutboxEntry(other, for: [])])
        #expect(stored.map(\.symbol.structuredAppend?.missing) == [[0]])
        try outbox.close()
    }
}
