import BarcodeCore
import Foundation
import Testing

@testable import ResultDispatch

/// What sources hand in, and the tables that the docs repeat.
@Suite struct SightingTests {
    /// A source that nobody knows yet: a scale that says its weight.
    @Test func aSourceFromOutside() async throws {
        let test = try TestOutbox()
        let outbox = test.outbox
        let intake = ScanIntake(outbox: outbox, station: "ward-3", destinations: [])
        let weight = ScannedSymbol(format: Symbology(rawValue: "weight"), text: "72.4 kg", bytes: Array("72.4 kg".utf8))
        let events = try await intake.accept([
            ScanSighting(symbols: [weight], source: ScanSource(kind: .device, name: "scale"))
        ])
        #expect(events.map(\.symbol) == [weight])
        #expect(events.map(\.source) == [ScanSource(kind: .device, name: "scale")])
        #expect(try await outbox.events(after: nil, limit: 10).map(\.event) == events)
        try outbox.close()
    }

    /// The table of docs/delivery.md names the keys of a destination, and no others.
    @Test func docsNameTheKeysOfDestinations() throws {
        let root = #filePath.dropLast("Tests/ResultDispatchTests/SightingTests.swift".count)
        let text = try String(contentsOfFile: root + "docs/delivery.md", encoding: .utf8)
        let table = try #require(text.range(of: "| `type` |"))
        let rows = text[table.lowerBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.hasPrefix("|") }
        let named = rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: "`").map(String.init).filter { $0.first?.isLetter == true }
        }
        #expect(Set(named) == Set(DestinationKey.forms.keys))
    }
}
