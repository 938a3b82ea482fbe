import BarcodeCore
import FoundationEssentials
import GRDB
import Glibc
import ScanEvents
import SymbolContent
import TestSupport
import Testing

@testable import ScanOutbox

/// Personal messages: delivered completely, and erased afterwards.
@Suite(.timeLimit(.minutes(10))) struct PersonalTests {
    private static let card = "MECARD:N:Doe,Jane;TEL:+4912345678;;"
    private static let his = Destination(name: "his")
    /// A destination with a body of its own, which includes the content.
    private static let log = Destination(name: "log", form: .event, includesContent: true)
    private static let now = Date(milliseconds: 1_800_000_100_000)

    private static func card(_ text: String = card, at time: Date = now) -> ScanEvent {
        .test(text, symbology: .qrCode, at: time)
    }

    /// Claims all due deliveries of a destination, and settles them.
    private func deliver(_ box: TestOutbox, _ destination: Destination, as state: DeliveryState = .delivered)
        async throws -> [Data]
    {
        let claims = try await box.outbox.claim(destination.name, limit: 9, now: Self.now, lease: .seconds(60))
        try await box.outbox.settle(claims.map { Settlement($0, state: state, attemptedAt: Self.now) })
        return claims.map(\.body)
    }

    /// Returns all bytes of the outbox's files.
    private func bytes(_ box: TestOutbox) -> String {
        ["", "-wal", ".lock"].map { ending in
            let bytes = (try? Data(contentsOf: URL(filePath: box.outbox.path + ending))) ?? Data()
            return String(decoding: bytes, as: UTF8.self)
        }.joined()
    }

    @Test(
        "Personal messages",
        arguments: [
            (card, "contact"), ("BEGIN:VCARD\nVERSION:3.0\nFN:Jane Doe\nEND:VCARD", "contact"),
            ("WIFI:S:guests;T:WPA;P:secret99;;", "wifi"),
            ("otpauth://totp/a?secret=JBSWY3DPEHPK3PXP", "one_time_password"),
            ("tel:+4912345678", "phone"), ("https://jane:pass@example.org/", "url"),
            ("M1DOE/JANE            EABC123 FRAJFKLH 0400 326J001A0025 100", "boarding_pass"),
            ("https://example.org/", nil), ("4006381333931", nil), ("plain", nil), ("", nil),
        ] as [(String, String?)])
    func kinds(_ text: String, _ kind: String?) {
        let event = Self.card(text)
        #expect(event.personalKind == kind)
        let withheld = event.withholdingPersonal()
        #expect(withheld.symbol.withheld == kind)
        #expect(withheld.symbol.text == (kind == nil ? text : ""))
        #expect(withheld.symbol.bytes == Array(withheld.symbol.text.utf8))
        #expect(withheld.withholdingPersonal() == withheld && withheld.personalKind == nil)
    }

    /// A symbol of a message over several, which alone does not tell what the message says.
    @Test(arguments: [(card, "contact"), ("plain", nil)] as [(String, String?)])
    func symbolsOfOneMessage(_ text: String, _ kind: String?) async throws {
        let folder = try TemporaryFolder()
        let outbox = try Outbox(path: folder["outbox.sqlite"]) { parts in
            let text = parts.map(\.text).joined()
            return ScannedSymbol(symbology: .qrCode, text: text, bytes: Array(text.utf8))
        }
        let halves = [text.prefix(5), text.dropFirst(5)].enumerated().map { index, half in
            var event = Self.card(String(half))
            event.symbol.structuredAppend = MessagePart(index: index, count: 2, parity: 7)
            return event
        }
        try await outbox.store(halves, for: [])
        let searched = try await outbox.history(HistoryQuery(text: .containing(String(text.suffix(4)))))
        #expect(searched.map(\.event.symbol.text) == (kind == nil ? [text] : []), "only a whole message is indexed")
        #expect(try await outbox.withholdPersonal(Self.shown, now: Self.now) == (kind == nil ? 2 : 3))
        let stored = try await outbox.history(HistoryQuery()).map(\.event.symbol)
        #expect(stored.filter { $0.structuredAppend != nil }.map(\.withheld) == ["message_part", "message_part"])
        #expect(stored.filter { $0.joined == 2 }.map(\.withheld) == [kind])
        #expect(stored.allSatisfy { $0.text == ($0.withheld == nil ? text : "") })
        try outbox.close()
    }

    @Test("The composite component of a personal message is withheld with it")
    func component() {
        var event = Self.card("tel:+4912345678")
        event.symbol.composite = ScannedComponent(kind: "cc_a", text: "10A", bytes: Array("10A".utf8))
        #expect(event.withholdingPersonal().symbol.composite == nil)
    }

    /// The message is kept until all deliveries are done; then it is erased from the files, and the event remains.
    @Test func aMessageIsGoneAfterItsDelivery() async throws {
        let box = try TestOutbox()
        let (card, plain) = (Self.card(), Self.card("plain"))
        try await box.outbox.store([card, plain], for: [Self.his, Self.log])
        #expect(try await box.outbox.withholdPersonal(.standard, now: Self.now) == 0)
        let first = try await deliver(box, Self.his)
        #expect(Set(first) == Set(try [card, plain].map { try Self.his.body(for: $0) }))
        #expect(try await box.outbox.withholdPersonal(.standard, now: Self.now) == 0, "the other one is pending")
        let second = try await deliver(box, Self.log)
        #expect(Set(second) == Set(try [card, plain].map { try Self.log.body(for: $0) }))
        #expect(bytes(box).contains("Jane"))
        #expect(try await box.outbox.withholdPersonal(.standard, now: Self.now) == 1)
        #expect(try await box.outbox.withholdPersonal(.standard, now: Self.now) == 0)

        #expect(try await box.outbox.event(card.id)?.event == card.withholdingPersonal())
        #expect(try await box.outbox.event(card.id)?.deliveries.map(\.state) == [.delivered, .delivered])
        #expect(try await box.outbox.event(plain.id)?.event == plain)
        #expect(try await box.outbox.history(HistoryQuery(text: .exactly(Self.card))).isEmpty)
        #expect(!bytes(box).contains("Jane") && !bytes(box).contains("4912345678"))
        #expect(try await box.outbox.verify() == [])
        // It is not replayed without its message.
        let error = await #expect(throws: OutboxError.self) { try await box.outbox.replay(.event(card.id)) }
        #expect(error?.code == .withheld)
        #expect(
            try await box.outbox.replay(.time(since: .distantPast, until: .distantFuture), to: [Self.his, Self.log])
                == 2)
        #expect(try await deliver(box, Self.his) == [Self.his.body(for: plain)])
    }

    /// The retention of a station, whose page shows events that no destination gets.
    private static let shown = Retention(age: nil, count: nil, withholdsUnsent: true)

    @Test(
        "Removal of personal messages",
        arguments: [
            ("nobody", .standard, false), ("nobody", shown, true), ("delivered", .standard, true),
            ("pending", .standard, false),
            ("dead", .standard, false), ("disabled", .standard, false),
            ("delivered", Retention(age: nil, count: nil, personalAge: nil), false),
            ("delivered", Retention(age: nil, count: nil, personalAge: .seconds(60)), false),
            ("delivered", Retention(age: nil, count: nil, personalAge: .seconds(50)), true),
            ("dead", Retention(age: .seconds(50), count: nil), true), ("dead", Retention(age: nil, count: nil), false),
            ("disabled", Retention(age: .seconds(50), count: nil), true),
            ("pending", Retention(age: .seconds(50), count: nil), false),
        ] as [(String, Retention, Bool)])
    func when(_ state: String, _ retention: Retention, _ isGone: Bool) async throws {
        let box = try TestOutbox()
        let event = Self.card(at: Self.now - 55)
        try await box.outbox.store([event], for: state == "nobody" ? [] : [Self.his])
        if let state = DeliveryState(name: state), state != .pending { _ = try await deliver(box, Self.his, as: state) }
        #expect(try await box.outbox.withholdPersonal(retention, now: Self.now) == (isGone ? 1 : 0))
        let stored = try await box.outbox.event(event.id)?.event
        #expect(stored == (isGone ? event.withholdingPersonal() : event))
        if state == "dead" { #expect(try await box.outbox.replay(.state(.dead)) == (isGone ? 0 : 1)) }
    }

    /// An outbox from before this column existed: the stored events are checked.
    @Test func olderOutboxes() async throws {
        let folder = try TemporaryFolder()
        let path = folder["outbox.sqlite"]
        let events = (0..<2500).map { $0 % 5 == 0 ? Self.card() : Self.card("plain \($0)") }
        do {
            let outbox = try Outbox(path: path)
            try await outbox.store(events, for: [])
            try await SearchTests.takeBack(outbox)
            try await outbox.change { transaction in
                try transaction.database.execute(
                    sql: """
                        DROP INDEX event_personal; DROP INDEX event_not_looked_at;
                        ALTER TABLE event DROP COLUMN personal;
                        DELETE FROM grdb_migrations WHERE identifier = '3';
                        """)
            }
            try outbox.close()
        }
        let outbox = try Outbox(path: path)
        let history = try await outbox.history(HistoryQuery(limit: 3000))
        #expect(Set(history.map(\.event)) == Set(events))
        #expect(try await outbox.withholdPersonal(Self.shown, now: Self.now) == 500)
        let after = try await outbox.history(HistoryQuery(limit: 3000))
        #expect(Set(after.map(\.event)) == Set(events.map { $0.withholdingPersonal() }))
        // Checked events without personal content become searchable.
        #expect(try await outbox.history(HistoryQuery(text: .containing("plain 24"), limit: 3000)).count == 89)
        #expect(try await outbox.history(HistoryQuery(text: .containing("Jane"))).isEmpty)
        #expect(try await outbox.verify() == [])
    }

    /// A corrupt row is reported, and does not block others.
    @Test func damagedRows() async throws {
        let box = try TestOutbox()
        let events = (0..<3).map { _ in Self.card() }
        try await box.outbox.store(events, for: [])
        try await box.outbox.change { transaction in
            try transaction.database.execute(
                sql: "UPDATE event SET body = x'7B' WHERE id = ?", arguments: [events[1].id.description])
        }
        _ = try await box.outbox.withholdPersonal(Self.shown, now: Self.now)
        #expect(box.outbox.damage.rows.map(\.table) == ["event"])
        for event in [events[0], events[2]] {
            #expect(try await box.outbox.event(event.id)?.event == event.withholdingPersonal())
        }
    }
}
