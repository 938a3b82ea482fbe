import Glibc
import ScanOutbox
import TestSupport
import Testing

@testable import Delivery

/// Writing lines to a reader that is slow, stuck or gone.
@Suite(.timeLimit(.minutes(10))) struct LineWriterTests {
    /// A pipe whose reader reads on command.
    private final class Pipe: Sendable {
        let writer: LineWriter
        let reading: Int32
        let writing: Int32

        init() throws {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
            // The minimum capacity: one page.
            _ = fcntl(writing, setPipeSize, 4096)
            writer = LineWriter(descriptor: writing)
        }

        /// The number of unread bytes.
        var waiting: Int {
            var count: Int32 = 0
            _ = ioctl(reading, UInt(FIONREAD), &count)
            return Int(count)
        }

        /// Reads lines on a thread that may block.
        func lines(_ number: Int) async -> [String] {
            await withCheckedContinuation { continuation in
                let reading = reading
                pthread {
                    var bytes: [UInt8] = []
                    while bytes.count(where: { $0 == 0x0A }) < number {
                        var chunk = [UInt8](repeating: 0, count: 4096)
                        let count = read(reading, &chunk, chunk.count)
                        if count <= 0 { break }
                        bytes += chunk.prefix(count)
                    }
                    continuation.resume(
                        returning: bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) })
                }
            }
        }
    }

    private static func line(_ letter: Character, _ length: Int) -> [UInt8] {
        Array(String(repeating: letter, count: length).utf8)
    }

    @Test func aLineThatWasBegunIsEndedBeforeTheNext() async throws {
        let pipe = try Pipe()
        let long = Self.line("a", 100_000)
        let first = Task { [writer = pipe.writer] in await writer.write(long, name: "a") }
        let isFull = await eventually { pipe.waiting == 4096 }
        #expect(isFull)
        let unread = Task { [writer = pipe.writer] in await writer.write(Self.line("b", 10), name: "b") }
        first.cancel()
        #expect(await first.value == .abandoned)
        // A line that was not started is withdrawn completely.
        unread.cancel()
        #expect(await unread.value == .abandoned)
        let third = Task { [writer = pipe.writer] in await writer.write(Self.line("c", 10), name: "c") }
        let read = await pipe.lines(2)
        #expect(await third.value == .written)
        #expect(read == [String(repeating: "a", count: 100_000), String(repeating: "c", count: 10)])
        // It was written after all, so it is not written again.
        #expect(await pipe.writer.write(long, name: "a") == .written)
        #expect(pipe.waiting == 0)
        #expect(await pipe.writer.write(Self.line("d", 3), name: "d") == .written)
        #expect(await pipe.lines(1) == ["ddd"])
    }

    @Test func oneThatIsHandedInAgainWaitsForItsOwnEnd() async throws {
        let pipe = try Pipe()
        let long = Self.line("a", 20_000)
        let first = Task { [writer = pipe.writer] in await writer.write(long, name: "a") }
        let isFull = await eventually { pipe.waiting == 4096 }
        #expect(isFull)
        first.cancel()
        #expect(await first.value == .abandoned)
        async let again = pipe.writer.write(long, name: "a")
        #expect(await pipe.lines(1) == [String(repeating: "a", count: 20_000)])
        #expect(await again == .written)
        #expect(pipe.waiting == 0)
    }

    @Test func theEndOfTheReaderIsNoticedWithoutALine() async throws {
        let pipe = try Pipe()
        async let end: Void = pipe.writer.untilClosed()
        #expect(!pipe.writer.isClosed)
        close(pipe.reading)
        await end
        #expect(pipe.writer.isClosed)
        #expect(await pipe.writer.write([0x61]) == .closed)
    }

    @Test func theEndOfTheReaderEndsLinesThatWait() async throws {
        let pipe = try Pipe()
        let tasks = (0..<50).map { number in
            Task { [writer = pipe.writer] in await writer.write(Self.line("a", 5000), name: "\(number)") }
        }
        let isFull = await eventually { pipe.waiting == 4096 }
        #expect(isFull)
        close(pipe.reading)
        for task in tasks { #expect(await task.value == .closed) }
    }

    /// A disk that is full for a while: a started line is completed once there is room.
    @Test func aFullDeviceIsAFailure() async throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        let writer = LineWriter(descriptor: descriptor)
        #expect(await writer.write([0x61], name: "a") == .failed(ENOSPC))
        #expect(await writer.write([0x61], name: "a") == .failed(ENOSPC))
        #expect(!writer.isClosed)
        // For an event that is no attempt: it waits for room as long as it takes.
        let message = try OutgoingMessage(.test(), to: Destination(name: "lines"))
        let outcome = await StandardOutputSink(writer).deliver(message)
        #expect(outcome.kind == .postponed, "\(outcome)")
    }
}

/// Runs `body` on a thread of its own.
private func pthread(_ body: @escaping @Sendable () -> Void) {
    final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { argument in
            Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Work(body)).toOpaque())
    pthread_detach(thread)
}

/// Linux' F_SETPIPE_SZ, which is only declared with `_GNU_SOURCE`.
private let setPipeSize: Int32 = 1031
