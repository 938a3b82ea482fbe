public import FoundationEssentials
public import ScanEvents
public import SymbolContent
internal import Synchronization

/// Accepts the scans of one source: drops duplicates, creates events, and stores them for their destinations.
///
/// ```swift
/// let intake = ScanIntake(outbox: outbox, station: "ward-3", destinations: [Destination(name: "records")])
/// let events = try await intake.accept([submission])
/// ```
public final class ScanIntake: Sendable {
    private let outbox: Outbox
    /// The station name in its events.
    package let station: String
    /// The keys to check the signatures of messages with; `nil` to check none.
    package let signingKeys: SigningKeys?
    private let destinations: [Destination]
    private let deduplicator: Mutex<Deduplicator>

    /// Creates an intake for one source.
    ///
    /// - Parameters:
    ///   - outbox: the store of the events.
    ///   - station: the station's name in its events.
    ///   - destinations: the receivers of the events, each by its filter.
    ///   - policy: the rule for repetitions.
    ///   - signingKeys: the keys to check the signatures of messages with; `nil` to check none.
    public init(
        outbox: Outbox, station: String, destinations: [Destination], policy: DeduplicationPolicy = .none,
        signingKeys: SigningKeys? = nil
    ) {
        self.outbox = outbox
        self.station = station
        self.destinations = destinations
        self.signingKeys = signingKeys
        deduplicator = Mutex(Deduplicator(policy))
    }

    /// The number of scans dropped as duplicates.
    public var dropped: Int { deduplicator.withLock { $0.dropped } }

    /// Stores the symbols of several submissions in one transaction, which is on the disk when it returns.
    ///
    /// - Returns: the stored events, in the order of the symbols.
    /// - Throws: ``OutboxError``; then none is stored, and the same submissions may be passed again.
    public func accept(_ submissions: [ScanSubmission], at now: Date = Date()) async throws -> [ScanEvent] {
        try await storeNew(submissions, at: now) { events in
            try await self.outbox.store(
                events.map { try OutboxEntry($0, for: self.destinations, signingKeys: self.signingKeys, now: now) })
        }
    }

    /// Lets the caller store the symbols of a submission in one transaction with the caller's own tables.
    ///
    /// - Parameters:
    ///   - names: the destinations that may get the events; `nil` for all.
    ///   - change: changes the caller's tables and decides whether to store the given events. It may run twice.
    /// - Returns: the result of `change`.
    /// - Throws: ``OutboxError``; then nothing is changed, and the same submission may be passed again.
    package func accept<Receipt: Sendable>(
        _ submission: ScanSubmission, to names: Set<String>? = nil, at now: Date = Date(),
        change: @escaping @Sendable (inout OutboxTransaction, [OutboxEntry]) throws -> Receipt
    ) async throws -> Receipt {
        try await accept([submission], to: names, at: now, change: change)
    }

    /// Does the same for several submissions.
    package func accept<Receipt: Sendable>(
        _ submissions: [ScanSubmission], to names: Set<String>? = nil, at now: Date = Date(),
        change: @escaping @Sendable (inout OutboxTransaction, [OutboxEntry]) throws -> Receipt
    ) async throws -> Receipt {
        let destinations = destinations.filter { names?.contains($0.name) ?? true }
        return try await storeNew(submissions, at: now) { events in
            let entries = try events.map {
                try OutboxEntry($0, for: destinations, signingKeys: self.signingKeys, now: now)
            }
            return try await self.outbox.change(isCounted: true) { try change(&$0, entries) }
        }
    }

    private func storeNew<Receipt>(
        _ submissions: [ScanSubmission], at now: Date, store: ([ScanEvent]) async throws -> Receipt
    ) async throws -> Receipt {
        let events = deduplicator.withLock { deduplicator in
            submissions.flatMap { submission in
                deduplicator.deduplicate(submission.symbols, at: now).map { symbol in
                    var event = ScanEvent(
                        id: EventID(now: now), time: submission.time ?? now, station: station,
                        source: submission.source,
                        symbol: symbol,
                        evidence: submission.evidence)
                    event.operator = submission.operator
                    event.place = submission.place
                    event.count = submission.count
                    return event.checkingSignature(signingKeys)
                }
            }
        }
        let count = submissions.reduce(0) { $0 + $1.symbols.count }
        let receipt: Receipt
        do {
            receipt = try await store(events)
        } catch {
            // A scan that could not be stored must not count as seen.
            deduplicator.withLock { $0.withdraw(events.map(\.symbol), of: count, at: now) }
            throw error
        }
        IntakeMetrics.count(stored: events.count, dropped: count - events.count)
        return receipt
    }
}
