import BarcodeCore
import Foundation
import ImageCodecs
import Synchronization
import TestSupport
import Testing

@testable import DecodeReports
@testable import DecodeWorkers

/// The lines of the worker protocol, in both directions.
@Suite struct ProtocolTests {
    @Test func aReplyComesBackAsItWas() throws {
        var report = DecodeReport(source: PictureName("a"), error: DecodeError(.tooLarge, "is too large"))
        report.width = 7
        let line = try JSONLine.encode(WorkerReplyLine(id: 7, report: report))
        let back = try JSONLine.decode(WorkerReplyLine.self, from: line)
        #expect(back.id == 7 && back.report == report)
    }

    /// A pool passes on what a worker wrote only if no other parser can take it for another reply.
    @Test func aReplyThatIsPassedOnIsUnambiguous() throws {
        let report = DecodeReport(source: PictureName("a"))
        let line = String(decoding: try JSONLine.encode(WorkerReplyLine(id: 7, report: report)), as: UTF8.self)
        func isUnambiguous(_ line: String, id: Int = 7) -> Bool {
            WorkerReplyLine.isUnambiguous(Array(line.utf8), id: id)
        }
        #expect(isUnambiguous(line))
        #expect(!isUnambiguous(line, id: 8))
        for (known, other) in [
            (",\"schema\":1}\n", ",\"id\":8,\"schema\":1}\n"), ("{\"id\":7,", "{\"id\":8,\"id\":7,"),
            ("\"width\":0", "\"width\":-1"), ("\"report\":{", "\"report\":[{"), ("}\n", "}"),
        ] {
            #expect(line.contains(known) && !isUnambiguous(line.replacing(known, with: other)), "\(other)")
        }
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
            "was requested with the unknown effort 'heroic'; the efforts are fast, normal, thorough"
        ),
        (
            "format", "\"itf\"", "\"rune\"",
            "was requested with the unknown format 'rune'; omit formats for the default ones"
        ),
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

    /// A line without a version counts as version 1; for an unknown version, the reply has the reason, whatever else
    /// it says.
    @Test(arguments: [
        (#""schema":1,"#, nil), ("", nil),
        (
            #""schema":3,"#,
            "was requested by version 3 of the worker protocol; this worker supports versions 1 and 2: start a "
                + "worker of the same program"
        ),
    ])
    func aLineOfAnotherVersionIsRefused(_ schema: String, _ message: String?) throws {
        let rest =
            message == nil
            ? #""path":"YQ==","name":"YQ==","formats":["qr_code"],"effort":"fast","maximumPixels":1,"maximumSide":1,"#
                + #""maximumFileBytes":1}"#
            : #""novelty":true}"#
        switch try WorkerProtocol.parse(Array("{\(schema)\"id\":7,\(rest)".utf8)) {
        case .request(let id, let request, _): #expect(message == nil && id == 7 && request.path.display == "a")
        case .refusal(let reply, _):
            #expect(reply.id == 7 && reply.report.error == message.map { DecodeError(.invalidRequest, $0) })
        }
    }

    @Test func aReplyOfAnotherVersionIsRefused() throws {
        let line = Array(#"{"schema":3,"id":7,"answer":"new"}"#.utf8)
        let error = #expect(throws: WorkerProtocol.SchemaMismatch.self) {
            try JSONLine.decode(WorkerReplyLine.self, from: line)
        }
        #expect(error?.schema == 3 && error?.id == 7)
    }

    /// A time budget beyond the range of the clock does not end the worker.
    @Test(arguments: [1e300, -5, 0]) func aBudgetBeyondAllBounds(_ milliseconds: Double) throws {
        var line = WorkerRequestLine(id: 1, WorkerRequest(path: PictureName("a")))
        line.timeBudgetMilliseconds = milliseconds
        let budget = try #require(line.request.options.timeBudget)
        #expect(budget >= .zero && budget <= .seconds(1e9))
    }

    /// A time budget survives encoding and decoding, even if a program in another language wrote it.
    @Test(arguments: [0.001, 8.5, 0.1 + 0.2, 1234.567, 99_999_999.999, 31_536_000_000.001, 1e300])
    func aBudgetComesBackAsItself(_ milliseconds: Double) throws {
        var line = WorkerRequestLine(id: 1, WorkerRequest(path: PictureName("a")))
        line.timeBudgetMilliseconds = milliseconds
        let again = try JSONLine.decode(
            WorkerRequestLine.self, from: try JSONLine.encode(WorkerRequestLine(id: 1, line.request)))
        #expect(again.request == line.request)
        #expect(again.timeBudgetMilliseconds == WorkerRequestLine(id: 1, line.request).timeBudgetMilliseconds)
    }

    @Test func aRequestIsTheLineThatTheProtocolShows() throws {
        let line = try JSONLine.encode(
            WorkerRequestLine(
                id: 1, WorkerRequest(path: PictureName("a.png"), options: DecodeOptions(symbologies: [.itf, .ean8]))))
        #expect(
            String(decoding: line, as: UTF8.self) == """
                {"effort":"normal","formats":["ean_8","itf"],"id":1,"maximumFileBytes":268435456,\
                "maximumPixels":200000000,"maximumSide":65535,"name":"YS5wbmc=","path":"YS5wbmc=","schema":1}

                """)
    }
}

