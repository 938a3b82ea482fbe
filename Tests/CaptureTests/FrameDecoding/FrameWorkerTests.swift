import BarcodeCore
import DecodeWorkers
import FrameDecoding
import Glibc
import ImageCodecs
import Logging
import SystemPackage
import TestSupport
import Testing
import VideoCapture

/// Frames that a worker of the built `decode-image` decodes.
@Suite(.timeLimit(.minutes(10))) struct FrameWorkerTests {
    private static let worker = ProgramRunner.built("decode-image").executable

    /// Runs a pool whose only worker is a shell command, with a decoder that uses it.
    private static func decode(
        by command: String, timeout: Duration = .seconds(300), _ body: (LiveDecoder) async throws -> Void
    ) async throws {
        let pool = WorkerPool(
            settings: WorkerPool.Settings(
                executable: "/bin/sh", arguments: ["-c", command], workers: 1, timeout: timeout),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        async let _: Void = pool.run()
        defer { pool.finish() }
        try await body(LiveDecoder(FrameDecoder(pool: pool)))
    }

    private static func frame(_ sample: String, _ number: Int = 0) throws -> CapturedFrame {
        CapturedFrame(
            image: try ImageLoader().load(contentsOf: ProgramRunner.packageFolder + "Samples/\(sample)").image,
            timestamp: .milliseconds(number),
            sequence: UInt32(number))
    }

    @Test(arguments: ["qr.png", "ean13-addon5.png", "order-form.png", "no-code.jpg"])
    func readingIsTheSameAsInTheProcess(_ sample: String) async throws {
        let frame = try Self.frame(sample)
        let expected = try await LiveDecoder(FrameDecoder()).decode(frame).reading
        try await Self.decode(by: "exec '\(Self.worker)' --worker") { decoder in
            let reading = try await decoder.decode(frame).reading
            #expect(reading.symbols.map(\.bytes) == expected.symbols.map(\.bytes))
            #expect(reading.symbols.map(\.addOn) == expected.symbols.map(\.addOn))
            #expect(reading.unread.map(\.kind) == expected.unread.map(\.kind))
            #expect(reading.isFullSearch)
            for (one, other) in zip(reading.symbols, expected.symbols) {
                let (box, same) = (one.corners.boundingBox, other.corners.boundingBox)
                #expect(abs(box.x - same.x) < 0.1 && abs(box.width - same.width) < 0.1)
            }
        }
    }

    @Test func aCrashCostsOneFrame() async throws {
        let folder = try TemporaryFolder()
        let mark = folder["crashed"]
        let command = "if [ -e '\(mark)' ]; then exec '\(Self.worker)' --worker; fi; : > '\(mark)'; kill -SEGV $$"
        try await Self.decode(by: command) { decoder in
            let error = await #expect(throws: DecodeError.self) { try await decoder.decode(Self.frame("qr.png")) }
            #expect(error?.code == .readerCrashed)
            let reading = try await decoder.decode(Self.frame("qr.png", 1)).reading
            #expect(reading.newSymbols.map(\.text) == ["https://example.org/quietzone"])
        }
    }

    @Test func aWorkerThatHangsIsGivenUp() async throws {
        try await Self.decode(by: "exec sleep 1000", timeout: .milliseconds(100)) { decoder in
            let error = await #expect(throws: DecodeError.self) { try await decoder.decode(Self.frame("qr.png")) }
            #expect(error?.code == .timedOut)
        }
    }
}
