import SymbolContent
import TestSupport
import Testing

@Suite("Railway tickets")
struct TrainTicketTests {
    static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: count - text.count) + text
    }

    static func record(_ name: String, _ version: String, _ body: String) -> [UInt8] {
        Array((name + version + digits(body.utf8.count + 12, 4) + body).utf8)
    }

    static func message(_ version: String, _ data: [UInt8], signature: Int) -> ContentMessage {
        let stream = PackedMessages.packed(data)
        let bytes =
            Array("#UT\(version)008000007".utf8) + [UInt8](repeating: 0x30, count: signature)
            + Array(digits(stream.count, 4).utf8) + stream
        return ContentMessage(
            text: String(decoding: bytes, as: UTF8.self), bytes: bytes, isGS1: false, symbology: "aztec",
            currentYear: 2026)
    }

    static let head = record("U_HEAD", "01", "0080QY2ABC-1            2411202609300DEEN")
    static let layout = record(
        "U_TLAY", "01", "RCT20003" + "0118015200004WIEN" + "0013015200012FAHRKARTE 1 " + "0218015200000")

    static func order(_ size: Int) -> String {
        let blocks = [
            ("001", "Sparpreis"), ("009", "1-0-49"), ("014", "S2"), ("015", "Riesa"), ("016", "N\u{FC}rnberg"),
            ("023", "Francis Doggee"), ("031", "24.11.2026"),
        ].map { "S\($0)\(digits($1.utf8.count, 4))\($1)" }
        return "021" + String(repeating: "7", count: size) + digits(blocks.count, 2) + blocks.joined()
    }

    @Test("A ticket has the fields of its records", arguments: [("01", 50, "02", 46), ("02", 64, "03", 26)])
    func ticket(version: String, signature: Int, form: String, order: Int) throws {
        let data =
            Self.head + Self.layout + Self.record("0080BL", form, Self.order(order)) + Self.record("0080VU", "01", "x")
        let content = try #require(SymbolContent.parse(Self.message(version, data, signature: signature)))
        #expect(content.kind == .trainTicket)
        let fields = content.fields.map { "\($0.name): \($0.meaning ?? $0.value)" }
        #expect(
            fields == [
                "issuer: 0080", "key: 00007", "ticket: QY2ABC-1", "issued: 2026-11-24T09:30",
                "printed: FAHRKARTE 1", "printed: WIEN", "tariff: Sparpreis", "passengers: 1-0-49", "class: S2",
                "origin: Riesa", "destination: N\u{FC}rnberg", "passenger: Francis Doggee", "valid_from: 2026-11-24",
                "record: 0080VU",
            ])
        #expect(content.fields.filter(\.isPersonal).map(\.name).contains("ticket"))
    }

    @Test("A ticket that is cut off or damaged has no content")
    func damaged() {
        let whole = Self.message("01", Self.head + Self.layout, signature: 50).bytes
        for count in 0..<whole.count {
            let message = ContentMessage(
                text: "", bytes: Array(whole.prefix(count)), isGS1: false, symbology: "aztec", currentYear: 2026)
            #expect(SymbolContent.parse(message) == nil, "the first \(count) bytes")
        }
        // A stream that expands to more than any ticket holds.
        let large = Self.message("01", [UInt8](repeating: 0x20, count: 6_000), signature: 50)
        #expect(SymbolContent.parse(large) == nil)
    }

    @Test("Changed bytes never end the process")
    func anyDamage() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let data = Self.head + Self.layout + Self.record("0080BL", "03", Self.order(26))
        for _ in 0..<2_000 {
            let message = Self.message("01", PackedMessages.damaged(data, using: &random), signature: 50)
            if let content = SymbolContent.parse(message) { #expect(!content.fields.isEmpty, "seed \(seed)") }
        }
    }
}