/// The queue of pictures for the workers.
@Suite(.timeLimit(.minutes(10))) struct WorkQueueTests {
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

/// The report on a picture, created in this process.
@Suite(.timeLimit(.minutes(10))) struct PictureDecoderTests {
    static let samples = ProgramRunner.samplesFolder

    @Test func aReportOnAPicture() {
        let name = PictureName(Self.samples + "qr.png")
        let report = PictureDecoder().report(on: .file(name), name: PictureName("shown"), options: DecodeOptions())
        #expect(report.source == "shown")
        #expect((report.width, report.height, report.orientation) == (132, 132, 1))
        #expect(report.symbols.map(\.text) == ["https://example.org/quietzone"])
        #expect(report.loadMilliseconds > 0 && report.decodeMilliseconds > 0)
        #expect(report.error == nil && !report.isTruncated)
    }

    @Test func aSearchThatItsTimeBudgetEnds() {
        let name = PictureName(Self.samples + "qr.png")
        let options = DecodeOptions(effort: .thorough, timeBudget: .zero)
        let report = PictureDecoder().report(on: .file(name), name: name, options: options)
        #expect(report.error == nil && report.warnings.map(\.code) == [.searchCutShort])
        let all = PictureDecoder().report(on: .file(name), name: name, options: DecodeOptions())
        #expect(all.warnings.isEmpty)
    }

    @Test(arguments: [
        ("qr.png", DecodeOptions(symbologies: [.qrCode]), SearchEnd.symbolsRead),
        ("no-code.jpg", DecodeOptions(symbologies: [.qrCode]), .complete),
        ("qr.png", DecodeOptions(maximumCount: 1), .maximumCount),
        ("qr.png", DecodeOptions(timeBudget: .zero), .timeBudget),
    ])
    func reportsWhyTheSearchEnded(_ sample: String, _ options: DecodeOptions, _ end: SearchEnd) throws {
        let name = PictureName(Self.samples + sample)
        let report = PictureDecoder().report(on: .file(name), name: name, options: options)
        #expect(report.searchEnd == end)
        let line = try JSONLine.encode(report)
        #expect(try JSONDecoder().decode(DecodeReport.self, from: Data(line)).searchEnd == end)
        let unread = PictureName("/nowhere")
        #expect(PictureDecoder().report(on: .file(unread), name: unread, options: options).searchEnd == nil)
    }

    @Test func aReportOnNoPicture() {
        let report = PictureDecoder().report(
            on: .file(PictureName("/nowhere")), name: PictureName("shown"), options: DecodeOptions())
        #expect(report.error?.code == .notFound)
        #expect(report.symbols.isEmpty && report.width == 0)
    }

    @Test func reportsOnPixels() throws {
        let image = try ImageLoader().load(contentsOf: Self.samples + "qr.png").image
        let report = PictureDecoder().report(
            on: .image(image), name: PictureName("frame"), options: DecodeOptions())
        #expect(report.source == "frame" && report.pages == nil && report.error == nil)
        #expect(report.symbols.map(\.text) == ["https://example.org/quietzone"])
    }

    /// Decodes, and cancels when the search asks for the last of so many times.
    ///
    /// - Returns: the report, and the number of times that the search asked.
    static func report(on source: PictureDecoder.Source, cancelledAt last: Int) -> (report: DecodeReport, calls: Int) {
        let calls = Mutex(0)
        let report = PictureDecoder().report(
            on: source, name: PictureName("picture"), options: DecodeOptions(),
            isCancelled: {
                calls.withLock { calls in
                    calls += 1
                    return calls >= last
                }
            })
        return (report, calls.withLock { $0 })
    }

    @Test(arguments: [1, 2, 3]) func cancellationIsAnError(_ last: Int) {
        let report = Self.report(on: .file(PictureName(Self.samples + "qr.png")), cancelledAt: last).report
        #expect(report.error?.code == .cancelled && report.symbols.isEmpty)
    }

    @Test func cancellationInAFurtherViewIsAnError() throws {
        let gif = try Fixtures.bytes("gif-grey.gif")
        // The frame stands between the colors and the last byte; here it comes twice.
        let colors = 13 + 3 * (2 << Int(gif[10] & 7))
        let bytes = [UInt8](gif.dropLast() + gif[colors...])
        let first = try ImageLoader().load(bytes)
        try #require(first.hasFurtherView)
        let calls = Self.report(on: .image(first.image), cancelledAt: .max).calls
        let report = Self.report(on: .bytes(bytes), cancelledAt: calls + 2).report
        #expect(report.error?.code == .cancelled)
    }

    @Test func whatTheInspectorThrowsIsAWarning() {
        let name = PictureName(Self.samples + "qr.png")
        let report = PictureDecoder().report(on: .file(name), name: name, options: DecodeOptions()) {
            (image, symbols) throws(DecodeError) in
            #expect(image.width == 132 && symbols.count == 1)
            throw DecodeError(.unreadable, "cannot be written")
        }
        #expect(report.warnings == [DecodeError(.notWritten, "cannot be written")])
        #expect(report.error == nil && report.symbols.count == 1)
    }
}
