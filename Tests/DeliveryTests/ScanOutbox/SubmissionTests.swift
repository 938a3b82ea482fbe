import BarcodeCore
import FoundationEssentials
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// Submissions of different sources.
@Suite struct SubmissionTests {
    /// A new kind of source: a scale with a weight.
    @Test func aSourceFromOutside() async throws {
        let test = try TestOutbox()
        let outbox = test.outbox
        let intake = ScanIntake(outbox: outbox, station: "ward-3", destinations: [])
        let weight = ScannedSymbol(
            symbology: Symbology(rawValue: "weight"), text: "72.4 kg", bytes: Array("72.4 kg".utf8))
        let events = try await intake.accept([
            ScanSubmission(symbols: [weight], source: ScanSource(kind: .device, name: "scale"))
        ])
        #expect(events.map(\.symbol) == [weight])
        #expect(events.map(\.source) == [ScanSource(kind: .device, name: "scale")])
        #expect(try await outbox.events(after: nil, limit: 10).map(\.event) == events)
        try outbox.close()
    }
}
