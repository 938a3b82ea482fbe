import BarcodeCore
import BarcodeDecoding
import Testing

@testable import DecodeWorkers

/// The lines that go to workers and come from them.
@Suite(.timeLimit(.minutes(3))) struct ProtocolTests {
    @Test(
        arguments: [
            ([], []), ([""], []), (["a"], []), (["a\n"], ["a"]), (["a\nb\n"], ["a", "b"]),
            (["a", "b\nc", "\n"], ["ab", "c"]),
            (["\n\n", "\n"], ["", "", ""]), (["a\r\n"], ["a\r"]), (["ab", "", "cd", "\n"], ["abcd"]),
        ] as [([String], [String])])
    func lines(_ chunks: [String], _ expected: [String]) {
        var buffer = LineBuffer()
        var lines: [String] = []
        for chunk in chunks {
            buffer.append(chunk.utf8)
            while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        #expect(lines == expected)
        #expect(buffer.pending == chunks.joined().utf8.count - expected.reduce(0) { $0 + $1.utf8.count + 1 })
    }

    /// A line without an end, and many short ones at once: the work grows with the bytes alone.
    @Test(arguments: [("one line", 0), ("short lines", 20)])
    func theWorkOfLinesIsLinear(_ name: String, _ every: Int) {
        let work = [1 << 20, 1 << 24].map { size in
            var buffer = LineBuffer()
            var chunk = [UInt8](repeating: 0x20, count: 1 << 12)
            if every > 0 { for index in stride(from: 0, to: chunk.count, by: every) { chunk[index] = 0x0A } }
            for _ in 0..<(size / chunk.count) {
                buffer.append(chunk)
                while buffer.nextLine() != nil {}
            }
            _ = buffer.lastLine()
            return Double(buffer.handled) / Double(size)
        }
        // Each byte is taken, looked at, handed out, and moved at the most once or twice.
        #expect(work[0] < 5 && work[1] < 5, "\(name): \(work) times the bytes")
    }

    @Test(
        arguments: [
            (["abcde\n", "ab\n"], [.tooLong(5), .whole([0x61, 0x62])]),
            (["abc", "de", "f\nab", "cd\nabcdefg"], [.tooLong(6), .whole(Array("abcd".utf8)), .tooLong(7)]),
            (["ab\nabcdefgh", "ijk", "\n"], [.whole([0x61, 0x62]), .tooLong(11)]),
            (["abcd\n", "abcdefgh\n\n"], [.whole(Array("abcd".utf8)), .tooLong(8), .whole([])]),
        ] as [([String], [LineBuffer.Line])])
    func linesThatAreTooLong(_ chunks: [String], _ expected: [LineBuffer.Line]) {
        var buffer = LineBuffer(limit: 4)
        var lines: [LineBuffer.Line] = []
        for chunk in chunks {
            buffer.append(chunk.utf8)
            while let line = buffer.nextLine() { lines.append(line) }
            #expect(buffer.pending <= 4)
        }
        if let line = buffer.lastLine() { lines.append(line) }
        #expect(lines == expected)
    }

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
        errorCorrectionLevel: "Q", version: 7, modules: ModuleCount(columns: 45, rows: 45),
        structuredAppend: StructuredAppend(index: 1, count: 3, parity: 200))

    static var report: DecodeReport {
        var report = DecodeReport(source: PictureName("folder/ü.png"))
        report.width = 640
        report.height = 480
        report.orientation = 6
        report.isTruncated = true
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
        retail.version = nil
        retail.modules = nil
        retail.weight = 7
        report.symbols = [symbol, retail]
        return report
    }

    static let reports: [DecodeReport] = [
        report, DecodeReport(source: PictureName("")),
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
        let reply = try JSONLine.encode(WorkerReplyLine(id: 7, report: report))
        #expect(try JSONLine.decode(WorkerReplyLine.self, from: reply).report == report)
    }

    @Test func aReportOfAnotherSchemaIsRefused() throws {
        let line = String(decoding: try JSONLine.encode(Self.report), as: UTF8.self)
        let other = line.replacing("\"schema\":1", with: "\"schema\":2")
        #expect(other != line)
        #expect(throws: DecodingError.self) { try JSONLine.decode(DecodeReport.self, from: Array(other.utf8)) }
    }

    /// What a symbol of an earlier version lacks is what nobody knows of it.
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

    static let requests: [WorkerRequest] = [
        WorkerRequest(path: PictureName("a.png")),
        WorkerRequest(path: PictureName(bytes: [0xFF, 0x0A]), name: PictureName("-")),
        WorkerRequest(
            path: PictureName("a"), name: PictureName("b"),
            options: DecodeOptions(
                symbologies: [.qrCode, .ean13], effort: .thorough, timeBudget: .milliseconds(1500), maximumCount: 3),
            limits: Limits(maximumPixels: 5, maximumSide: 6, maximumFileBytes: 7), annotation: PictureName("c.png")),
        WorkerRequest(path: PictureName("a"), options: DecodeOptions(symbologies: [], effort: .fast)),
    ]

    @Test(arguments: requests) func aRequestComesBackAsItWas(_ request: WorkerRequest) throws {
        let line = try JSONLine.encode(WorkerRequestLine(id: 12, request))
        #expect(line.count(where: { $0 == 0x0A }) == 1)
        let back = try JSONLine.decode(WorkerRequestLine.self, from: line)
        #expect(back.id == 12)
        #expect(back.request == request)
    }

    @Test(arguments: [
        (
            "effort", "\"effort\":\"normal\"", "\"effort\":\"heroic\"",
            "was asked for with the effort 'heroic'; "
                + "known are fast, normal, thorough"
        ),
        ("format", "\"itf\"", "\"rune\"", "was asked for with the format 'rune', which is not known"),
    ])
    func aRequestForTheUnknownIsRefused(_ what: String, _ known: String, _ unknown: String, _ message: String) throws {
        let line = try JSONLine.encode(
            WorkerRequestLine(id: 1, WorkerRequest(path: PictureName("a"), options: DecodeOptions(symbologies: [.itf])))
        )
        let text = String(decoding: line, as: UTF8.self)
        #expect(try JSONLine.decode(WorkerRequestLine.self, from: line).refusal == nil)
        let changed = Array(text.replacing(known, with: unknown).utf8)
        let refusal = try JSONLine.decode(WorkerRequestLine.self, from: changed).refusal
        #expect(refusal == DecodeError(.invalidRequest, message))
    }

    @Test func aRequestIsTheLineThatTheProtocolShows() throws {
        let line = try JSONLine.encode(
            WorkerRequestLine(
                id: 1, WorkerRequest(path: PictureName("a.png"), options: DecodeOptions(symbologies: [.itf, .ean8]))))
        #expect(
            String(decoding: line, as: UTF8.self) == """
                {"effort":"normal","formats":["ean_8","itf"],"id":1,"maximumFileBytes":268435456,\
                "maximumPixels":200000000,"maximumSide":65535,"name":"YS5wbmc=","path":"YS5wbmc="}

                """)
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

/// The queue that workers take their pictures from.
@Suite(.timeLimit(.minutes(3))) struct WorkQueueTests {
    @Test func firstComeFirstServed() async {
        let queue = WorkQueue<Int>()
        for number in 0..<5 { #expect(queue.put(number)) }
        var taken: [Int] = []
        for _ in 0..<5 { if let number = await queue.take() { taken.append(number) } }
        #expect(taken == [0, 1, 2, 3, 4])
    }

    @Test func closing() async {
        let queue = WorkQueue<Int>()
        _ = queue.put(1)
        _ = queue.put(2)
        #expect(queue.close() == [])
        #expect(!queue.put(3))
        #expect(await queue.take() == 1)
        #expect(queue.close(discarding: true) == [2])
        #expect(await queue.take() == nil)
    }

    @Test func thoseWhoWaitAreServedOrSentAway() async {
        let queue = WorkQueue<Int>()
        let taken = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 { group.addTask { await queue.take() } }
            for number in 0..<5 { _ = queue.put(number) }
            queue.close()
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(taken.compactMap(\.self).sorted() == [0, 1, 2, 3, 4])
        #expect(taken.count(where: { $0 == nil }) == 3)
    }
}

/// A picture's report, made in this process.
@Suite(.timeLimit(.minutes(3))) struct PictureDecoderTests {
    static let samples = String(#filePath.dropLast("Tests/DecodeWorkersTests/ProtocolTests.swift".count)) + "Samples/"

    @Test func aReportOnAPicture() {
        let name = PictureName(Self.samples + "qr.png")
        let report = PictureDecoder().report(on: .file(name), name: PictureName("shown"), options: DecodeOptions())
        #expect(report.source == "shown")
        #expect((report.width, report.height, report.orientation) == (132, 132, 1))
        #expect(report.symbols.map(\.text) == ["https://example.org/quietzone"])
        #expect(report.loadMilliseconds > 0 && report.decodeMilliseconds > 0)
        #expect(report.error == nil && !report.isTruncated)
    }

    @Test func aReportOnNoPicture() {
        let report = PictureDecoder().report(
            on: .file(PictureName("/nowhere")), name: PictureName("shown"), options: DecodeOptions())
        #expect(report.error?.code == .notFound)
        #expect(report.symbols.isEmpty && report.width == 0)
    }

    @Test func whatTheInspectorThrowsIsTheReportsError() {
        let name = PictureName(Self.samples + "qr.png")
        let report = PictureDecoder().report(on: .file(name), name: name, options: DecodeOptions()) {
            (image, symbols) throws(DecodeError) in
            #expect(image.width == 132 && symbols.count == 1)
            throw DecodeError(.unreadable, "cannot be written")
        }
        #expect(report.error == DecodeError(.unreadable, "cannot be written"))
        #expect(report.symbols.isEmpty)
    }
}
