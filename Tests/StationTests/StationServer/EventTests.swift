import BarcodeCore
import FoundationEssentials
import ScanEvents
import ScanOutbox
import SymbolContent
import TestSupport
import Testing

@testable import StationServer

/// The queues of event clients; no client misses a scan.
@Suite(.timeLimit(.minutes(10))) struct EventTests {
    private static func message(_ text: String, to audience: EventMessage.Audience = .station) throws -> EventMessage {
        try EventMessage("test", [text], to: audience)
    }

    @Test("A station with keys says in a scan's content whether the signature is valid")
    func signature() async throws {
        let keys = try SigningKeys(folder: Array("\(ProgramRunner.samplesFolder)seal-keys".utf8))
        let box = try TestScanService(signingKeys: keys)
        let seal = ScannedSymbol(symbology: .qrCode, text: "", bytes: SealSpecimen.bytes)
        let submission = ScanSubmission(symbols: [seal], source: ScanSource(kind: .upload))
        let id = try #require(try await box.scanService.store([submission], request: nil).first?.id)
        let record = try #require(try await box.outbox.event(id))
        #expect(ScanRecord(record).event.content?["signature"] == "valid")
    }

    @Test func theFormOfAnEvent() throws {
        let bytes = EventMessage.bytes(id: "i", name: "scan", data: Array("{}".utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == "id: i\nevent: scan\ndata: {}\n\n")
        // JSON escapes line ends.
        let text = try EventMessage("test", ["a\r\nb\u{2028}\u{0}"], to: .station).bytes
        #expect(text.split(separator: 0x0A, omittingEmptySubsequences: false).count == 4)
        #expect(!text.contains(0x0D) && !text.contains(0))
    }

    @Test(arguments: [
        ("the station hears of all but the view", nil as String?, false, [true, true, true, false]),
        ("a viewer hears of the view too", nil, true, [true, true, true, true]),
        ("a page hears of its own alone", "a", false, [false, true, false, false]),
        ("also where it asks for the view", "a", true, [false, true, false, false]),
    ])
    func audiences(_ label: String, _ session: String?, _ wantsView: Bool, _ expected: [Bool]) {
        let client = EventClient(session.map { .page(origin: "o", session: $0) } ?? .station, wantsView: wantsView)
        let audiences: [EventMessage.Audience] = [.station, .session("a"), .session("b"), .viewers]
        #expect(audiences.map(client.hears) == expected)
    }

    @Test func aSlowClientIsBoundedAndTold() async throws {
        let client = EventClient(.station, wantsView: false)
        for index in 0..<300 { client.put(try Self.message("\(index)")) }
        client.putScans()
        let batch = try #require(await client.next())
        #expect(batch.messages.count == EventClient.maximumMessages)
        #expect(batch.dropped == 300 - EventClient.maximumMessages)
        #expect(batch.hasScans)
        // Large messages are limited by their size in bytes.
        let large = try Self.message(String(repeating: "x", count: 300_000))
        for _ in 0..<10 { client.put(large) }
        let second = try #require(await client.next())
        #expect(second.messages.count == 3 && second.dropped == 7)
    }

    @Test func aClientThatWaitsIsWokenAndEnded() async throws {
        let hub = EventHub()
        let client = try hub.open(.station, wantsView: false)
        async let first = client.next()
        hub.publish(try Self.message("a"))
        #expect(await first?.messages.count == 1)
        async let end = client.next()
        hub.close()
        #expect(await end == nil)
        #expect(throws: HTTPFailure.self) { try hub.open(.station, wantsView: false) }
    }

    @Test func listenersAreBounded() throws {
        let hub = EventHub()
        let clients = try (0..<EventHub.quota.maximum).map { _ in try hub.open(.station, wantsView: false) }
        #expect(throws: HTTPFailure.self) { try hub.open(.station, wantsView: false) }
        hub.remove(clients[0])
        _ = try hub.open(.station, wantsView: false)
    }

    @Test func theFeedKnowsWhereItBegins() {
        let feed = ScanFeed(after: nil, maximumEntries: 3, maximumBytes: 1000)
        let ids = (0..<6).map { _ in EventID() }
        #expect(feed.entries(after: nil)?.isEmpty == true)
        #expect(feed.entries(after: ids[0]) == nil)
        feed.append(ids[0...1].map { ScanFeed.Entry(id: $0, bytes: [1]) })
        #expect(feed.entries(after: nil)?.map(\.id) == Array(ids[0...1]))
        #expect(feed.entries(after: ids[0])?.map(\.id) == [ids[1]])
        feed.append(ids[2...4].map { ScanFeed.Entry(id: $0, bytes: [1]) })
        #expect(feed.entries(after: nil) == nil)
        #expect(feed.entries(after: ids[0]) == nil)
        #expect(feed.entries(after: ids[1])?.map(\.id) == Array(ids[2...4]))
        #expect(feed.entries(after: ids[4])?.isEmpty == true)
        #expect(feed.head == ids[4])
        // The newest entry is kept, however large it is.
        feed.append([ScanFeed.Entry(id: ids[5], bytes: Array(repeating: 0, count: 5000))])
        #expect(feed.entries(after: ids[4])?.map(\.id) == [ids[5]])
        #expect(feed.entries(after: ids[3]) == nil)
    }

    /// Scans committed during a client's absence come once each, in the order of their commits, whether or not the
    /// feed reaches back that far.
    @Test(arguments: [0, 1, 7, 700])
    func whatWasMissedComesOnceInOrder(_ missed: Int) async throws {
        let box = try TestScanService()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await box.scanService.follow() }
            let before = try await box.store(["before"])
            let stored = try await box.store((0..<missed).map { "\($0)" })
            let client = try box.scanService.hub.open(.station, wantsView: false)
            client.putScans()
            var cursor: EventID? = before[0]
            var seen: [EventID] = []
            while seen.count < stored.count, await client.next() != nil {
                while case let entries = try await box.scanService.scans(after: cursor, limit: 64),
                    let last = entries.last
                {
                    seen += entries.map(\.id)
                    cursor = last.id
                }
            }
            #expect(seen == stored)
            group.cancelAll()
        }
    }
}
