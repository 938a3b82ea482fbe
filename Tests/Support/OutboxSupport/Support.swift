package import BarcodeCore
package import FoundationEssentials
internal import Glibc
package import ScanEvents
package import ScanOutbox
internal import Synchronization

/// A temporary folder that is deleted with this object.
package final class Folder: Sendable {
    package let path: String

    package init() throws {
        path = "/tmp/quietzone-dispatch-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package subscript(_ name: String) -> String { "\(path)/\(name)" }

    package func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: self[name]))
        return self[name]
    }
}

/// An outbox in a folder of its own.
package struct TestOutbox {
    package let folder: Folder
    package let outbox: Outbox

    package init() throws {
        folder = try Folder()
        outbox = try Outbox(path: folder["outbox.sqlite"])
    }
}

/// Clocks that a test controls.
package final class ManualTime: Sendable {
    private let state: Mutex<(now: Date, uptime: Duration)>

    package init(_ now: Date = Date(milliseconds: 1_800_000_000_000)) { state = Mutex((now, .zero)) }

    /// The wall clock, which may jump.
    package var now: Date { state.withLock { $0.now } }
    /// The monotonic clock.
    package var uptime: Duration { state.withLock { $0.uptime } }

    /// Advances both clocks.
    package func pass(_ duration: Duration) {
        state.withLock {
            $0.now += Double(duration.milliseconds) / 1000
            $0.uptime += duration
        }
    }

    /// Makes the wall clock jump.
    package func jump(_ seconds: Double) { state.withLock { $0.now += seconds } }
}

extension ScanEvent {
    /// An event with a text.
    package static func test(
        _ text: String = "4006381333931", symbology: Symbology = .ean13,
        at time: Date = Date(milliseconds: 1_800_000_000_123), id: EventID = EventID(),
        source: ScanSource.Kind = .file
    ) -> ScanEvent {
        ScanEvent(
            id: id, time: time, station: "ward-3", source: ScanSource(kind: source, name: "a.jpg"),
            symbol: ScannedSymbol(symbology: symbology, text: text, bytes: Array(text.utf8)))
    }
}

extension Outbox {
    /// Stores events for destinations, due immediately.
    package func store(_ events: [ScanEvent], for destinations: [Destination], now: Date = Date(milliseconds: 0))
        async throws
    {
        try await store(events.map { try OutboxEntry($0, for: destinations, now: now) })
    }

    /// Returns the state of an event's delivery to its only destination.
    package func state(_ id: EventID) async throws -> DeliveryState? { try await event(id)?.deliveries.first?.state }
}

/// Polls a condition until it holds; false after four minutes.
package func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(240)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}
