import BarcodeCore
import Dispatch
import FoundationEssentials
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// The detection of repetitions.
@Suite struct DeduplicationTests {
    @Test func repetitions() {
        func symbols(_ texts: String) -> [ScannedSymbol] {
            texts.map { ScannedSymbol(symbology: .qrCode, text: String($0), bytes: Array(String($0).utf8)) }
        }
        // The symbols in view, the seconds since the previous ones, the resulting events, and the number of
        // repetitions.
        let cases: [(DeduplicationPolicy, [(String, Double)], [String], Int)] = [
            (.none, [("ab", 0), ("a", 1), ("aa", 1)], ["ab", "a", "aa"], 0),
            (.window(.seconds(5)), [("ab", 0), ("a", 2), ("a", 2), ("a", 2), ("b", 0)], ["ab", "", "", "a", "b"], 2),
            (.window(.seconds(5)), [("aa", 0), ("a", -3600)], ["a", "a"], 1),
            (
                .untilGone, [("a", 0), ("ab", 100), ("b", 1), ("a", 1), ("", 1), ("a", 1)],
                ["a", "b", "", "a", "", "a"], 2
            ),
            (
                .untilUnseen(.seconds(5)), [("a", 0), ("ab", 4), ("b", 4), ("a", 1), ("aa", 4), ("b", 1)],
                ["a", "b", "", "a", "", "b"], 4
            ),
            (.untilUnseen(.seconds(5)), [("aa", 0), ("a", -3600)], ["a", "a"], 1),
        ]
        for (policy, looks, expected, dropped) in cases {
            var deduplicator = Deduplicator(policy)
            var time = Date(milliseconds: 0)
            var kept: [String] = []
            for (texts, wait) in looks {
                time += wait
                kept.append(deduplicator.deduplicate(symbols(texts), at: time).map(\.text).joined())
            }
            #expect(kept == expected, "\(policy)")
            #expect(deduplicator.dropped == dropped, "\(policy)")
        }
        // The same bytes in another symbology count as different content.
        var deduplicator = Deduplicator(.untilGone)
        let other = ScannedSymbol(symbology: .code128, text: "a", bytes: [0x61])
        #expect(deduplicator.deduplicate(symbols("a") + [other], at: Date(milliseconds: 0)).count == 2)
    }

    /// Two submissions at the same time, of which none can be stored.
    @Test(arguments: [DeduplicationPolicy.window(.seconds(60)), .untilUnseen(.seconds(60)), .untilGone])
    func whatCouldNotBeStoredIsNoRepetition(_ policy: DeduplicationPolicy) async throws {
        struct NoSpace: Error {}
        let box = try TestOutbox()
        let intake = ScanIntake(outbox: box.outbox, station: "s", destinations: [], policy: policy)
        func submission(_ texts: String...) -> ScanSubmission {
            let symbols = texts.map { ScannedSymbol(symbology: .qrCode, text: $0, bytes: Array($0.utf8)) }
            return ScanSubmission(symbols: symbols, source: ScanSource(kind: .file))
        }
        let gate = DispatchSemaphore(value: 0)
        func fail(_ submission: ScanSubmission, at time: Date) -> Task<Void, any Error> {
            Task {
                try await intake.accept(submission, at: time) { _, _ in
                    gate.wait()
                    gate.signal()
                    throw NoSpace()
                }
            }
        }
        // Each has a repetition, whose count says that it has been looked at.
        let one = fail(submission("one", "one"), at: Date(milliseconds: 0))
        #expect(await eventually { intake.dropped == 1 })
        let two = fail(submission("one", "two"), at: Date(milliseconds: 500))
        #expect(await eventually { intake.dropped == 2 })
        gate.signal()
        await #expect(throws: (any Error).self) { try await one.value }
        await #expect(throws: (any Error).self) { try await two.value }
        #expect(intake.dropped == 0)
        let events = try await intake.accept(
            [submission("one"), submission("two")], at: Date(milliseconds: 1000))
        #expect(events.map(\.symbol.text) == ["one", "two"])
        #expect(intake.dropped == 0)
    }
}
