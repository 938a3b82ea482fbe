import BarcodeCore
import FoundationEssentials
import TestSupport
import Testing

@testable import ScanEvents

/// Events, their identifiers and their JSON formats.
@Suite struct EventTests {
    /// A corrupt row may contain any number as a time.
    @Test(arguments: [Int64.min, .min + 1, -62_135_596_800_001, -1, 0, 253_402_300_800_000, .max - 1, .max])
    func anyNumberIsATime(_ milliseconds: Int64) {
        let date = Date(milliseconds: milliseconds)
        #expect(date.rfc3339.hasSuffix("Z"))
        #expect(abs(date.milliseconds) <= Int64(1e17))
    }

    @Test func identifiersAreOfVersion7AndGrow() throws {
        let now = Date(milliseconds: 0x0123_4567_89AB)
        let ids = (0..<10_000).map { _ in EventID(now: now) }
        #expect(Set(ids).count == ids.count)
        #expect(ids.map(\.description) == ids.map(\.description).sorted())
        let last = try #require(ids.last).description
        #expect(last.count == 36)
        #expect(Array(last)[14] == "7")
        #expect("89ab".contains(Array(last)[19]))
        #expect(EventID(last) == ids.last)
        #expect(EventID(last.uppercased()) == ids.last)
    }

    @Test func identifiersTellTheTimeAndDoNotGoBackWithTheClock() {
        // Later than in all other tests, because the identifiers of a process only increase.
        let later = EventID(now: Date(milliseconds: 0x2000_0000_0000))
        #expect(later.description.hasPrefix("20000000-0000-7"))
        #expect(EventID(now: Date(milliseconds: 0x0100_0000_0000)).description > later.description)
    }

    @Test(arguments: ["", "x", "0190a000-0000-7000-8000-00000000000", "0190a000-0000-7000-8000-00000000000g"])
    func noIdentifier(_ text: String) {
        #expect(EventID(text) == nil)
    }

