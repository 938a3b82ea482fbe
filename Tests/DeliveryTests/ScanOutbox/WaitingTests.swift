import FoundationEssentials
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// The pending and failed deliveries of destinations, with their errors.
@Suite struct WaitingTests {
    private static let now = Date(milliseconds: 1_800_000_100_000)

    @Test func eachDestinationByWhatItLacks() async throws {
        let box = try TestOutbox()
        let names = ["erp", "his", "log", "old"]
        let events = (0..<3).map { ScanEvent.test("\($0)") }
        try await box.outbox.store(events, for: names.map { Destination(name: $0) }, now: Self.now)
        func settle(_ name: String, _ count: Int, _ state: DeliveryState, _ reason: String?, delay: Duration? = nil)
            async throws
        {
            let claims = try await box.outbox.claim(name, limit: count, now: Self.now, lease: .seconds(60))
            try await box.outbox.settle(
                claims.map {
                    Settlement(
                        $0, state: state, delay: delay, status: reason.map { _ in 500 }, reason: reason,
                        attemptedAt: Self.now + 1)
                })
        }
        try await settle("erp", 3, .delivered, nil)
        try await settle("his", 1, .pending, "answered 500", delay: .seconds(300))
        try await settle("log", 2, .dead, "answered 400")
        try await box.outbox.disable("old", reason: "answered 410", now: Self.now)
        let waiting = try await box.outbox.waiting()
        #expect(waiting.map(\.destination) == ["his", "log", "old"])
        #expect(
            waiting.first
                == WaitingDeliveries(
                    destination: "his", pending: 3, nextAttempt: Self.now, givenUp: 0, disabled: nil,
                    lastAttempt: Self.now + 1, lastStatus: 500, lastError: "answered 500"))
        #expect(waiting.map(\.pending) == [3, 1, 0] && waiting.map(\.givenUp) == [0, 2, 3])
        #expect(waiting.map(\.disabled) == [nil, nil, "answered 410"])
        #expect(waiting.map(\.lastError) == ["answered 500", "answered 400", nil])
        // All of them are replayed.
        #expect(try await box.outbox.replay(.state(.dead), now: Self.now) == 2)
        #expect(try await box.outbox.waiting().first { $0.destination == "log" }?.pending == 3)
    }

    /// A destination that requested a pause, until its end.
    @Test func aPauseHasItsEnd() async throws {
        let box = try TestOutbox()
        try await box.outbox.store([.test("1"), .test("2")], for: [Destination(name: "his")], now: Self.now)
        let claims = try await box.outbox.claim("his", limit: 1, now: Self.now, lease: .seconds(60))
        try await box.outbox.settle(
            claims.map {
                Settlement(
                    $0, state: .pending, delay: .seconds(5), pause: .seconds(3600), status: 429,
                    reason: "answered 429", attemptedAt: Self.now)
            })
        let waiting = try await box.outbox.waiting(now: Self.now + 60)
        #expect(
            waiting == [
                WaitingDeliveries(
                    destination: "his", pending: 2, nextAttempt: Self.now + 3600, pausedUntil: Self.now + 3600,
                    givenUp: 0, disabled: nil, lastAttempt: Self.now, lastStatus: 429, lastError: "answered 429")
            ])
        // An attempt at the same time was told of no time, or of less.
        try await box.outbox.settle(
            claims.map {
                Settlement(
                    $0, state: .pending, delay: .seconds(5), pause: .seconds(5), status: 503,
                    reason: "answered 503", attemptedAt: Self.now)
            })
        #expect(try await box.outbox.waiting(now: Self.now + 60).map(\.pausedUntil) == [Self.now + 3600])
        let later = try await box.outbox.waiting(now: Self.now + 3601)
        #expect(later.map(\.pausedUntil) == [nil] && later.map(\.nextAttempt) == [Self.now])
    }

    /// An attempt fails after another one at the same time was told that the destination wants no more.
    @Test func aFailureOfADisabledDestinationIsNotTriedAgain() async throws {
        let box = try TestOutbox()
        let event = ScanEvent.test("1")
        try await box.outbox.store([event], for: [Destination(name: "his")], now: Self.now)
        let claims = try await box.outbox.claim("his", limit: 1, now: Self.now, lease: .seconds(60))
        try await box.outbox.disable("his", reason: "answered 410", now: Self.now)
        func settle(_ state: DeliveryState) async throws {
            try await box.outbox.settle(
                claims.map {
                    Settlement(
                        $0, state: state, delay: .seconds(5), status: 500, reason: "answered 500",
                        attemptedAt: Self.now)
                })
        }
        try await settle(.pending)
        #expect(try await box.outbox.state(event.id) == .disabled)
        // The receiver has it: nothing is to be replayed.
        try await settle(.delivered)
        #expect(try await box.outbox.state(event.id) == .delivered)
    }

    @Test func nothingWaitsInAnEmptyOutbox() async throws {
        let box = try TestOutbox()
        #expect(try await box.outbox.waiting().isEmpty)
    }
}
