internal import BarcodeCore
internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Logging
internal import ScanEvents
internal import ScanOutbox

/// Counts and workplaces.
extension ScanService {
    /// The progress of a count, for pages that show it.
    private struct Progress: Encodable {
        var number: Int64
        var total: Int
        var codes: Int
        var canUndo: Bool
        var isOpen: Bool
    }

    /// Counts repeated codes, which create no event.
    func count(repeated symbols: [ScannedSymbol]) async {
        guard let number = counts.openNumber, !symbols.isEmpty else { return }
        do {
            try await counts.add(repeated: symbols, now: Date())
            await publishCount(number)
        } catch {
            logger.error("Could not count a code that was read again", metadata: ["error": "\(error)"])
            publish("not-counted", UncountedMessage(texts: symbols.map(\.text)), to: .station)
        }
    }

    private struct UncountedMessage: Encodable { var texts: [String] }

    func publishCount(_ number: Int64) async {
        guard let count = try? await counts.record(number) else { return }
        publishCount(count)
    }

    func publishCount(_ count: CountRecord) {
        let progress = Progress(
            number: count.number, total: count.total, codes: count.codes, canUndo: count.canUndo,
            isOpen: count.closedAt == nil)
        publish("count", progress, to: .station)
    }

    /// Closes a count; false if it is not open.
    ///
    /// - Parameters:
    ///   - delivers: if true, the count becomes an event, which is stored in the same transaction.
    ///   - destination: the only destination, regardless of its filter; `nil` for all whose filter admits it.
    func closeCount(_ number: Int64, delivers: Bool, to destination: String?) async throws -> Bool {
        let now = Date()
        guard let count = try await asked({ try await counts.record(number) }), count.closedAt == nil else {
            return false
        }
        let receivers = receivers(of: destination)
        let blank = workplace.stamped(
            ScanSubmission(symbols: [], source: ScanSource(kind: .count, name: count.name.isEmpty ? nil : count.name)),
            at: now)
        let station = stationName
        let isClosed = try await asked {
            try await outbox.change(isCounted: delivers) { transaction in
                var event: ScanEvent?
                if delivers {
                    // Read inside the transaction, so that the event includes every code counted before it.
                    let lines = try CountStore.lines(of: number, in: transaction.database)
                    event = ScanEvent(counted: lines, of: count, station: station, blank, now: now)
                }
                guard try CountStore.close(number, event: event?.id, now: now, in: transaction.database) else {
                    return false
                }
                if let event { try transaction.store([OutboxEntry(event, for: receivers, now: now)]) }
                return true
            }
        }
        if isClosed { counts.noteClosed(number) }
        return isClosed
    }

    private func asked<Value>(_ question: () async throws -> Value) async throws -> Value {
        do {
            return try await question()
        } catch let error as OutboxError {
            logger.error("Could not save a count", metadata: ["error": "\(error)"])
            throw HTTPFailure(.serviceUnavailable, "not_saved", error.description)
        }
    }

    /// The current operator and place, as sent to clients.
    var workplaceMessage: WorkplaceMessage {
        WorkplaceMessage(
            hasBadges: workplace.settings.badge != nil,
            current: OrNull(
                workplace.current(at: Date()).map {
                    WorkplaceMessage.Operator(
                        label: $0.label, hasName: $0.name != nil, expiresAt: $0.expiresAt.rfc3339)
                }), place: OrNull(workplace.place), configuredPlace: OrNull(workplace.settings.place))
    }

    /// Publishes the current operator and place.
    @discardableResult
    func publishWorkplace() -> WorkplaceMessage {
        let message = workplaceMessage
        publish("workplace", message, to: .station)
        return message
    }
}

extension ScanEvent {
    /// Creates the event that closes a count.
    fileprivate init(
        counted lines: [CountedLines.Line], of count: CountRecord, station: String, _ submission: ScanSubmission,
        now: Date
    ) {
        let text = count.name.isEmpty ? "count \(count.number)" : count.name
        self.init(
            id: EventID(now: now), time: now, station: station, source: submission.source,
            symbol: ScannedSymbol(
                symbology: Symbology(rawValue: Symbology.unknownWebName), text: text, bytes: Array(text.utf8),
                charset: "utf-8"))
        self.operator = submission.operator
        place = submission.place
        self.count = CountedLines(
            number: Int(count.number), name: count.name, openedAt: count.openedAt, lines: lines)
    }
}
