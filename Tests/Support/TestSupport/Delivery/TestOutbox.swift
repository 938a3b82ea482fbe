package import FoundationEssentials
package import ScanEvents
package import ScanOutbox

/// An outbox in a folder of its own.
package struct TestOutbox {
    package let folder: TemporaryFolder
    package let outbox: Outbox

    package init() throws {
        folder = try TemporaryFolder()
        outbox = try Outbox(path: folder["outbox.sqlite"])
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
