import BarcodeDecoding
import DecodeWorkers
import Delivery
import Foundation
import ScanEvents
import ScanOutbox
import Testing

/// The results of the examples in the documentation.
@Suite(.timeLimit(.minutes(10))) struct ExampleRunTests {
    static let sample = ExampleTests.root + "Samples/qr.png"
    static let bytes = FileManager.default.contents(atPath: sample).map { [UInt8]($0) } ?? []

    @Test func decodingAPicture() async throws {
        let text = ["https://example.org/quietzone"]
        let decoder = BarcodeDecoder()
        #expect(try DecodingAPicture.options(decoder, bytes: Self.bytes).map(\.text) == text)
        #expect(try await DecodingAPicture.task(decoder, path: Self.sample).map(\.text) == text)
        #expect(try await DecodingAPicture.pool(decoder, upload: Self.bytes).map(\.text) == text)
        #expect(try DecodingAPicture.pixels(decoder, width: 2, height: 1, luma: [0, 255]) == [])
        #expect(try DecodingAPicture.errors(decoder, path: ExampleTests.root + "Package.swift") == [])
        #expect(throws: DecodeError.self) { try DecodingAPicture.errors(decoder, path: "/nowhere") }
        let symbols = try ["qr.png", "film-edge.png"].flatMap { name in
            try decoder.decode(contentsOf: ExampleTests.root + "Samples/" + name)
        }
        #expect(DecodingAPicture.trusted(symbols).map(\.text) == text)
    }

    @Test(arguments: [
        (nil, ""), (DecodeError(.corrupt, "is damaged"), "We cannot read this picture."),
        (DecodeError(.timedOut, "took too long"), "This picture takes too long to read."),
        (DecodeError(.noWorker, "was not decoded"), "Please try again later."),
    ])
    func answersToStrangers(_ error: DecodeError?, _ answer: String) {
        let report = DecodeReport(source: PictureName("upload 17"), error: error)
        #expect(DecodingPicturesFromStrangers.answer(report) == answer)
    }

    @Test func deliveringEveryScan() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "quietzone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var report = DecodeReport(source: PictureName("upload 17"))
        report.symbols = try { try BarcodeDecoder().decode(contentsOf: Self.sample) }()
        let path = folder.appending(path: "outbox.sqlite").path
        let (outbox, events) = try await DeliveringEveryScan.store(report, at: path)
        #expect(events.map(\.symbol.text) == ["https://example.org/quietzone"])
        #expect(try await outbox.event(events[0].id)?.event.symbol.text == events[0].symbol.text)
        let message = try OutgoingMessage(events[0], to: Destination(name: "records"))
        #expect(await DeliveringEveryScan.FileSink { $0 == Array(message.body) }.deliver(message) == .delivered())
        #expect(await DeliveringEveryScan.FileSink { _ in false }.deliver(message).kind == .failed)
    }

    /// The program is not at the path of the page: the pool reports that, and ends.
    @Test func poolOfThePageAnswersAndEnds() async {
        await DecodingPicturesFromStrangers.start { pool in
            let report = await DecodingPicturesFromStrangers.decode(Self.sample, with: pool)
            #expect(report.source == "upload 17")
            #expect(report.error?.code == .noWorker || report.error == nil)
        }
    }
}
