import Testing

@testable import bench

@Suite("What was read against what is there")
struct ScoreTests {
    struct MessageCase: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var truth: [String]
        var isPartial = false
        var kind = "qr_code"
        var read: [String]
        var expected: Score
    }

    static let messageCases = [
        MessageCase(
            testDescription: "one there, one read", truth: ["A"], read: ["A"],
            expected: Score(expected: 1, found: 1, misread: 0)),
        MessageCase(
            testDescription: "one missed", truth: ["A", "B"], read: ["B"],
            expected: Score(expected: 2, found: 1, misread: 0)),
        MessageCase(
            testDescription: "one misread", truth: ["A"], read: ["X"],
            expected: Score(expected: 1, found: 0, misread: 1)),
        MessageCase(
            testDescription: "a second reading of the same symbol is nothing", truth: ["A"], read: ["A", "A"],
            expected: Score(expected: 1, found: 1, misread: 0)),
        MessageCase(
            testDescription: "two symbols of one message", truth: ["A", "A"], read: ["A", "A"],
            expected: Score(expected: 2, found: 2, misread: 0)),
        MessageCase(
            testDescription: "others may be there", truth: ["A"], isPartial: true, read: ["A", "X"],
            expected: Score(expected: 1, found: 1, misread: 0)),
        MessageCase(
            testDescription: "nothing there, something read", truth: [], read: ["X"],
            expected: Score(expected: 0, found: 0, misread: 1)),
        MessageCase(
            testDescription: "UPC-A and its EAN-13", truth: ["036000291452"], kind: "upc_a", read: ["0036000291452"],
            expected: Score(expected: 1, found: 1, misread: 0)),
        MessageCase(
            testDescription: "UPC-E as it is printed", truth: ["042100005264"], kind: "upc_e", read: ["04252614"],
            expected: Score(expected: 1, found: 1, misread: 0)),
    ]

    @Test("messages", arguments: messageCases)
    func messages(_ item: MessageCase) {
        let truth = Truth.messages(
            item.truth.map { Truth.Message(forms: [Array($0.utf8)]) }, isPartial: item.isPartial)
        let read = item.read.map { FoundSymbol(forms: [Array($0.utf8)], center: nil) }
        #expect(Score(read, against: truth, kind: item.kind) == item.expected)
    }

    @Test("any form of a message is the message")
    func forms() {
        let truth = Truth.messages([Truth.Message(forms: [[0xC3, 0xBC], [0xFC]])], isPartial: false)
        for form: [UInt8] in [[0xC3, 0xBC], [0xFC]] {
            let score = Score([FoundSymbol(forms: [[0x3F], form], center: nil)], against: truth, kind: "qr_code")
            #expect(score == Score(expected: 1, found: 1, misread: 0))
        }
    }

    struct OutlineCase: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var centers: [PicturePoint?]
        var expected: Score
    }

    static let outlineCases = [
        OutlineCase(
            testDescription: "one in each", centers: [PicturePoint(x: 5, y: 5), PicturePoint(x: 25, y: 5)],
            expected: Score(expected: 2, found: 2, misread: 0)),
        OutlineCase(
            testDescription: "two in one", centers: [PicturePoint(x: 5, y: 5), PicturePoint(x: 6, y: 5)],
            expected: Score(expected: 2, found: 1, misread: 0)),
        OutlineCase(
            testDescription: "between them", centers: [PicturePoint(x: 15, y: 5)],
            expected: Score(expected: 2, found: 0, misread: 1)),
        OutlineCase(
            testDescription: "without a place", centers: [nil], expected: Score(expected: 2, found: 0, misread: 1)),
    ]

    @Test("outlines", arguments: outlineCases)
    func outlines(_ item: OutlineCase) {
        func square(_ x: Double) -> [PicturePoint] {
            [
                PicturePoint(x: x, y: 0), PicturePoint(x: x + 10, y: 0), PicturePoint(x: x + 10, y: 10),
                PicturePoint(x: x, y: 10),
            ]
        }
        let read = item.centers.map { FoundSymbol(forms: [], center: $0) }
        #expect(Score(read, against: .outlines([square(0), square(20)]), kind: "") == item.expected)
    }

    @Test("readings that are ignored do not count")
    func ignored() {
        func message(_ text: String) -> Truth.Message { Truth.Message(forms: [Array(text.utf8)]) }
        let truth = Truth.messages([message("A")], ignored: [message("B")], isPartial: false)
        let read = ["A", "B", "C"].map { FoundSymbol(forms: [Array($0.utf8)], center: nil) }
        #expect(Score(read, against: truth, kind: "") == Score(expected: 1, found: 1, misread: 1))
    }

    @Test("where nothing is known there is no score")
    func unknown() {
        #expect(Score([FoundSymbol(forms: [[1]], center: nil)], against: .unknown, kind: "") == nil)
    }

    struct FormCase: CustomTestStringConvertible, Sendable {
        var kind: String
        var message: String
        var canonical: String
        var testDescription: String { "\(kind) \(message)" }
    }

    static let formCases = [
        FormCase(kind: "qrcode", message: "text\r\n", canonical: "text"),
        FormCase(kind: "qrcode", message: "00text", canonical: "00text"),
        FormCase(kind: "upca", message: "036000291452", canonical: "36000291452"),
        FormCase(kind: "upca-extension", message: "002701100695102601", canonical: "002701100695102601"),
        FormCase(kind: "codabar", message: "A1234B", canonical: "1234"),
        FormCase(kind: "rssexpanded", message: "(01)123\u{1D}(10)A", canonical: "0112310A"),
        FormCase(kind: "rss14", message: "0120012345678909", canonical: "2001234567890"),
        FormCase(kind: "rss14", message: "20012345678909", canonical: "2001234567890"),
        FormCase(kind: "retail", message: "0036000291452", canonical: "36000291452"),
        FormCase(kind: "retail", message: "9780201379624 51995", canonical: "9780201379624"),
        FormCase(kind: "retail", message: "01234505", canonical: "12000003455"),
        FormCase(kind: "code128", message: "01\u{1D}10A", canonical: "0110A"),
        FormCase(kind: "code39-vin", message: "I2HGFG1B86BH501831", canonical: "2HGFG1B86BH501831"),
        FormCase(kind: "code32", message: "A012345676", canonical: "0CSSBD"),
        FormCase(kind: "code32", message: "0CSSBD", canonical: "0CSSBD"),
        FormCase(kind: "databar_expanded", message: "0120012345678909", canonical: "0120012345678909"),
        // GS1 General Specifications, one for each rule of suppressing zeros.
        FormCase(kind: "upce", message: "01234505", canonical: "12000003455"),
        FormCase(kind: "upce", message: "01234531", canonical: "12300000451"),
        FormCase(kind: "upce", message: "01234543", canonical: "12340000053"),
        FormCase(kind: "upce", message: "01234565", canonical: "12345000065"),
    ]

    @Test("canonical forms", arguments: formCases)
    func canonical(_ item: FormCase) {
        let form = CanonicalMessage.of(Array(item.message.utf8), kind: item.kind)
        #expect(String(decoding: form, as: UTF8.self) == item.canonical)
    }

    @Test("expected.json of Samples")
    func samples() throws {
        let json = """
            [{"file": "a.png", "symbols": [{"format": "ean_13", "text": "978", "addOn": "05"},
              {"format": "qr_code", "text": "ü", "bytesBase64": "/A=="}]}, {"file": "b.jpg", "symbols": []}]
            """
        let pictures = try TruthFiles.samples(Array(json.utf8), folder: "Samples")
        #expect(
            pictures == [
                WorkPicture(
                    path: "Samples/a.png", name: "a.png", set: "samples", group: "ean_13",
                    truth: .messages(
                        [
                            Truth.Message(forms: [Array("978".utf8), Array("97805".utf8)]),
                            Truth.Message(forms: [[0xC3, 0xBC], [0xFC]]),
                        ], isPartial: true), kind: "ean_13"),
                WorkPicture(
                    path: "Samples/b.jpg", name: "b.jpg", set: "samples", group: "none",
                    truth: .messages([], isPartial: false), kind: ""),
            ])
    }

    @Test("the manifest of a corpus")
    func manifest() throws {
        let lines = """
            {"id": "1", "image": "i/1.png", "suite": "s", "group": "upce", "texts": ["MDE="], "partial": true}
            {"id": "2", "image": "i/2.jpg", "suite": "t", "group": "glare", "quads": [[[0, 1], [2, 3], [4, 5], [6, 7]]]}
            {"id": "3", "image": "i/3.jpg", "suite": "u", "group": "g", "rule": "retail", "texts": [], "also": ["MDE="]}
            """
        let pictures = try TruthFiles.corpus(Array(lines.utf8), folder: "c")
        let corners = [
            PicturePoint(x: 0, y: 1), PicturePoint(x: 2, y: 3), PicturePoint(x: 4, y: 5), PicturePoint(x: 6, y: 7),
        ]
        #expect(
            pictures == [
                WorkPicture(
                    path: "c/i/1.png", name: "i/1.png", set: "corpus/s", group: "upce",
                    truth: .messages([Truth.Message(forms: [Array("01".utf8)])], isPartial: true), kind: "upce"),
                WorkPicture(
                    path: "c/i/2.jpg", name: "i/2.jpg", set: "corpus/t", group: "glare", truth: .outlines([corners]),
                    kind: "glare"),
                WorkPicture(
                    path: "c/i/3.jpg", name: "i/3.jpg", set: "corpus/u", group: "g",
                    truth: .messages([], ignored: [Truth.Message(forms: [Array("01".utf8)])], isPartial: false),
                    kind: "retail"),
            ])
    }
}
