import BarcodeCore
import Testing

@testable import DecodeReports

/// The report of a picture, and its JSON.
@Suite struct DecodeReportTests {
    @Test func jsonIsOneSortedLine() throws {
        struct Value: Codable, Equatable {
            var b = "line\nfeed / \"quoted\""
            var a = 1.5
        }
        let line = try JSONLine.encode(Value())
        #expect(String(decoding: line, as: UTF8.self) == "{\"a\":1.5,\"b\":\"line\\nfeed / \\\"quoted\\\"\"}\n")
        #expect(try JSONLine.decode(Value.self, from: line) == Value())
        #expect(throws: (any Error).self) { try JSONLine.decode(Value.self, from: Array("{\"a\":".utf8)) }
        #expect(throws: (any Error).self) { try JSONLine.decode(Value.self, from: []) }
    }

    static let symbol = Symbol(
        symbology: .qrCode, symbologyIdentifier: "]Q1", bytes: Array(0...255), text: "a\u{0}\u{1D}你\"",
        charset: Charset(name: "utf-8", source: .eci),
        corners: Quadrilateral(
            topLeft: Point(x: 1.25, y: -2), topRight: Point(x: 30, y: 4.5), bottomRight: Point(x: 29, y: 40),
            bottomLeft: Point(x: 0, y: 39.75)),
        orientation: 90, isInverted: true, isMirrored: true, isGS1: true, check: .errorCorrection,
        errorCorrectionLevel: "Q", correctionUsed: 0.25, version: 7, modules: ModuleCount(columns: 45, rows: 45),
        structuredAppend: StructuredAppend(index: 1, count: 3, parity: 200, identifier: "017"),
        isReaderProgramming: true, symbolCharacters: "3PRM5N",
        composite: CompositeComponent(
            kind: .b, bytes: Array("10AB\u{1D}21C".utf8),
            corners: Quadrilateral(
                topLeft: Point(x: 1, y: 2), topRight: Point(x: 3, y: 2.5), bottomRight: Point(x: 3, y: 4),
                bottomLeft: Point(x: 1, y: 4))),
        moduleSize: 3.5, contrast: 0.75, confidence: 0.999)

    static var report: DecodeReport {
        var report = DecodeReport(source: PictureName("folder/ü.png"))
        report.width = 640
        report.height = 480
        report.orientation = 6
        report.isTruncated = true
        report.searchEnd = .symbolsRead
        report.loadMilliseconds = 1.125
        report.decodeMilliseconds = 22.5
        var retail = symbol
        retail.symbology = .ean13
        retail.addOn = "05"
        retail.structuredAppend = nil
        retail.orientation = nil
        retail.isMirrored = nil
        retail.isGS1 = false
        retail.check = .checkDigit
        retail.errorCorrectionLevel = nil
        retail.correctionUsed = nil
        retail.moduleSize = nil
        retail.contrast = nil
        retail.confidence = nil
        retail.version = nil
        retail.modules = nil
        retail.weight = 7
        report.symbols = [symbol, retail]
        report.unread = [
            UnreadSymbol(kind: .linear, corners: symbol.corners, moduleSize: 1.25, reason: .small),
            UnreadSymbol(kind: .init(.qrCode), corners: symbol.corners, moduleSize: 3, reason: .blurred),
        ]
        return report
    }

    static var warned: DecodeReport {
        var warned = report
        warned.warnings = [DecodeError(.searchCutShort, "was cut short"), DecodeError(.notWritten, "no copy")]
        return warned
    }

