import ArgumentParser
import BarcodeCore
import Delivery
import FoundationEssentials
import ScanEvents
import ScanOutbox

/// `scan-outbox list`: shows a line for each event.
struct ListEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List events, the newest first.",
        discussion: """
            --text finds a whole text, --prefix texts with the same beginning, in alphabetical order. Both use an index; \
            searching within texts is not supported.
            """)

    @OptionGroup var common: OutboxOptions
    @OptionGroup var query: QueryOptions

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        guard let outbox = try await common.openIfThere(configuration) else {
            ScanOutboxProgram.say(
                "there is no outbox at \(configuration.database) yet; \"scan-outbox add\" creates it, and --database "
                    + "names another, such as that of watch-folder or scan-station")
            return
        }
        let records = try await outbox.history(query.query)
        if records.isEmpty {
            ScanOutboxProgram.say("no event")
            if let failure = Failure(damageOf: outbox, isNamed: true) { throw failure }
            return
        }
        let paused = try await outbox.pausedDestinations()
        let rows = records.map { record in
            [
                record.event.time.rfc3339,
                record.event.id.description, record.event.symbol.symbology.rawValue,
                record.deliveries.isEmpty
                    ? "-" : record.deliveries.map { Self.state($0, paused) }.joined(separator: ","),
                Self.text(
                    configuration.retention.personalAge == nil ? record.event : record.event.withholdingPersonal()),
            ]
        }
        try Output.write(Output.table([["TIME", "ID", "FORMAT", "STATE", "TEXT"]] + rows))
        if records.count == query.limit {
            ScanOutboxProgram.say("these are the first \(query.limit); --limit shows more")
        }
        if let failure = Failure(damageOf: outbox, isNamed: true) { throw failure }
    }
}

extension ListEvents {
    private static func text(_ event: ScanEvent) -> String {
        event.symbol.withheld.map { "(personal: \($0.printable))" } ?? event.symbol.text.printable
    }

    /// A short description of a delivery: `his:pending (tried again in 5 min)`.
    ///
    /// - Parameter paused: the ends of the pauses of destinations.
    private static func state(_ delivery: HistoryRecord.Delivery, _ paused: [String: Date]) -> String {
        let state = "\(delivery.destination):\(delivery.state)"
        guard delivery.state == .pending, let next = delivery.nextAttempt else { return state }
        if let end = paused[delivery.destination], end >= next {
            return state + " (paused for \(Duration.seconds(end.timeIntervalSinceNow).words))"
        }
        if delivery.attempts == 0 { return state }
        let wait = next.timeIntervalSinceNow
        return state + (wait > 0 ? " (tried again in \(Duration.seconds(wait).words))" : " (due again)")
    }
}

/// `scan-outbox show`: shows all details of one event.
struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show an event and its deliveries as JSON.")

    @OptionGroup var common: OutboxOptions

    @Argument(help: "The event's identifier, as printed by add.")
    var id: IDArgument

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        let outbox = try await common.open(configuration)
        guard let record = try await outbox.event(id.id) else {
            if let failure = Failure(damageOf: outbox, isNamed: true) { throw failure }
            throw Failure(message: "the outbox \(configuration.database) has no event \(id.id)")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(RecordJSON(record, withholdsPersonal: false))
        try Output.write(PrintableJSON.escaped([UInt8](json)) + [0x0A])
        if let failure = Failure(damageOf: outbox, isNamed: true) { throw failure }
    }
}
