import BarcodeCore
import FoundationEssentials
import Glibc
import Synchronization

@testable import ResultDispatch

/// A folder that is removed with the value that owns it.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = "/tmp/quietzone-dispatch-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(_ name: String) -> String { "\(path)/\(name)" }

    func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: self[name]))
        return self[name]
    }
}

/// An outbox in a folder of its own.
struct TestOutbox {
    let folder: Folder
    let outbox: Outbox

    init() throws {
        folder = try Folder()
        outbox = try Outbox(path: folder["outbox.sqlite"])
    }
}

/// Clocks that a test sets.
final class ManualTime: Sendable {
    private let state: Mutex<(now: Date, uptime: Duration)>

    init(_ now: Date = Date(milliseconds: 1_800_000_000_000)) { state = Mutex((now, .zero)) }

    var now: Date { state.withLock { $0.now } }

    /// Lets time pass for both clocks.
    func pass(_ duration: Duration) {
        state.withLock {
            $0.now += Double(duration.milliseconds) / 1000
            $0.uptime += duration
        }
    }

    /// Sets the clock that may jump.
    func jump(_ seconds: Double) { state.withLock { $0.now += seconds } }

    var source: TimeSource {
        TimeSource(now: { self.now }, uptime: { self.state.withLock { $0.uptime } }, random: { 0 })
    }
}

/// A sink that answers what it is told to, and keeps what it got.
final class FakeSink: Sink {
    private let answer: @Sendable (OutgoingMessage) async -> DeliveryOutcome
    private let got = Mutex<[OutgoingMessage]>([])

    init(_ answer: @escaping @Sendable (OutgoingMessage) async -> DeliveryOutcome = { _ in .delivered(status: 200) }) {
        self.answer = answer
    }

    var messages: [OutgoingMessage] { got.withLock { $0 } }

    func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        got.withLock { $0.append(message) }
        return await answer(message)
    }
}

extension ScanEvent {
    /// An event with a text.
    static func test(
        _ text: String = "4006381333931", format: Symbology = .ean13,
        at time: Date = Date(milliseconds: 1_800_000_000_123), id: EventID = EventID(),
        source: ScanSource.Kind = .file
    ) -> ScanEvent {
        ScanEvent(
            id: id, time: time, station: "ward-3", source: ScanSource(kind: source, name: "a.jpg"),
            symbol: ScannedSymbol(format: format, text: text, bytes: Array(text.utf8)))
    }
}

extension Outbox {
    /// Stores events for destinations, due at once.
    func store(_ events: [ScanEvent], for destinations: [Destination], now: Date = Date(milliseconds: 0)) async throws {
        try await store(events.map { try OutboxEntry($0, for: destinations, now: now) })
    }

    /// The state of an event at its only destination.
    func state(_ id: EventID) async throws -> DeliveryState? { try await event(id)?.deliveries.first?.state }
}

/// Asks again and again until something holds; false after a minute.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}
