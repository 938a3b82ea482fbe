import FoundationEssentials
import Logging
import ScanEvents
import ScanOutbox
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// Keeps log messages of the levels that people read.
private struct Lines: LogHandler {
    final class Kept: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    let kept: Kept
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { kept.add("\(event.level): \(event.message)") }
}

/// The log messages about a receiver that is down: enough, but not one per event.
@Suite(.timeLimit(.minutes(10))) struct OutageTests {
    private let failure = OutageReport.Failure(reason: "refused", status: nil, retryIn: .seconds(5))
    private var lost: OutageReport.Failure { OutageReport.Failure(reason: "refused", status: nil, retryIn: nil) }

    @Test func oneLineAtTheStartAndOneAMinute() {
        var report = OutageReport()
        #expect(report.failed(failure, at: .seconds(100)) == [.began(failure)])
        // Ten attempts a second, for two and a half minutes.
        var lines: [OutageReport.Line] = []
        for step in 1...1500 { lines += report.failed(failure, at: .seconds(100) + .milliseconds(step * 100)) }
        #expect(
            lines == [
                .continues(failure, attempts: 600, givenUp: 0, duration: .seconds(60)),
                .continues(failure, attempts: 600, givenUp: 0, duration: .seconds(120)),
            ])
        // The rest is reported after the interval, or at the end.
        #expect(report.due(at: .seconds(260)) == [])
        var ended = report
        #expect(
            ended.end(at: .seconds(260)) == [.continues(failure, attempts: 300, givenUp: 0, duration: .seconds(160))])
        #expect(
            report.due(at: .seconds(280)) == [.continues(failure, attempts: 300, givenUp: 0, duration: .seconds(180))])
        #expect(report.due(at: .seconds(400)) == [], "nothing was attempted since")
        #expect(
            report.delivered(at: .seconds(500)) == [.ended(attempts: 1501, givenUp: 0, duration: .seconds(400))])
        #expect(report.delivered(at: .seconds(501)) == [])
        #expect(report.end(at: .seconds(502)) == [])
    }

    @Test func anAlertOnceAfterAQuarterOfAnHour() {
        var report = OutageReport()
        _ = report.failed(failure, at: .seconds(1))
        #expect(report.due(at: .seconds(900)) == [])
        #expect(report.due(at: .seconds(901)) == [.alert(failure, duration: .seconds(900))])
        #expect(report.due(at: .seconds(5000)) == [])
        #expect(report.delivered(at: .seconds(5001)) == [.ended(attempts: 1, givenUp: 0, duration: .seconds(5000))])
        // The next outage is a new one.
        #expect(report.failed(failure, at: .seconds(6000)) == [.began(failure)])
        #expect(report.due(at: .seconds(6900)) == [.alert(failure, duration: .seconds(900))])
    }

    @Test func whatIsGivenUpIsCounted() {
        var report = OutageReport()
        #expect(report.failed(lost, at: .zero) == [.began(lost)])
        for _ in 0..<9 { _ = report.failed(lost, at: .seconds(1)) }
        #expect(report.end(at: .seconds(2)) == [.continues(lost, attempts: 9, givenUp: 9, duration: .seconds(2))])
        #expect(report.delivered(at: .seconds(3)) == [.ended(attempts: 10, givenUp: 10, duration: .seconds(3))])
    }

    /// An event that is given up in between is named too, once a line may be written again.
    @Test func whatIsGivenUpInBetweenIsSaid() {
        var report = OutageReport()
        #expect(report.failed(failure, at: .zero) == [.began(failure)])
        #expect(report.delivered(at: .seconds(1)) == [.ended(attempts: 1, givenUp: 0, duration: .seconds(1))])
        for second in [2, 4] {
            #expect(report.failed(lost, at: .seconds(second)) == [])
            #expect(report.delivered(at: .seconds(second + 1)) == [])
        }
        #expect(report.due(at: .seconds(59)) == [])
        var ended = report
        #expect(ended.end(at: .seconds(59)).count == 1)
        #expect(report.due(at: .seconds(60)).count == 1)
        #expect(report.due(at: .seconds(200)) == [])
    }

    /// A receiver that accepts every second event causes no more messages than one that is down.
    @Test func failuresNowAndThen() {
        var report = OutageReport()
        var lines: [OutageReport.Line] = []
        for step in 0..<600 {
            lines += report.failed(failure, at: .milliseconds(step * 1000))
            lines += report.delivered(at: .milliseconds(step * 1000 + 500))
        }
        #expect(lines.count == 20)
        #expect(lines.filter { $0 == .began(failure) }.count == 10)
    }

    /// The same through the service, with 300 events.
    @Test func theLogOfADeadReceiver() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let kept = Lines.Kept()
        let logger = Logger(label: "test") { _ in Lines(kept: kept) }
        let destination = Destination(name: "his")
        let isUp = Mutex(false)
        let sink = FakeSink { _ in isUp.withLock { $0 } ? .delivered() : .failed("refused") }
        try await box.outbox.store((0..<300).map { .test("\($0)") }, for: [destination], now: time.now)
        var options = DeliveryService.Options()
        options.tick = .milliseconds(5)
        let service = DeliveryService(
            outbox: box.outbox, destinations: [(destination, sink)], options: options, time: time.source,
            logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            let allFailed = await eventually { sink.messages.count == 300 && !kept.all.isEmpty }
            #expect(allFailed)
            #expect(kept.all == ["warning: Delivery failed, retrying later"])
            time.pass(.seconds(60))
            let isSummed = await eventually { kept.all.count == 2 }
            #expect(isSummed)
            #expect(kept.all.last == "warning: Deliveries keep failing")
            time.pass(.seconds(900))
            let isAlerted = await eventually { kept.all.contains("error: No delivery succeeds: check the receiver") }
            #expect(isAlerted)
            isUp.withLock { $0 = true }
            time.pass(.seconds(7200))
            let isOver = try await eventually {
                try await box.outbox.status().destinations["his"]?.counts == [.delivered: 300]
                    && kept.all.contains("notice: Deliveries succeed again")
            }
            #expect(isOver)
            group.cancelAll()
        }
        #expect(kept.all.filter { $0.hasPrefix("error") }.count == 1)
        #expect(kept.all.filter { $0.hasPrefix("notice: Deliveries") }.count == 1)
        #expect(kept.all.filter { $0.hasPrefix("warning") }.count <= 4, "\(kept.all)")
    }

    @Test(
        arguments: [
            (.milliseconds(0), "0.0 s"), (.milliseconds(300), "0.3 s"), (.seconds(5.4), "5 s"),
            (.seconds(119), "119 s"), (.seconds(1800), "30 min"), (.seconds(18_000), "5 h"),
            (.seconds(259_200), "3 days"), (.seconds(-4), "0.0 s"),
        ] as [(Duration, String)])
    func durations(_ duration: Duration, _ words: String) {
        #expect(duration.words == words)
    }
}
