import BarcodeCore
import FoundationEssentials
import Glibc
import Logging
import ScanEvents
import ScanOutbox
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// The delivery service: independent destinations, retries, rate limits, and shutdown.
@Suite(.timeLimit(.minutes(10))) struct ServiceTests {
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func run(
        _ outbox: Outbox, _ destinations: [(Destination, any Sink)], time: TimeSource = .system,
        until condition: @escaping @Sendable () async throws -> Bool
    ) async throws -> Bool {
        let service = DeliveryService(
            outbox: outbox, destinations: destinations,
            options: {
                var options = DeliveryService.Options()
                options.tick = .milliseconds(5)
                return options
            }(), time: time, logger: Self.logger)
        return try await withThrowingTaskGroup(of: Bool?.self) { group in
            group.addTask {
                try await service.run()
                return nil
            }
            group.addTask { try await eventually(condition) }
            defer { group.cancelAll() }
            while let result = try await group.next() { if let result { return result } }
            return false
        }
    }

    @Test func everythingArrivesOnce() async throws {
        let box = try TestOutbox()
        let destinations = ["a", "b"].map { Destination(name: $0) }
        let sinks = [FakeSink(), FakeSink()]
        let events = (0..<300).map { ScanEvent.test("\($0)") }
        try await box.outbox.store(Array(events[..<200]), for: destinations)
        let arrived = try await run(box.outbox, Array(zip(destinations, sinks)).map { ($0, $1) }) {
            // Half of them arrive while it runs.
            if try await box.outbox.status().events == 200 {
                try await box.outbox.store(Array(events[200...]), for: destinations)
            }
            return try await box.outbox.status().destinations.allSatisfy { $0.value.counts == [.delivered: 300] }
        }
        #expect(arrived)
        for sink in sinks { #expect(sink.messages.map(\.id).sorted() == events.map(\.id.description).sorted()) }
    }

    @Test func aDestinationThatHangsHoldsUpNoOther() async throws {
        let box = try TestOutbox()
        let destinations = [Destination(name: "hangs"), Destination(name: "works")]
        let hanging = FakeSink { _ in
            try? await Task.sleep(for: .seconds(3600))
            return .failed("cancelled")
        }
        let working = FakeSink()
        try await box.outbox.store((0..<200).map { .test("\($0)") }, for: destinations)
        let arrived = try await run(box.outbox, [(destinations[0], hanging), (destinations[1], working)]) {
            try await box.outbox.status().destinations["works"]?.counts == [.delivered: 200]
        }
        #expect(arrived)
        #expect(hanging.messages.count == destinations[0].concurrency)
        // A cancelled attempt does not count as a failure: the event is due again.
        let status = try await box.outbox.status()
        #expect(status.destinations["hangs"]?.counts == [.pending: 200])
        let history = try await box.outbox.history(HistoryQuery(limit: 200))
        #expect(history.allSatisfy { $0.deliveries.allSatisfy { $0.destination == "works" || $0.attempts == 0 } })
    }

    @Test func retriesComeWhenTheyAreDue() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let destination = Destination(name: "his")
        let sink = FakeSink { message in
            message.attemptedAt < Date(milliseconds: 1_800_000_304_000) ? .failed("x", status: 500) : .delivered()
        }
        let event = ScanEvent.test()
        try await box.outbox.store([event], for: [destination])
        let waited = Mutex(0)
        let arrived = try await run(box.outbox, [(destination, sink)], time: time.source) {
            // Each poll advances the time by a second.
            if try await box.outbox.state(event.id) == .delivered { return true }
            time.pass(.seconds(1))
            waited.withLock { $0 += 1 }
            return false
        }
        #expect(arrived)
        try #require(sink.messages.count == 3)
        #expect(Set(sink.messages.map(\.id)) == [event.id.description])
        let gaps = zip(sink.messages, sink.messages.dropFirst()).map {
            $1.attemptedAt.timeIntervalSince($0.attemptedAt)
        }
        #expect(gaps[0] >= 5 && gaps[1] >= 300)
    }

    /// Once the receiver is back, events that failed meanwhile do not wait for their retry time, even after a
    /// restart.
    @Test(arguments: [false, true]) func aBacklogIsDueOnceTheReceiverIsBack(isRestarted: Bool) async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let destination = Destination(name: "his")
        let isBack = Mutex(false)
        let sink = FakeSink { _ in isBack.withLock { $0 } ? .delivered(status: 200) : .failed("no connection") }
        try await box.outbox.store((0..<2500).map { .test("\($0)") }, for: [destination])
        let (outbox, begin) = (box.outbox, time.now)
        // Two failed attempts: the next one is five minutes away.
        let failed = try await run(outbox, [(destination, sink)], time: time.source) {
            if sink.messages.count == 2500, time.now == begin { time.pass(.seconds(6)) }
            if sink.messages.count < 5000 { return false }
            if isRestarted { return true }
            isBack.withLock { $0 = true }
            if try await outbox.status().events == 2500 {
                try await outbox.store([.test("new")], for: [destination], now: time.now)
            }
            return try await outbox.status().destinations["his"]?.counts == [.delivered: 2501]
        }
        #expect(failed)
        if isRestarted {
            isBack.withLock { $0 = true }
            try await outbox.store([.test("new")], for: [destination], now: time.now)
            let arrived = try await run(outbox, [(destination, sink)], time: time.source) {
                try await outbox.status().destinations["his"]?.counts == [.delivered: 2501]
            }
            #expect(arrived)
        }
        #expect(time.now == begin + 6)
    }

    /// An event on which the receiver breaks the connection or answers 500 keeps its delays.
    @Test(arguments: [nil, 500]) func anEventThatTheReceiverCannotTakeKeepsItsDelays(status: Int?) async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let destination = Destination(name: "his", concurrency: 1)
        let bad = ScanEvent.test("bad")
        let sink = FakeSink { message in
            message.id == bad.id.description ? .failed("broken off", status: status) : .delivered(status: 200)
        }
        let outbox = box.outbox
        try await outbox.store([.test("first")], for: [destination], now: time.now)
        let arrived = try await run(outbox, [(destination, sink)], time: time.source) {
            // At the start, nothing is known about the receiver.
            if sink.messages.count == 1, try await outbox.status().destinations["his"]?.counts == [.delivered: 1] {
                try await outbox.store([bad] + (0..<300).map { .test("\($0)") }, for: [destination], now: time.now)
            }
            return try await outbox.status().destinations["his"]?.counts == [.pending: 1, .delivered: 301]
        }
        #expect(arrived)
        #expect(sink.messages.filter { $0.id == bad.id.description }.count == 1)
        #expect(try await outbox.event(bad.id)?.deliveries.first?.nextAttempt == time.now + 5)
    }

    /// A receiver whose gateway fails on one event again and again, and that takes all others: the event is given up,
    /// and holds up the others no longer.
    @Test func anEventThatFailsForEverIsGivenUp() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let destination = Destination(
            name: "his", schedule: RetrySchedule(delays: Array(repeating: .seconds(5), count: 9)))
        let bad = ScanEvent.test("bad")
        let sink = FakeSink { message in
            message.id == bad.id.description
                ? DeliveryOutcome(.throttled, status: 502, reason: "answered 502") : .delivered(status: 200)
        }
        let outbox = box.outbox
        try await outbox.store([bad], for: [destination], now: time.now)
        let count = Mutex(0)
        let isGivenUp = try await run(outbox, [(destination, sink)], time: time.source) {
            if try await outbox.state(bad.id) == .dead { return true }
            let number = count.withLock { count in
                count += 1
                return count
            }
            // Another event every two seconds; a few hundred, if it is never given up.
            if number < 300 { try await outbox.store([.test("\(number)")], for: [destination], now: time.now) }
            time.pass(.seconds(2))
            return number > 1000
        }
        #expect(isGivenUp)
        #expect(try await outbox.state(bad.id) == .dead)
        #expect(sink.messages.count { $0.id == bad.id.description } <= 15)
    }

    /// The same if each event is delivered by a process of its own, as by `scan-outbox run --once` and cron.
    @Test func anEventThatFailsInEachProcessIsGivenUp() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let destination = Destination(name: "his")
        let bad = ScanEvent.test("bad")
        let sink = FakeSink { message in
            message.id == bad.id.description
                ? DeliveryOutcome(.throttled, status: 502, reason: "answered 502") : .delivered(status: 200)
        }
        try await box.outbox.store([bad], for: [destination], now: time.now)
        var options = DeliveryService.Options()
        options.tick = .milliseconds(5)
        options.stopsWhenIdle = { true }
        var processes = 0
        while try await box.outbox.state(bad.id) == .pending, processes < 50 {
            processes += 1
            try await box.outbox.store([.test("\(processes)")], for: [destination], now: time.now)
            try await DeliveryService(
                outbox: box.outbox, destinations: [(destination, sink)], options: options, time: time.source,
                logger: Self.logger
            ).run()
            time.pass(.seconds(60))
        }
        #expect(try await box.outbox.state(bad.id) == .dead)
        #expect(sink.messages.count { $0.id == bad.id.description } == 10)
    }

    /// An early attempt does not count.
    @Test func whatIsTriedEarlyUsesUpNoAttempt() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let event = ScanEvent.test()
        try await box.outbox.store([event, .test("other")], for: [Destination(name: "his")], now: time.now)
        for (claim, status) in zip(
            try await box.outbox.claim("his", limit: 2, now: time.now, lease: .seconds(60)), [503, 500])
        {
            try await box.outbox.settle([
                Settlement(
                    claim, state: .pending, delay: .seconds(300), status: status, reason: "x", attemptedAt: time.now)
            ])
        }
        #expect(try await box.outbox.retryUnreached("other", now: time.now) == 0)
        let unreached = try await box.outbox.retryUnreached("his", besides: Array(0...9), now: time.now)
        #expect(unreached == 0, "the receiver takes others, and not these")
        #expect(try await box.outbox.retryUnreached("his", now: time.now) == 1)
        #expect(try await box.outbox.retryUnreached("his", now: time.now) == 0)
        let due = try await box.outbox.claim("his", limit: 2, now: time.now, lease: .seconds(60))
        #expect(due.map(\.id) == [event.id.description] && due.map(\.attempts) == [0])
    }

    @Test func absences() {
        let (away, here) = (DeliveryOutcome.failed("no connection"), DeliveryOutcome.delivered())
        var absence = ReceiverAbsence()
        func isOver(_ outcome: DeliveryOutcome, _ seconds: Int, wasAway: Bool = false) -> Bool {
            absence.isOver(after: outcome, of: 1, wasAway: wasAway, at: .seconds(seconds))
        }
        #expect(isOver(here, 0), "nothing was known of the time before")
        #expect(!isOver(here, 1))
        #expect(!isOver(away, 2) && !isOver(away, 3) && absence.isAway)
        #expect(isOver(here, 4) && !absence.isAway)
        #expect(isOver(away, 5, wasAway: true), "it began before the receiver was back")
        #expect(!isOver(here, 6))
        #expect(!isOver(.failed("x", status: 500), 7) && !isOver(here, 9), "it has answered")
        #expect(!isOver(away, 10) && !isOver(here, 10), "it was not away for a second")
    }

    /// An event on which the receiver fails while it takes others says nothing about the receiver.
    @Test func anEventIsNoAbsence() {
        let (away, here) = (DeliveryOutcome.failed("no answer"), DeliveryOutcome.delivered())
        var absence = ReceiverAbsence()
        func isOver(_ outcome: DeliveryOutcome, of event: Int64, _ seconds: Int) -> Bool {
            absence.isOver(after: outcome, of: event, wasAway: absence.isAway, at: .seconds(seconds))
        }
        _ = isOver(here, of: 0, 0)
        for round in 1...2 {
            #expect(!isOver(away, of: 7, round * 10) && absence.isAway)
            #expect(isOver(here, of: Int64(round), round * 10 + 5))
        }
        #expect(!isOver(away, of: 7, 30) && !absence.isAway)
        #expect(!isOver(here, of: 3, 35) && absence.refusedEvents == [7])
        // A real absence is still noticed, and is of no advantage to that event.
        #expect(!isOver(away, of: 4, 40) && absence.isAway)
        #expect(isOver(here, of: 5, 45) && absence.refusedEvents == [7])
        absence.forget(7)
        #expect(absence.refusedEvents == [])
    }

    @Test func aThrottledDestinationIsLeftAlone() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let destination = Destination(name: "his", concurrency: 1)
        let sink = FakeSink { _ in DeliveryOutcome(.throttled, status: 429, retryAfter: .seconds(60)) }
        try await box.outbox.store((0..<10).map { .test("\($0)") }, for: [destination])
        let looks = Mutex(0)
        _ = try await run(box.outbox, [(destination, sink)], time: time.source) {
            looks.withLock { $0 += 1 }
            return looks.withLock { $0 } > 40
        }
        #expect(sink.messages.count == 1)
        let next = try await box.outbox.claim("his", limit: 99, now: time.now, lease: .seconds(60))
        #expect(next.count == 9)
        // The next process knows of the pause too, and a clock that was set back does not extend it.
        #expect(try await box.outbox.pause(of: "his", now: time.now) == .seconds(60))
        time.pass(.seconds(20))
        #expect(try await box.outbox.pause(of: "his", now: time.now) == .seconds(40))
        time.jump(-3600)
        #expect(try await box.outbox.pause(of: "his", now: time.now) == .seconds(60))
        time.jump(3660)
        #expect(try await box.outbox.pause(of: "his", now: time.now) == nil)
    }

    /// A shortage on this machine delays an attempt without counting it: the event does not become a dead letter.
    @Test func ourOwnShortageUsesUpNoAttempt() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        // A single attempt is allowed.
        let destination = Destination(name: "his", concurrency: 2, schedule: RetrySchedule(delays: []))
        let shortage = try #require(ResourceShortage(errno: EMFILE))
        let tries = Mutex(0)
        let sink = FakeSink { _ in
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            return number > 20 ? .delivered() : .postponed(shortage)
        }
        try await box.outbox.store((0..<10).map { .test("\($0)") }, for: [destination])
        let arrived = try await run(box.outbox, [(destination, sink)], time: time.source) {
            // Each wait takes a second.
            time.pass(.seconds(1))
            return try await box.outbox.status().destinations["his"]?.counts == [.delivered: 10]
        }
        #expect(arrived)
        let attempts = try await box.outbox.history(HistoryQuery(limit: 20)).flatMap(\.deliveries).map(\.attempts)
        #expect(attempts == Array(repeating: 1, count: 10))
    }

    @Test func goneDisables() async throws {
        let box = try TestOutbox()
        let destination = Destination(name: "his", concurrency: 1)
        let sink = FakeSink { _ in DeliveryOutcome(.gone, status: 410, reason: "answered 410 Gone") }
        try await box.outbox.store((0..<50).map { .test("\($0)") }, for: [destination])
        let done = try await run(box.outbox, [(destination, sink)]) {
            try await box.outbox.status().destinations["his"]?.counts == [.disabled: 50]
        }
        #expect(done)
        #expect(sink.messages.count == 1)
        #expect(try await box.outbox.disabledDestinations() == ["his": "answered 410 Gone"])
    }

    @Test func theClockGoesBackWhileItRuns() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let destination = Destination(name: "his")
        let failures = Mutex(1)
        let sink = FakeSink { _ in
            failures.withLock { left in
                left -= 1
                return left >= 0
            } ? .failed("x") : .delivered()
        }
        let event = ScanEvent.test()
        try await box.outbox.store([event], for: [destination], now: time.now)
        let jumped = Mutex(false)
        let arrived = try await run(box.outbox, [(destination, sink)], time: time.source) {
            if sink.messages.count == 1, try await box.outbox.event(event.id)?.deliveries[0].attempts == 1 {
                if !jumped.withLock({ $0 }) {
                    jumped.withLock { $0 = true }
                    time.jump(-3600)
                }
                // The wait is five seconds, not an hour.
                time.pass(.milliseconds(100))
            }
            return try await box.outbox.state(event.id) == .delivered
        }
        #expect(arrived)
        #expect(time.now < Date(milliseconds: 1_800_000_000_000) - 3600 + 120)
    }

    /// The clock jumps by a day, past the lease, during an attempt: the attempt is not repeated.
    @Test func theClockGoesForwardDuringAnAttempt() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let destination = Destination(name: "his", concurrency: 2)
        let (first, second) = (ScanEvent.test("first"), ScanEvent.test("second"))
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let sink = FakeSink { message in
            if message.id == first.id.description { for await _ in gate {} }
            return .delivered()
        }
        try await box.outbox.store([first], for: [destination], now: time.now)
        let hasJumped = Mutex(false)
        let arrived = try await run(box.outbox, [(destination, sink)], time: time.source) {
            if sink.messages.isEmpty { return false }
            if !hasJumped.withLock({ $0 }) {
                hasJumped.withLock { $0 = true }
                time.jump(86_400)
                try await box.outbox.store([second], for: [destination], now: time.now)
            }
            // Due events are claimed together: the first would be attempted again no later than this one.
            guard try await box.outbox.state(second.id) == .delivered else { return false }
            opening.finish()
            return try await box.outbox.state(first.id) == .delivered
        }
        #expect(arrived)
        #expect(sink.messages.map(\.id) == [first.id.description, second.id.description])
    }

    @Test(
        arguments: [
            (["cat"], .delivered, 0), (["/bin/sh", "-c", "exit 3"], .failed, 3),
            (["/bin/sh", "-c", "kill -9 $$"], .failed, nil),
            (["no-such-program-anywhere"], .failed, nil), (["sleep", "100"], .failed, nil),
            (["sh", "-c", "test \"$WEBHOOK_ID\" = id-1 && test \"$(cat)\" = body"], .delivered, 0),
        ] as [([String], DeliveryOutcome.Kind, Int?)])
    func commands(_ command: [String], _ kind: DeliveryOutcome.Kind, _ status: Int?) async throws {
        let sink = CommandSink(command: command, timeout: .seconds(command == ["sleep", "100"] ? 0.3 : 60))
        let outcome = await sink.deliver(
            OutgoingMessage(id: "id-1", body: Data("body".utf8), mediaType: "application/json", attemptedAt: Date()))
        #expect(outcome.kind == kind, "\(outcome)")
        #expect(outcome.status == status, "\(outcome)")
    }

    @Test func linesOnStandardOutput() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("lines", "")
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        let sink = StandardOutputSink(LineWriter(descriptor: descriptor))
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let body = Data(String(repeating: "\(index % 10)", count: 5000).utf8)
                    let message = OutgoingMessage(id: "", body: body, mediaType: "", attemptedAt: Date())
                    let outcome = await sink.deliver(message)
                    #expect(outcome == .delivered())
                }
            }
        }
        close(descriptor)
        let lines = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 50)
        #expect(lines.allSatisfy { $0.count == 5000 && Set($0).count == 1 })
        let message = OutgoingMessage(id: "", body: Data(), mediaType: "", attemptedAt: Date())
        #expect(await StandardOutputSink(LineWriter(descriptor: -1)).deliver(message).kind == .postponed)
    }
}
