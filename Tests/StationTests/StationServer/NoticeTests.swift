import BarcodeCore
import FoundationEssentials
import Logging
import ScanEvents
import ScanOutbox
import TestSupport
import Testing

@testable import StationServer

/// Notices to people who are not looking at the page.
@Suite(.timeLimit(.minutes(10))) struct NoticeTests {
    private static func service(
        _ outbox: Outbox, _ notices: NoticeSettings, _ told: AsyncStream<StationNotice>.Continuation
    ) throws -> ScanService {
        try ScanService(
            outbox: outbox, station: "test", destinations: ["a", "b"].map { Destination(name: $0) }, policy: .none,
            notices: notices, onNotice: { told.yield($0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func store(_ text: String, by service: ScanService) async throws {
        let symbol = ScannedSymbol(symbology: .qrCode, text: text, bytes: Array(text.utf8))
        _ = try await service.store(
            [ScanSubmission(symbols: [symbol], source: ScanSource(kind: .upload))], request: nil)
    }

    @Test func codesAndFailuresAreToldOnce() async throws {
        let folder = try TestFolder()
        let outbox = try Outbox(path: folder["outbox.sqlite"])
        var settings = NoticeSettings()
        settings.codes = EventFilter(pattern: try TextPattern("^RECALL|^WIFI"))
        settings.failures = true
        let (notices, told) = AsyncStream.makeStream(of: StationNotice.self)
        let service = try Self.service(outbox, settings, told)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let client = try service.hub.open(.station, wantsView: false)
            group.addTask { try await service.follow() }
            // The first notification comes once new scans are followed.
            _ = await client.next()
            service.hub.remove(client)
            var next = notices.makeAsyncIterator()
            for text in ["other", "RECALL-1", "WIFI:T:WPA;S:ward;P:correct horse;;"] {
                try await Self.store(text, by: service)
            }
            #expect(await next.next() == StationNotice(kind: .code, text: "RECALL-1"))
            #expect(await next.next() == StationNotice(kind: .code, text: "", content: "wifi"))

            // Dead for one destination, then delivered to the other: announced once.
            let start = Date()
            let claims = try await outbox.claim("a", limit: 9, now: start, lease: .seconds(60))
            try await outbox.settle(claims.map { Settlement($0, state: .dead, attemptedAt: start) })
            #expect(await next.next() == StationNotice(kind: .notDelivered, text: "a", count: claims.count))
            let others = try await outbox.claim("b", limit: 9, now: start, lease: .seconds(60))
            try await outbox.settle(others.map { Settlement($0, state: .delivered, status: 200, attemptedAt: start) })
            // Dead again after another attempt: announced again, and nothing in between.
            let one = try #require(try await outbox.newestEvent())
            _ = try await outbox.replay(.event(one), to: [Destination(name: "a")], now: start)
            let again = try await outbox.claim("a", limit: 9, now: start + 1, lease: .seconds(60))
            try await outbox.settle(again.map { Settlement($0, state: .dead, attemptedAt: start + 1) })
            #expect(claims.count == 3 && again.count == 1)
            #expect(await next.next() == StationNotice(kind: .notDelivered, text: "a", count: 1))
            // A disabled destination: its pending event, and a later one.
            _ = try await outbox.replay(.state(.dead), to: [Destination(name: "a")], now: start)
            let waiting = try await outbox.claim("a", limit: 1, now: start + 2, lease: .seconds(60))
            try await outbox.settle(waiting.map { Settlement($0, state: .dead, attemptedAt: start + 2) })
            #expect(await next.next() == StationNotice(kind: .notDelivered, text: "a", count: 1))
            try await Self.store("waits", by: service)
            try await outbox.disable("b", reason: "410")
            #expect(await next.next() == StationNotice(kind: .notDelivered, text: "b", count: 1))
            try await Self.store("comes", by: service)
            #expect(await next.next() == StationNotice(kind: .notDelivered, text: "b", count: 1))
            group.cancelAll()
        }
    }

    @Test func whatCannotBeSavedIsToldOnce() async throws {
        let folder = try TestFolder()
        let outbox = try Outbox(path: folder["outbox.sqlite"])
        var settings = NoticeSettings()
        settings.failures = true
        let (notices, told) = AsyncStream.makeStream(of: StationNotice.self)
        let service = try Self.service(outbox, settings, told)
        try outbox.close()
        for _ in 0..<3 {
            await #expect(throws: HTTPFailure.self) { try await Self.store("lost", by: service) }
        }
        told.finish()
        #expect(await Array(notices) == [StationNotice(kind: .notSaved, text: "", count: 1)])
    }
}

extension Array {
    fileprivate init(_ stream: AsyncStream<Element>) async {
        self = []
        for await element in stream { append(element) }
    }
}