    @Test func warningsAreThereWhereThereAreAny() throws {
        #expect(String(decoding: try JSONLine.encode(Self.report), as: UTF8.self).contains("warnings") == false)
        let line = String(decoding: try JSONLine.encode(Self.warned), as: UTF8.self)
        #expect(
            line.contains(
                #""warnings":[{"code":"search_cut_short","message":"was cut short"},"#
                    + #"{"code":"not_written","message":"no copy"}]"#))
    }

    static let reports: [DecodeReport] = [
        report, warned, DecodeReport(source: PictureName("")),
        DecodeReport(source: PictureName(bytes: [0xFF, 0x0A, 0x61])),
        DecodeReport(source: PictureName("a"), error: DecodeError(.tooLarge, "is \"too\" large\n")),
        DecodeReport(source: PictureName("a"), error: DecodeError(DecodeError.Code(rawValue: "new_code"), "is new")),
    ]

    @Test(arguments: reports) func aReportComesBackAsItWas(_ report: DecodeReport) throws {
        let line = try JSONLine.encode(report)
        #expect(line.count(where: { $0 == 0x0A }) == 1)
        let back = try JSONLine.decode(DecodeReport.self, from: line)
        #expect(back == report)
        #expect(back.name == report.name)
    }

    @Test func aReportOfAnotherSchemaIsRefused() throws {
        let line = String(decoding: try JSONLine.encode(Self.report), as: UTF8.self)
        let other = line.replacing("\"schema\":1", with: "\"schema\":2")
        #expect(other != line)
        #expect(throws: DecodingError.self) { try JSONLine.decode(DecodeReport.self, from: Array(other.utf8)) }
    }

    /// A worker that an image has taken over cannot write to a terminal, or end the program that reads its report.
    @Test(
        arguments: [
            ("\"format\":\"ean_13\"", "\"format\":\"\\u001b[2J\""), ("\"page\":1", "\"page\":-9223372036854775808"),
            ("\"load\":", "\"load\":1e300,\"x\":"), ("\"rotation\":0", "\"rotation\":-90"),
            ("{\"x\":1,\"y\":2}", "{\"x\":1e307,\"y\":2}"), ("\"moduleSize\":1.25", "\"moduleSize\":1e307"),
            ("\"resolution\":150", "\"resolution\":1e307"), ("\"resolution\":150", "\"resolution\":1e-307"),
            ("\"width\":640", "\"width\":9223372036854775807"), ("\"index\":1", "\"index\":-1"),
        ])
    func namesAndNumbersThatNoDecoderGives(_ known: String, _ hostile: String) throws {
        var report = Self.report
        report.page = 1
        report.resolution = 150
        report.symbols[0].orientation = 0
        let line = String(decoding: try JSONLine.encode(report), as: UTF8.self)
        let changed = line.replacing(known, with: hostile)
        #expect(changed != line, "\(line)")
        #expect(throws: DecodingError.self) { try JSONLine.decode(DecodeReport.self, from: Array(changed.utf8)) }
    }

    /// Fields that a symbol of an earlier version lacks are decoded as unknown.
    @Test func aSymbolMayLackWhatWasAddedLater() throws {
        var report = Self.report
        report.symbols = [report.symbols[1]]
        let line = String(decoding: try JSONLine.encode(report), as: UTF8.self)
        let older = line.replacing("\"gs1\":false,", with: "").replacing("\"check\":\"check_digit\",", with: "")
        #expect(older.count < line.count)
        report.symbols[0].check = .none
        #expect(try JSONLine.decode(DecodeReport.self, from: Array(older.utf8)) == report)
    }

    @Test func aFieldThatIsNotKnownIsNoMistake() throws {
        let line = String(decoding: try JSONLine.encode(Self.report), as: UTF8.self)
        let more = line.replacing("\"schema\":1", with: "\"schema\":1,\"novelty\":[1]")
        #expect(try JSONLine.decode(DecodeReport.self, from: Array(more.utf8)) == Self.report)
    }

    @Test func namesKeepTheirBytes() {
        let name = PictureName(bytes: [0x61, 0xFF])
        #expect(name.display == "a\u{FFFD}" && !name.isUTF8)
        #expect(PictureName("ü").bytes == [0xC3, 0xBC] && PictureName("ü").isUTF8)
        let report = DecodeReport(source: name)
        #expect(report.source == "a\u{FFFD}" && report.sourceBytes == [0x61, 0xFF] && report.name == name)
        #expect(DecodeReport(source: PictureName("a")).sourceBytes == nil)
    }
}
