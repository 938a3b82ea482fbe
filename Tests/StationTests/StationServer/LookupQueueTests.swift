import BarcodeCore
import Delivery
import Logging
import ScanEvents
import Synchronization
import Testing

@testable import StationServer

@Suite(.timeLimit(.minutes(2))) struct LookupQueueTests {
    /// Lookups that hang until they are released by the text of their code.
    private final class SlowSystem: Sendable {
        let started: AsyncStream<String>
        private let start: AsyncStream<String>.Continuation
        private let waiting = Mutex<[String: CheckedContinuation<Void, Never>]>([:])
        private let isOpen = Mutex(false)

        init() { (started, start) = AsyncStream.makeStream() }

        func answer(_ event: ScanEvent) async -> Lookup.Answer {
            let text = event.symbol.text
            await withCheckedContinuation { continuation in
                if isOpen.withLock({ $0 }) {
                    continuation.resume()
                } else {
                    waiting.withLock { $0[text] = continuation }
                }
                start.yield(text)
            }
            return Lookup.Answer(.answered, text: text, tone: .good)
        }

        func release(_ text: String) { waiting.withLock { $0.removeValue(forKey: text) }?.resume() }

        func releaseAll() {
            isOpen.withLock { $0 = true }
            for (_, continuation) in waiting.withLock({ $0 }) { continuation.resume() }
        }
    }

    private static func event(_ number: Int) -> ScanEvent {
        ScanEvent(
            station: "test", source: ScanSource(kind: .device),
            symbol: ScannedSymbol(symbology: .qrCode, text: "\(number)", bytes: Array("\(number)".utf8)))
    }

    @Sendable private static func noPicture(
        _ address: String, _ event: ScanEvent
    ) async throws(Lookup.PictureFailure) -> LookupPicture {
        throw Lookup.PictureFailure(reason: "is none")
    }

    @Test("The text is told at once, and the picture when it is there; only the newest pictures are kept")
    func pictures() async throws {
        let (messages, sent) = AsyncStream<LookupMessage>.makeStream()
        let picture = LookupPicture(bytes: [1, 2, 3], mediaType: "image/png")
        let queue = LookupQueue(
            concerns: { _ in true },
            answer: { Lookup.Answer(.answered, text: $0.symbol.text, picture: "/\($0.symbol.text)") },
            picture: { (address, _) async throws(Lookup.PictureFailure) -> LookupPicture in
                if address == "/1" { throw Lookup.PictureFailure(reason: "answered 404") }
                return picture
            }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { sent.yield($0) }
        let run = Task { await queue.run() }
        defer { run.cancel() }
        var told = messages.makeAsyncIterator()
        var newest: [EventID] = []
        for number in 0..<LookupQueue.keptPictures + 2 {
            let event = Self.event(number)
            newest.append(event.id)
            queue.take([event])
            #expect(await told.next()?.state == "waiting")
            let answer = await told.next()
            #expect(answer?.text == "\(number)" && answer?.hasPicture == nil)
            guard number != 1 else { continue }
            let whole = await told.next()
            #expect(whole?.id == event.id && whole?.text == "\(number)" && whole?.hasPicture == true)
            #expect(queue.picture(of: event.id) == picture)
        }
        #expect(queue.picture(of: newest[0]) == nil && queue.picture(of: newest[1]) == nil)
        #expect(queue.picture(of: newest[2]) == picture)
    }

    @Test func dropsTheOldestWhileTheSystemIsSlow() async throws {
        let system = SlowSystem()
        let (messages, sent) = AsyncStream<LookupMessage>.makeStream()
        let queue = LookupQueue(
            concerns: { _ in true }, answer: system.answer, picture: Self.noPicture,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { sent.yield($0) }
        let run = Task { await queue.run() }
        defer { run.cancel() }
        let events = (0..<30).map(Self.event)
        // It returns although no lookup ends.
        queue.take(events)
        #expect(queue.newest == .waiting(events[29].id))
        var starts = system.started.makeAsyncIterator()
        var running: Set<String> = []
        for _ in 0..<LookupQueue.concurrency { running.insert(try #require(await starts.next())) }
        #expect(running == ["0", "1", "2", "3"])
        system.release("0")
        #expect(await starts.next() == "29")
        system.releaseAll()
        var ended: [EventID: LookupMessage] = [:]
        for await message in messages where message.state != "waiting" {
            ended[message.id] = message
            if ended.count == events.count { break }
        }
        let skipped = events.filter { ended[$0.id]?.state == "skipped" }.map(\.symbol.text)
        #expect(skipped == (4..<14).map(String.init))
        let answered = events.filter { ended[$0.id]?.text == $0.symbol.text && ended[$0.id]?.tone == "good" }
        let kept = events[0..<4] + events[14..<30]
        #expect(answered.map(\.symbol.text) == kept.map(\.symbol.text))
        #expect(queue.newest == ended[events[29].id])
    }

    /// The end of the station ends the lookups under way, and waits for them.
    @Test func endsItsLookups() async {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let ended = Mutex(0)
        let queue = LookupQueue(
            concerns: { _ in true },
            answer: { _ in
                start.yield()
                // Until it is canceled.
                let (silence, end) = AsyncStream.makeStream(of: Void.self)
                for await _ in silence {}
                end.finish()
                ended.withLock { $0 += 1 }
                return Lookup.Answer(.slow)
            }, picture: Self.noPicture,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in }
        let run = Task { await queue.run() }
        queue.take([Self.event(1), Self.event(2)])
        var begun = starts.makeAsyncIterator()
        for _ in 0..<2 { _ = await begun.next() }
        run.cancel()
        await run.value
        #expect(ended.withLock { $0 } == 2)
    }

    @Test func asksOnlyAboutCodesThatConcernIt() {
        let queue = LookupQueue(
            concerns: { _ in false },
            answer: { _ in
                Issue.record("was asked"); return Lookup.Answer(.away)
            }, picture: Self.noPicture,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in Issue.record("was published") }
        queue.take([Self.event(1)])
        #expect(queue.newest == nil)
    }
}
