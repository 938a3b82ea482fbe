import BarcodeCore
import FoundationEssentials
import SymbolContent
import TestSupport
import Testing

@testable import ScanEvents

/// The parsed content of messages in events.
@Suite struct ContentTests {
    /// A GS1 DataMatrix of a medicine: GTIN, expiry date, batch.
    static let medicine = event(
        "01095011015300031728113010ABC123", symbology: .dataMatrix, identifier: "]d2")

    static func event(
        _ text: some StringProtocol, symbology: Symbology = .qrCode, identifier: String? = nil
    ) -> ScanEvent {
        ScanEvent(
            time: Date(milliseconds: 1_795_000_000_000), station: "ward-3", source: ScanSource(kind: .camera),
            symbol: ScannedSymbol(
                symbology: symbology, text: String(text), bytes: Array(text.utf8), symbologyIdentifier: identifier))
    }

    @Test func onlyASymbolThatSaysSoHoldsElementStrings() {
        #expect(Self.medicine.parsedContent?.kind == .gs1)
        #expect(Self.event("0109501101530003172811301 0ABC").parsedContent == nil)
    }

    @Test(arguments: [
        ("]d1", false), ("]d2", true), ("]d3", false), ("]d4", false), ("]d5", true), ("]d6", false), ("]Q1", false),
        ("]Q3", true), ("]Q4", true), ("]Q5", false), ("]z0", false), ("]z1", true), ("]z4", true), ("]J1", true),
        ("]J4", true), ("]C0", false), ("]C1", true), ("]L3", true), ("]L4", false), ("]z6", false), ("]z7", true),
        ("]z9", false), ("]zA", true),
    ])
    func theIdentifierTellsWhetherItIsGS1(_ identifier: String, _ isGS1: Bool) {
        var symbol = Self.medicine
        symbol.symbol.symbologyIdentifier = identifier
        #expect((symbol.parsedContent?.kind == .gs1) == isGS1)
    }

    @Test(
        "Fields of a content by name",
        arguments: [
            ("content.gs1", "gs1"), ("content.gs1.10", "ABC123"), ("content.gs1.gtin", "09501101530003"),
            ("content.gs1.GTIN", "09501101530003"), ("content.gs1.17", "281130"),
            ("content.gs1.17.meaning", "2028-11-30"), ("content.gs1.10.label", "BATCH/LOT"),
            ("content.gs1.batchlot", "ABC123"), ("content.gs1.21", ""), ("content.wifi.ssid", ""),
            ("format", "data_matrix"),
        ])
    func columns(name: String, cell: String) throws {
        try ScanEvent.checkColumn(name)
        #expect(Self.medicine.cells([name]) == [cell])
    }

    @Test(arguments: [
        "contents", "content.", "content.gs2.10", "content.gs1.10.length", "content.gs1..meaning", "Text",
    ])
    func columnsThatAreNone(name: String) {
        #expect(throws: SyntaxError.self) { try ScanEvent.checkColumn(name) }
        #expect(Self.medicine.cells([name]) == [""])
    }

    @Test(
        "Conditions",
        arguments: [
            ("gs1", true), ("gs1.10", true), ("gs1.01=^0950", true), ("gs1.17.meaning=^2028-", true), ("gs1.21", false),
            ("gs1.01=^0951", false), ("wifi", false), ("gs1_link", false), ("gs1.10==", false),
        ])
    func conditions(text: String, holds: Bool) throws {
        let condition = try ContentCondition(text)
        #expect(EventFilter(content: [condition]).admits(Self.medicine) == holds)
        #expect(EventFilter(content: [condition, try ContentCondition("gs1")]).admits(Self.medicine))
        #expect(!EventFilter(content: [condition]).admits(Self.event("plain text")))
    }

    @Test(arguments: ["", "gs2", "gs1.10=(", "gs1.10.value.more", "gs1."])
    func conditionsThatAreNone(text: String) {
        #expect(throws: SyntaxError.self) { try ContentCondition(text) }
    }

    @Test(
        "Templates",
        arguments: [
            (#"{"batch": "{{content.gs1.10}}"}"#, #"{"batch":"ABC123"}"#),
            (
                #"{"a": "{{content.gs1.gtin}} until {{content.gs1.17.meaning}}"}"#,
                #"{"a":"09501101530003 until 2028-11-30"}"#
            ),
            (#"["{{content.kind}}", "{{content.fields.2.value}}"]"#, #"["gs1","ABC123"]"#),
            (#"["{{content.wifi.ssid}}", "<{{content.gs1.21}}>"]"#, #"[null,"<>"]"#),
        ])
    func templates(template: String, body: String) throws {
        let form = PayloadFormat.template(try BodyTemplate(template))
        #expect(String(decoding: try form.body(for: Self.medicine), as: UTF8.self) == body)
    }

    @Test func templatesThatNameNoContent() {
        #expect(throws: SyntaxError.self) { try BodyTemplate(#"["{{content.gs2.10}}"]"#) }
    }

    @Test func theContentIsPartOfTheEventWhereItIsAskedFor() throws {
        let event = Self.medicine.withContent()
        let json = try event.jsonBytes()
        #expect(String(decoding: json, as: UTF8.self).contains(#""content":{"fields":[{"label":"GTIN","name":"01""#))
        #expect(try JSONDecoder().decode(ScanEvent.self, from: json) == event)
        #expect(try PayloadFormat.event.body(for: event) == json, "written in one way")
        #expect(!String(decoding: try Self.medicine.jsonBytes(), as: UTF8.self).contains("content\""))
        #expect(Self.event("plain text").withContent().content == nil)
    }
}
