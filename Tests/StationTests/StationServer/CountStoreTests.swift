import BarcodeCore
import FoundationEssentials
import ScanEvents
import ScanOutbox
import TestSupport
import Testing

@testable import StationServer

/// Compares the sums of a count with those of a list in memory.
@Suite(.timeLimit(.minutes(10))) struct CountStoreTests {
    private struct Entry: Equatable {
        var text: String
        var quantity: Int
    }

    /// Returns the lines for the entries, in the order in which their codes first came.
    private static func lines(of entries: [Entry]) -> [CountedLines.Line] {
        var lines: [CountedLines.Line] = []
        for entry in entries {
            if let place = lines.firstIndex(where: { $0.text == entry.text }) {
                lines[place].quantity += entry.quantity
            } else {
                lines.append(CountedLines.Line(format: "qr_code", text: entry.text, quantity: entry.quantity))
            }
        }
        return lines.filter { $0.quantity != 0 }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func sumsAreThoseOfTheEntries(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let box = try TestOutbox()
        let counts = try CountStore(box.outbox)
        for round in 0..<3 {
            let number = try #require(try await counts.open(name: "", now: Date()))
            var entries: [Entry] = []
            for step in 0..<120 {
                let text = String(Int.random(in: 0..<6, using: &random))
                let comment: Comment = "seed \(seed), round \(round), step \(step)"
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    #expect(try await counts.undo(number) == !entries.isEmpty, comment)
                    _ = entries.popLast()
                case 1:
                    let quantity = Int.random(in: 0...3, using: &random)
                    let line = CountedLines.Line(format: "qr_code", text: text, quantity: quantity)
                    let isKnown = entries.contains { $0.text == text }
                    #expect(try await counts.set(line, of: number, now: Date()) == isKnown, comment)
                    let before = entries.filter { $0.text == text }.reduce(0) { $0 + $1.quantity }
                    if isKnown, quantity != before { entries.append(Entry(text: text, quantity: quantity - before)) }
                default:
                    let symbol = ScannedSymbol(symbology: .qrCode, text: text, bytes: Array(text.utf8))
                    try await counts.add(repeated: [symbol], now: Date())
                    entries.append(Entry(text: text, quantity: 1))
                }
                let lines = Self.lines(of: entries)
                let record = try #require(try await counts.record(number))
                #expect(try await counts.lines(of: number) == lines, comment)
                #expect(record.total == lines.reduce(0) { $0 + $1.quantity }, comment)
                #expect(record.codes == lines.count && record.canUndo == !entries.isEmpty, comment)
            }
            let isClosed = try await box.outbox.change {
                try CountStore.close(number, event: nil, now: Date(), in: $0.database)
            }
            #expect(isClosed)
            counts.noteClosed(number)
            #expect(try await counts.lines(of: number) == Self.lines(of: entries))
        }
    }
}
