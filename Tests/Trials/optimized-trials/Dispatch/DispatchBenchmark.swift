import ArgumentParser
import BarcodeCore
import Delivery
import FoundationEssentials
import Glibc
import Logging
import ScanEvents
import ScanOutbox

/// Measures the cost of the outbox, compared with the same work without it, in one run on one machine.
struct DispatchBenchmark: AsyncParsableCommand {
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case acceptance, callers, delivery, hanging, large
    }

    static let configuration = CommandConfiguration(
        commandName: "dispatch", abstract: "Measure the cost of the outbox beside the same work without it.")

    @Option(help: "The size of the large outbox.")
    var events = 1_000_000

    @Argument(help: "The parts to measure; all by default.")
    var parts = Part.allCases

    func run() async throws { try await Self.measure(parts, events: events) }

    private static func measure(_ parts: [Part], events: Int) async throws {
        let folder = try Scratch()
        if parts.contains(.acceptance) { try await acceptance(folder) }
        if parts.contains(.callers) {
            for isScattered in [false, true] { try await concurrentAcceptance(folder, isScattered: isScattered) }
        }
        if parts.contains(.delivery) { try await delivery(folder) }
        if parts.contains(.hanging) { try await hangingDestination(folder) }
        if parts.contains(.large) { try await largeOutbox(folder, events: events) }
    }

    static let his = Destination(name: "his")

    /// Creates an event whose text is a serial number, or a number in scattered order.
    static func event(_ number: Int, isScattered: Bool = false) -> ScanEvent {
        let text = isScattered ? "P-\(number * 7919 % 1_000_000_007)" : "S26-\(10_000_000 + number)"
        return ScanEvent(
            station: "ward-3", source: ScanSource(kind: .camera, name: "/dev/video0"),
            symbol: ScannedSymbol(
                symbology: number % 3 == 0 ? .qrCode : .code128, text: text, bytes: Array(text.utf8),
                symbologyIdentifier: "]C0",
                charset: "us-ascii",
                corners: Quadrilateral(
                    topLeft: Point(x: 10.25, y: 20.5), topRight: Point(x: 110.25, y: 20.5),
                    bottomRight: Point(x: 110.25, y: 120.5), bottomLeft: Point(x: 10.25, y: 120.5)),
                image: PixelSize(width: 1920, height: 1080)))
    }

    /// Compares a durable acceptance with a write of 4 KiB and its fsync, alternately.
    static func acceptance(_ folder: Scratch) async throws {
        let outbox = try Outbox(path: folder["single"])
        let file = open(folder["bare"], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let page = [UInt8](repeating: 0x55, count: 4096)
        var bare: [Double] = []
        var accepted: [Double] = []
        for round in 0..<20 {
            for write in 0..<100 {
                bare.append(
                    seconds {
                        pwrite(file, page, page.count, off_t((round * 100 + write) * page.count))
                        fsync(file)
                    })
            }
            for number in 0..<100 {
                let start = ContinuousClock.now
                try await outbox.store([try OutboxEntry(event(round * 100 + number), for: [his])])
                accepted.append((ContinuousClock.now - start) / .seconds(1))
            }
        }
        close(file)
        try outbox.close()
        report(
            "a durable acceptance, median",
            "\(microseconds(accepted.median)), bare 4 KiB write and fsync "
                + microseconds(bare.median), accepted.median / bare.median, "at most 3")
    }

    /// Measures the number of events a second that one caller stores, and 64 callers together.
    ///
    /// Texts in scattered order cost more: each changes another page of the index by text.
    static func concurrentAcceptance(_ folder: Scratch, isScattered: Bool) async throws {
        var rates: [Int: [Double]] = [:]
        let outbox = try Outbox(path: folder["many-\(isScattered)"])
        for round in 0..<6 {
            for callers in [1, 64] {
                let each = callers == 1 ? 1000 : 400
                let start = ContinuousClock.now
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for caller in 0..<callers {
                        group.addTask {
                            for number in 0..<each {
                                let event = event(
                                    (round * each + number) * 64 + caller, isScattered: isScattered)
                                try await outbox.store([try OutboxEntry(event, for: [his])])
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let rate = Double(callers * each) / ((ContinuousClock.now - start) / .seconds(1))
                rates[callers, default: []].append(rate)
            }
        }
        try outbox.close()
        let (one, many) = (rates[1]?.median ?? 0, rates[64]?.median ?? 0)
        report(
            isScattered ? "64 callers, texts in no order" : "64 callers",
            "\(Int(many)) events/s, one caller \(Int(one)) events/s", many / one, "at least 10")
    }

    /// Delivers the events for `his` in an outbox; returns events a second.
    static func deliver(
        _ outbox: Outbox, _ count: Int, to sinks: [(Destination, any Sink)], server: CountingServer
    ) async throws -> Double {
        let service = DeliveryService(
            outbox: outbox, destinations: sinks, logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        let before = server.count
        let start = ContinuousClock.now
        let run = Task { try await service.run() }
        while server.count - before < count { try await Task.sleep(for: .milliseconds(2)) }
        let rate = Double(count) / ((ContinuousClock.now - start) / .seconds(1))
        run.cancel()
        _ = try? await run.value
        return rate
    }

    /// Compares delivery from an outbox with the same posts by AsyncHTTPClient alone, at the same concurrency.
    static func delivery(_ folder: Scratch) async throws {
        let server = try await CountingServer()
        let count = 5000
        let secret = try WebhookSecret("whsec_" + Data(repeating: 7, count: 32).base64EncodedString())
        for concurrency in [1, 8] {
            var plain: [Double] = []
            var outboxed: [Double] = []
            let destination = Destination(name: "his", concurrency: concurrency)
            for round in 0..<4 {
                plain.append(try await server.postPlainly(count, concurrency: concurrency, body: event(1)))
                let outbox = try Outbox(path: folder["delivery-\(concurrency)-\(round)"])
                try await outbox.store(try (0..<count).map { try OutboxEntry(event($0), for: [destination]) })
                let connections = HTTPConnections()
                let receiver = try HTTPReceiver(url: server.url, secrets: [secret])
                let sink = try HTTPCallbackSink(receiver, connections: connections)
                outboxed.append(try await deliver(outbox, count, to: [(destination, sink)], server: server))
                await connections.close()
                try outbox.close()
            }
            report(
                "delivery, \(concurrency) at a time",
                "\(Int(outboxed.median)) events/s, AsyncHTTPClient alone "
                    + "\(Int(plain.median)) posts/s", outboxed.median / plain.median, "at least 0.5")
        }
        try await server.close()
    }

    private struct Hanging: Sink {
        func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
            try? await Task.sleep(for: .seconds(3600))
            return .failed("cancelled")
        }
    }

    /// Compares delivery beside a destination that hangs forever with delivery without it.
    static func hangingDestination(_ folder: Scratch) async throws {
        let server = try await CountingServer()
        let count = 3000
        let hanging = Destination(name: "hanging")
        var rates: [Bool: [Double]] = [:]
        for round in 0..<10 {
            let withHanging = round % 2 == 1
            let outbox = try Outbox(path: folder["hanging-\(round)"])
            // Both cases have the same number of rows, so that only the hanging differs.
            try await outbox.store(try (0..<count).map { try OutboxEntry(event($0), for: [his, hanging]) })
            let connections = HTTPConnections()
            let sink = try HTTPCallbackSink(try HTTPReceiver(url: server.url), connections: connections)
            let sinks: [(Destination, any Sink)] = [(his, sink)] + (withHanging ? [(hanging, Hanging())] : [])
            rates[withHanging, default: []].append(
                try await deliver(outbox, count, to: sinks, server: server))
            await connections.close()
            try outbox.close()
        }
        let (with, without) = (rates[true]?.median ?? 0, rates[false]?.median ?? 0)
        let spread = (rates[false]?.max() ?? 0) / (rates[false]?.min() ?? 1)
        report(
            "beside a destination that hangs",
            "\(Int(with)) events/s, without it \(Int(without)) events/s "
                + "(from run to run they differ up to \(spread.twoPlaces) times)", with / without, "about 1")
        try await server.close()
    }

    /// Measures memory and queries with a thousand events and with many.
    static func largeOutbox(_ folder: Scratch, events: Int) async throws {
        var times: [Int: [Double]] = [:]
        var memory: [(Int, Int)] = []
        let start = Date()
        let outbox = try Outbox(path: folder["large"])
        var stored = 0
        for size in [1000, 10_000, events / 2, events] {
            while stored < size {
                let part = min(1000, size - stored)
                let first = stored
                try await outbox.store(
                    try (0..<part).map { try OutboxEntry(event(first + $0), for: [his]) })
                stored += part
            }
            memory.append((size, residentKilobytes()))
            guard [1000, events].contains(size) else { continue }
            let text = event(size / 2).symbol.text
            let queries = [
                HistoryQuery(limit: 50), HistoryQuery(since: start, until: Date(), limit: 50),
                HistoryQuery(text: .exactly(text), limit: 50),
                HistoryQuery(text: .beginning(String(text.prefix(4))), limit: 50),
                HistoryQuery(symbology: .code128, limit: 50), HistoryQuery(state: .pending, limit: 50),
                HistoryQuery(since: start, state: .dead, limit: 50),
            ]
            for query in queries {
                var samples: [Double] = []
                for _ in 0..<51 {
                    let start = ContinuousClock.now
                    _ = try await outbox.history(query)
                    samples.append((ContinuousClock.now - start) / .seconds(1))
                }
                times[size, default: []].append(samples.median)
            }
        }
        let names = ["newest", "time", "text", "beginning", "format", "state", "state without any"]
        for (index, name) in names.enumerated() {
            let (small, large) = (times[1000]?[index] ?? 0, times[events]?[index] ?? 0)
            report(
                "history by \(name)", "\(microseconds(large)) with \(events) events, \(microseconds(small)) with 1000",
                large / small, "at most 2")
        }
        let server = try await CountingServer()
        let connections = HTTPConnections()
        let sink = try HTTPCallbackSink(try HTTPReceiver(url: server.url), connections: connections)
        _ = try await deliver(outbox, 20_000, to: [(his, sink)], server: server)
        memory.append((events - 20_000, residentKilobytes()))
        await connections.close()
        try await server.close()
        try outbox.close()
        for (size, kilobytes) in memory { print("resident with \(size) undelivered events: \(kilobytes / 1024) MB") }
    }
}
