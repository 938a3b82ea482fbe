import BarcodeCore
import FoundationEssentials
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// Following an outbox: notifications, and resuming after an event.
@Suite(.timeLimit(.minutes(10))) struct FollowingTests {
    static let his = Destination(name: "his")

    @Test func eventsComeInTheOrderOfTheirCommits() async throws {
        let box = try TestOutbox()
        #expect(try await box.outbox.newestEvent() == nil)
        #expect(try await box.outbox.events(after: nil, limit: 9).isEmpty)
        let events = (0..<7).map { ScanEvent.test("\($0)") }
        // Later identifiers first: the order is that of the commits, not of the identifiers.
        for event in events.reversed() { try await box.outbox.store([event], for: [Self.his]) }
        let order = Array(events.reversed())
        #expect(try await box.outbox.newestEvent() == order[6].id)
        #expect(try await box.outbox.events(after: nil, limit: 3).map(\.event) == Array(order[..<3]))
        #expect(try await box.outbox.events(after: order[2].id, limit: 9).map(\.event) == Array(order[3...]))
        #expect(try await box.outbox.events(after: order[6].id, limit: 9).isEmpty)
        #expect(
            try await box.outbox.events([order[4].id, EventID(), order[1].id]).map(\.event) == [order[4], order[1]])
    }

    /// Row numbers are reused after deletions; a follower that resumes after a deleted event loses nothing.
    @Test func afterAnEventThatWasDeleted() async throws {
        let box = try TestOutbox()
        let (old, new) = (ScanEvent.test("old"), ScanEvent.test("new"))
        try await box.outbox.store([old], for: [])
        _ = try await box.outbox.prune(Retention(age: nil, count: 0))
        #expect(try await box.outbox.events(after: old.id, limit: 9).isEmpty)
        try await box.outbox.store([new], for: [])
        #expect(try await box.outbox.events(after: old.id, limit: 9).map(\.event) == [new])
        #expect(try await box.outbox.events(after: new.id, limit: 9).isEmpty)
    }

    @Test func aFollowerIsToldOnceOfManyThings() async throws {
        let box = try TestOutbox()
        let follower = box.outbox.follow()
        #expect(follower.take() == OutboxChanges())
        let events = (0..<3).map { ScanEvent.test("\($0)") }
        try await box.outbox.store(events, for: [Self.his])
        let claims = try await box.outbox.claim("his", limit: 2, now: Date(), lease: .seconds(60))
        try await box.outbox.settle(
            claims.map { Settlement($0, state: .delivered, status: 200, attemptedAt: Date()) })
        for await _ in follower.wakes { break }
        var expected = OutboxChanges()
        expected.hasEvents = true
        expected.changed = Set(claims.compactMap { EventID($0.id) })
        #expect(expected.changed.count == 2)
        #expect(follower.take() == expected)
        #expect(follower.take() == OutboxChanges())
        _ = try await box.outbox.replay(.event(events[0].id))
        #expect(follower.take().changed == [events[0].id])
    }

    @Test func whatAFollowerKeepsIsBounded() {
        let follower = OutboxFollower()
        follower.changed((0..<5000).map { _ in EventID() })
        let changes = follower.take()
        #expect(changes.changed.count == 4096 && changes.missed == 904)
    }

    @Test func theAnswerToARequestIsFound() async throws {
        let box = try TestOutbox()
        var answer = ScanEvent.test("the answer")
        answer.source.details = ["request": "r-1", "origin": "http://oa.example"]
        try await box.outbox.store([ScanEvent.test("a"), answer, ScanEvent.test("b")], for: [])
        #expect(try await box.outbox.events(withDetail: "request", "r-1", among: 10).map(\.event) == [answer])
        #expect(try await box.outbox.events(withDetail: "request", "r-1", among: 1).isEmpty)
        #expect(try await box.outbox.events(withDetail: "request", "r-2", among: 10).isEmpty)
    }

    /// Pages of results have no gaps, even if many events have the same time.
    @Test(arguments: [
        ("all", HistoryQuery(limit: 4)), ("by state", HistoryQuery(state: .pending, limit: 4)),
        ("by the beginning of the text", HistoryQuery(text: .beginning("t"), limit: 4)),
        ("by format", HistoryQuery(symbology: .ean13, limit: 4)),
    ])
    func pagesWithoutAGap(_ label: String, _ query: HistoryQuery) async throws {
        let box = try TestOutbox()
        let time = Date(milliseconds: 1_800_000_000_000)
        let events = (0..<18).map { index in
            var event = ScanEvent.test("t\(index)")
            event.time = time + Double(index / 6)
            return event
        }
        for event in events { try await box.outbox.store([event], for: [Self.his]) }
        var query = query
        query.newestFirst = true
        var seen: [ScanEvent] = []
        while case let page = try await box.outbox.history(query), let last = page.last {
            seen += page.map(\.event)
            query.before = last.event.id
        }
        #expect(seen == Array(events.reversed()))
    }
}
