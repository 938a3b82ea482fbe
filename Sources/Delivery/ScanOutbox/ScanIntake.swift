public import FoundationEssentials
public import ScanEvents
internal import Synchronization

/// Accepts the scans of one source: drops duplicates, creates events, and stores them for their destinations.
public final class ScanIntake: Sendable {
    private let outbox: Outbox
    /// The station name in its events.
    package let station: String
    private let destinations: [Destination]
    private let deduplicator: Mutex<Deduplicator>

    /// Creates an intake for one source.
    public init(
        outbox: Outbox, station: String, destinations: [Destination], policy: DeduplicationPolicy = .none
    ) {
        self.outbox = outbox
        self.station = station
        self.destinations = destinations
        deduplicator = Mutex(Deduplicator(policy))
    }

    /// The number of scans dropped as duplicates.
    public var dropped: Int { deduplicator.withLock { $0.dropped } }

    /// Stores the symbols of several sightings in one transaction, which is on the disk when it returns.
    ///
    /// - Returns: the stored events, in the order of the symbols.
    /// - Throws: ``OutboxError``; then none is stored, and the same sightings may be submitted again.
    public func accept(_ sightings: [ScanSighting], at now: Date = Date()) async throws -> [ScanEvent] {
        try await admit(sightings, at: now) { events in
            try await self.outbox.store(events.map { try OutboxEntry($0, for: self.destinations, now: now) })
        }.events
    }

    /// Lets the caller store the symbols of a sighting in one transaction with the caller's own tables.
    ///
    /// - Parameters:
    ///   - names: the destinations that may get the events; `nil` for all.
    ///   - change: changes the caller's tables and decides whether to store the given events. It may run twice.
    /// - Returns: the result of `change`.
    /// - Throws: ``OutboxError``; then nothing is changed, and the same sighting may be submitted again.
    package func accept<Receipt: Sendable>(
        _ sighting: ScanSighting, to names: Set<String>? = nil, at now: Date = Date(),
        change: @escaping @Sendable (inout OutboxTransaction, [OutboxEntry]) throws -> Receipt
    ) async throws -> Receipt {
        try await accept([sighting], to: names, at: now, change: change)
    }

    /// Does the same for several sightings.
    package func accept<Receipt: Sendable>(
        _ sightings: [ScanSighting], to names: Set<String>? = nil, at now: Date = Date(),
        change: @escaping @Sendable (inout OutboxTransaction, [OutboxEntry]) throws -> Receipt
    ) async throws -> Receipt {
        let destinations = destinations.filter { names?.contains($0.name) ?? true }
        return try await admit(sightings, at: now) { events in
            let entries = try events.map { try OutboxEntry($0, for: destinations, now: now) }
            return try await self.outbox.change(isCounted: true) { try change(&$0, entries) }
        }.receipt
    }

    private func admit<Receipt>(
        _ sightings: [ScanSighting], at now: Date, store: ([ScanEvent]) async throws -> Receipt
    ) async throws -> (events: [ScanEvent], receipt: Receipt) {
        // A scan that could not be stored must not count as seen.
        let before = deduplicator.withLock { $0 }
        let events = deduplicator.withLock { deduplicator in
            sightings.flatMap { sighting in
                deduplicator.admit(sighting.symbols, at: now).map { symbol in
                    var event = ScanEvent(
                        id: EventID(now: now), time: sighting.time ?? now, station: station, source: sighting.source,
                        symbol: symbol,
                        evidence: sighting.evidence)
                    event.operator = sighting.operator
                    event.place = sighting.place
                    event.count = sighting.count
                    return event
                }
            }
        }
        let receipt: Receipt
        do {
            receipt = try await store(events)
        } catch {
            deduplicator.withLock { $0 = before }
            throw error
        }
        IntakeMetrics.count(
            stored: events.count, dropped: sightings.reduce(0) { $0 + $1.symbols.count } - events.count)
        return (events, receipt)
    }
}