    @Test(arguments: [
        ("]A0", "A", Symbology.code39), ("]A4", "A", .code39Extended), ("]C1", "01", .code128), ("]E0", "1", .ean13),
        ("]E4", "1", .ean8), ("]e0", "0104012345678901", .dataBar), ("]e0", "010401234567890110A", .dataBarExpanded),
        ("]h1", "A", .hanXin), ("]I1", "12345678901231", .itf14), ("]I1", "1234", .itf), ("]J1", "A", .dotCode),
        ("]L2", "A", .pdf417), ("]M0", "12", .msi), ("]Q3", "A", .qrCode), ("]S0", "12", .industrial2of5),
        ("]z9", "A", .aztec), ("]X0", "A", Symbology(rawValue: "unknown")), ("]Q", "A", Symbology(rawValue: "unknown")),
    ])
    func symbologyOfIdentifier(_ identifier: String, _ text: String, _ symbology: Symbology) {
        #expect(
            ScannedSymbol(scanned: Array(text.utf8), symbologyIdentifier: identifier).symbology == symbology)
    }

    static let full = ScanEvent(
        id: EventID("01a1fde6-17d6-700b-8ba2-56c9b12374ab")!, time: Date(milliseconds: 1_800_000_000_123),
        station: "ward-3",
        source: ScanSource(kind: .camera, name: "/dev/video0", details: ["frame": "17"]),
        symbol: ScannedSymbol(
            symbology: .qrCode, text: "a\u{0}\"é", bytes: [0x61, 0, 0x22, 0xC3, 0xA9, 0xFF], symbologyIdentifier: "]Q1",
            charset: "utf-8", addOn: "05",
            corners: Quadrilateral(
                topLeft: Point(x: 1.25, y: -2), topRight: Point(x: 30, y: 4.5), bottomRight: Point(x: 29, y: 40),
                bottomLeft: Point(x: 0, y: 39.75)), image: PixelSize(width: 640, height: 480), confidence: 0.995),
        evidence: Evidence(uri: "file:///album/a.jpg", mediaType: "image/jpeg", sha256: "00ff"))

    static let fullJSON = """
        {"evidence":{"mediaType":"image/jpeg","sha256":"00ff","uri":"file:///album/a.jpg"},\
        "id":"01a1fde6-17d6-700b-8ba2-56c9b12374ab","schema":1,\
        "source":{"details":{"frame":"17"},"kind":"camera","name":"/dev/video0"},"station":"ward-3",\
        "symbol":{"addOn":"05","bytes":"YQAiw6n/","charset":"utf-8","confidence":0.995,\
        "corners":[{"x":1.25,"y":-2},{"x":30,"y":4.5},{"x":29,"y":40},{"x":0,"y":39.75}],"format":"qr_code",\
        "identifier":"]Q1","image":{"height":480,"width":640},"text":"a\\u0000\\"é"},\
        "time":"2027-01-15T08:00:00.123Z"}
        """

    @Test func jsonOfAnEvent() throws {
        #expect(String(decoding: try Self.full.jsonBytes(), as: UTF8.self) == Self.fullJSON)
        #expect(try JSONDecoder().decode(ScanEvent.self, from: Data(Self.fullJSON.utf8)) == Self.full)
        let least = ScanEvent.test()
        #expect(try JSONDecoder().decode(ScanEvent.self, from: least.jsonBytes()) == least)
    }

    @Test(
        arguments: [
            ("\"schema\":1", "\"schema\":2"), ("2027-01-15T08:00:00.123Z", "yesterday"), ("YQAiw6n/", "*"),
            ("{\"x\":0,\"y\":39.75}]", "]"), ("01a1fde6-17d6", "17d6"), ("\"station\":\"ward-3\",", ""),
        ])
    func jsonThatIsNoEvent(_ change: (String, String)) {
        let text = Self.fullJSON.replacing(change.0, with: change.1)
        #expect(text != Self.fullJSON)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ScanEvent.self, from: Data(text.utf8)) }
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2026-11-21T11:08:04.123Z", 1_795_259_284_123),
            ("2026-11-21T11:08:04Z", 1_795_259_284_000), ("2026-11-21T12:08:04.123+01:00", 1_795_259_284_123),
        ] as [(String, Int64)])
    func times(_ text: String, _ milliseconds: Int64) {
        #expect(Date(rfc3339: text)?.milliseconds == milliseconds)
        #expect(Date(milliseconds: milliseconds).milliseconds == milliseconds)
    }

    @Test func everyMillisecondComesBack() {
        for milliseconds in (Int64(1_799_999_999_000)..<1_800_000_001_000) {
            #expect(Date(rfc3339: Date(milliseconds: milliseconds).rfc3339)?.milliseconds == milliseconds)
        }
    }

    @Test func bodiesOfEachForm() throws {
        let event = Self.full
        let cases: [(PayloadFormat, String, String)] = [
            (.event, "application/json", Self.fullJSON),
            (
                .standard, "application/json",
                "{\"data\":\(Self.fullJSON),\"timestamp\":\"2027-01-15T08:00:00.123Z\",\"type\":\"scan.created\"}"
            ),
            (
                .cloudEvents, "application/cloudevents+json",
                "{\"data\":\(Self.fullJSON),\"datacontenttype\":\"application/json\","
                    + "\"id\":\"01a1fde6-17d6-700b-8ba2-56c9b12374ab\",\"source\":\"/quietzone/stations/ward-3\","
                    + "\"specversion\":\"1.0\",\"subject\":\"qr_code\",\"time\":\"2027-01-15T08:00:00.123Z\","
                    + "\"type\":\"quietzone.scan.created\"}"
            ),
            (
                .envelope, "application/json",
                "{\"code\":0,\"data\":\(Self.fullJSON),\"errorMsg\":\"\",\"isSuccess\":true}"
            ),
        ]
        for (form, mediaType, body) in cases {
            #expect(String(decoding: try form.body(for: event), as: UTF8.self) == body)
            #expect(form.mediaType == mediaType)
        }
    }

    /// The JSON of an event is written by hand; `JSONEncoder` gives the expected result.
    @Test func writtenAsTheEncoderWrites() throws {
        var scalars = (0..<0x30).compactMap { UnicodeScalar($0) }
        scalars += ["\\", "\"", "/", "\u{7F}", "\u{80}", "é", "\u{2028}", "你", "\u{1F600}"].flatMap(\.unicodeScalars)
        func text() -> String {
            var text = ""
            for _ in 0..<Int.random(in: 0...12) { text.unicodeScalars.append(scalars.randomElement()!) }
            return text
        }
        func maybe<Value>(_ value: Value) -> Value? { Bool.random() ? value : nil }
        func point() -> Point {
            Point(
                x: Double.random(in: -1e4...1e4), y: [0, -0.004, 1e-3, 0.1 + 0.2, 123_456_789.125, -7].randomElement()!)
        }
        for _ in 0..<2000 {
            let event = ScanEvent(
                station: text(),
                source: ScanSource(
                    kind: .init(rawValue: text()), name: maybe(text()), details: maybe([text(): text(), "b": text()])),
                symbol: ScannedSymbol(
                    symbology: .init(rawValue: text()), text: text(), bytes: Array(text().utf8),
                    symbologyIdentifier: maybe(text()),
                    charset: maybe(text()), addOn: maybe(text()),
                    corners: maybe(
                        Quadrilateral(topLeft: point(), topRight: point(), bottomRight: point(), bottomLeft: point())),
                    image: maybe(PixelSize(width: .random(in: 0...99_999), height: 1))),
                evidence: maybe(Evidence(uri: text(), mediaType: maybe(text()), sha256: maybe(text()))))
            let written = String(decoding: try PayloadFormat.event.body(for: event), as: UTF8.self)
            let encoded = String(decoding: try event.jsonBytes(), as: UTF8.self)
            guard written == encoded else {
                Issue.record("written \(written) and encoded \(encoded)")
                return
            }
        }
        var event = ScanEvent.test()
        let nowhere = Point(x: .nan, y: 0)
        event.symbol.corners = Quadrilateral(
            topLeft: nowhere, topRight: nowhere, bottomRight: nowhere, bottomLeft: nowhere)
        for form in [PayloadFormat.standard, .event, .cloudEvents, .envelope] {
            #expect(throws: EncodingError.self) { try form.body(for: event) }
        }
    }

    @Test func aStationOfAnyNameIsAURIReference() throws {
        var event = Self.full
        event.station = "Raum 3/é"
        let body = String(decoding: try PayloadFormat.cloudEvents.body(for: event), as: UTF8.self)
        #expect(body.contains("\"source\":\"/quietzone/stations/Raum%203%2fé\"") == false)
        #expect(body.contains("\"source\":\"/quietzone/stations/Raum%203%2f%c3%a9\""))
    }

    @Test(
        arguments: [
            (#"{"code": "{{symbol.text}}"}"#, #"{"code":"a\u0000\"é"}"#),
            (#"{"a": "{{ station }}: {{symbol.format}}!"}"#, #"{"a":"ward-3: qr_code!"}"#),
            (
                #"{"size": "{{symbol.image}}", "w": "{{symbol.image.width}}"}"#,
                #"{"size":{"height":480,"width":640},"w":640}"#
            ),
            (#"["{{symbol.corners.1.x}}", 1.5, true, null]"#, "[30,1.5,true,null]"),
            (
                #"{"missing": "{{source.details.none}}", "text": "<{{source.details.none}}>"}"#,
                #"{"missing":null,"text":"<>"}"#
            ),
            ("\"{{event}}\"", fullJSON),
        ])
    func templates(_ template: String, _ body: String) throws {
        let form = PayloadFormat.template(try BodyTemplate(template))
        #expect(String(decoding: try form.body(for: Self.full), as: UTF8.self) == body)
    }

    @Test(
        arguments: [
            ("{\"code\": {{symbol.text}}}", "is not JSON"), ("{\"a\": \"{{symbol.text\"}", "without \"}}\""),
            ("{\"a\": \"{{symbol.txt}}\"}", "\"symbol.txt\""), ("[\"{{patient}}\"]", "\"patient\""),
            ("\"{{}}\"", "\"\""),
        ])
    func badTemplates(_ template: String, _ part: String) {
        let error = #expect(throws: SyntaxError.self) { try BodyTemplate(template) }
        #expect(error?.description.contains(part) == true)
    }
}
