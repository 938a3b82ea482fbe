import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// kill -9 at random moments under load.
///
/// `QUIETZONE_KILLS` is the number of kills; `make test-faults` uses 200.
@Suite(.timeLimit(.minutes(15))) struct KillTests {
    @Test func everyAcknowledgedEventArrives() async throws {
        let kills = getenv("QUIETZONE_KILLS").flatMap { Int(String(cString: $0)) } ?? 8
        let seed = UInt64.random(in: 0...UInt64.max)
        print("\(kills) kills, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: "/fail/1", more: "concurrency: 4")
        var acknowledged: Set<String> = []
        var texts: [String: String] = [:]
        var sent = 0
        var (usualTime, first) = try await self.usualTime(of: station)
        acknowledged.insert(first)
        var round = 0
        // Goes on if most kills came before the first acknowledgment, because nothing would be tested then.
        while round < kills || acknowledged.count <= 3 * kills {
            defer { round += 1 }
            // These rounds wait for an acknowledgment, however slow the machine is.
            let isLate = round >= kills
            let (runner, first, number) = (station.runner(), sent, round)
            let arguments = station.arguments(["run", "--add", "--log-level", "critical"])
            // The kill comes at any moment from before the outbox is open to the middle of the deliveries.
            let deadline =
                ContinuousClock.now + min(usualTime, .seconds(4)) * Double.random(in: 0...2.5, using: &random)
            let lines = try await onThread {
                let run = try runner.start(arguments)
                var count = 0
                var early: [String] = []
                if isLate {
                    try run.send(report("\(number)-first"))
                    early.append(try #require(run.line(), "it acknowledges what comes"))
                }
                while ContinuousClock.now < deadline {
                    // Enough for a load, and few enough to be delivered in the end.
                    if count < 100 {
                        try run.send(report("\(number)-\(first + count)"))
                        count += 1
                    }
                    usleep(500)
                }
                run.signal(SIGKILL)
                return (sent: count, early: early, result: try run.end())
            }
            sent += lines.sent + lines.early.count
            #expect(lines.result.ending == .signal(SIGKILL))
            // A line without its end is not a complete acknowledgment, so it does not count.
            let last = lines.result.text.hasSuffix("\n") ? lines.result.lines : lines.result.lines.dropLast()
            let whole = lines.early + last
            acknowledged.formUnion(whole)
            // The machine is busier now than during the measurement.
            if whole.isEmpty, acknowledged.count <= 3 * round { usualTime = usualTime * 1.3 }
        }
        try await station.deliver(rounds: 60)
        #expect(try await station("verify").ending == .exit(0))
        let exported = try await station.export()
        for event in exported { texts[event.event.id] = event.event.symbol.text }
        let stored = Set(exported.map(\.event.id))
        let received = Set(receiver.received)
        print(
            "\(sent) sent, \(acknowledged.count) acknowledged, \(stored.count) stored, \(received.count) received "
                + "in \(receiver.received.count) deliveries")
        #expect(acknowledged.count > 3 * kills, "there was load")
        #expect(acknowledged.isSubset(of: received), "nothing that was acknowledged is missing")
        // Events stored but not acknowledged before the kill are also delivered, and no others.
        #expect(received == stored)
        #expect(exported.allSatisfy { $0.deliveries.map(\.state) == ["delivered"] })
        // Each text was sent once: a text that is stored twice would have two identifiers.
        #expect(Set(texts.values).count == stored.count)
        // The deliveries of an event are equal except for the time and the signature.
        let bodies = Dictionary(grouping: receiver.entries, by: { $0.id ?? "" }).mapValues {
            Set($0.compactMap(\.body))
        }
        #expect(bodies.allSatisfy { $0.value.count == 1 })
    }
}

extension KillTests {
    /// Measures the time until the program acknowledges its first event, and returns that event.
    private func usualTime(of station: Station) async throws -> (time: Duration, first: String) {
        let (runner, arguments) = (station.runner(), station.arguments(["run", "--add", "--log-level", "critical"]))
        return try await onThread {
            let start = ContinuousClock.now
            let run = try runner.start(arguments)
            try run.send(report("first"))
            let first = try #require(run.line())
            let time = ContinuousClock.now - start
            run.signal(SIGKILL)
            _ = try run.end()
            return (time, first)
        }
    }
}
