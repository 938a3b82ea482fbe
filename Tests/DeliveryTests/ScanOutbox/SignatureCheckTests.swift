import BarcodeCore
import FoundationEssentials
import ScanEvents
import SymbolContent
import TestSupport
import Testing

@testable import ScanOutbox

/// The signature of a message is checked when it is scanned, and the result is stored with the event.
@Suite struct SignatureCheckTests {
    private static let seal = ScannedSymbol(
        symbology: .qrCode, text: String(decoding: SealSpecimen.bytes, as: UTF8.self), bytes: SealSpecimen.bytes)

    private func event(_ symbol: ScannedSymbol, keys: SigningKeys?, in test: TestOutbox) async throws -> ScanEvent {
        let intake = ScanIntake(outbox: test.outbox, station: "desk", destinations: [], signingKeys: keys)
        let submission = ScanSubmission(symbols: [symbol], source: ScanSource(kind: .upload))
        let id = try #require(try await intake.accept([submission]).first?.id)
        return try #require(try await test.outbox.event(id)?.event)
    }

    @Test("A confirmed signature is stored with its key, is content, and stays when the message is removed")
    func confirmed() async throws {
        let test = try TestOutbox()
        let keys = try SigningKeys(folder: Array("\(ProgramRunner.samplesFolder)seal-keys".utf8))
        let event = try await event(Self.seal, keys: keys, in: test)
        #expect(event.signature == SignatureCheck(.valid, signedBy: "DETS-32.pem"))
        #expect(event.parsedContent?["signature"] == "valid" && event.parsedContent?["signed_by"] == "DETS-32.pem")
        let withheld = event.withholdingPersonal()
        #expect(withheld.symbol.bytes.isEmpty && withheld.signature == event.signature)
        #expect(try EventFilter(content: [ContentCondition("digital_seal.signature=^valid$")]).admits(event))
        try test.outbox.close()
    }

    @Test("A message over several symbols is checked when it is complete")
    func split() async throws {
        let folder = try TemporaryFolder()
        let outbox = try Outbox(path: folder.path + "/outbox.sqlite") { parts in
            ScannedSymbol(symbology: .qrCode, text: "", bytes: parts.flatMap(\.bytes))
        }
        let keys = try SigningKeys(folder: Array("\(ProgramRunner.samplesFolder)seal-keys".utf8))
        let intake = ScanIntake(outbox: outbox, station: "desk", destinations: [], signingKeys: keys)
        for (index, bytes) in [SealSpecimen.bytes.prefix(40), SealSpecimen.bytes.dropFirst(40)].enumerated() {
            var symbol = ScannedSymbol(symbology: .qrCode, text: "", bytes: Array(bytes))
            symbol.structuredAppend = MessagePart(index: index, count: 2, parity: 7)
            _ = try await intake.accept([ScanSubmission(symbols: [symbol], source: ScanSource(kind: .upload))])
        }
        let events = try await outbox.events(after: nil, limit: 10).map(\.event)
        #expect(events.map(\.signature) == [nil, nil, SignatureCheck(.valid, signedBy: "DETS-32.pem")])
        try outbox.close()
    }

    @Test("A changed message is not confirmed, plain text and a station without keys have no result")
    func others() async throws {
        let test = try TestOutbox()
        let keys = try SigningKeys(folder: Array("\(ProgramRunner.samplesFolder)seal-keys".utf8))
        var changed = Self.seal
        // A letter of the address.
        changed.bytes[30] ^= 1
        let event = try await event(changed, keys: keys, in: test)
        #expect(event.signature == SignatureCheck(.notConfirmed))
        #expect(event.parsedContent?["signature"] == "not_confirmed" && event.parsedContent?["signed_by"] == nil)
        let plain = ScannedSymbol(symbology: .qrCode, text: "plain", bytes: Array("plain".utf8))
        #expect(try await self.event(plain, keys: keys, in: test).signature == nil)
        let unchecked = try await self.event(Self.seal, keys: nil, in: test)
        #expect(unchecked.signature == nil && unchecked.parsedContent?["signature"] == nil)
        try test.outbox.close()
    }
}
