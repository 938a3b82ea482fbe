import ArgumentParser
import BarcodeCore
import Delivery
import FoundationEssentials
import ScanEvents
import ScanOutbox

/// `scan-outbox status`: shows the counts of an outbox.
struct ShowOutboxStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show how much is stored, pending, delivered and given up.")

    @OptionGroup var common: OutboxOptions

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        try Output.write("outbox  \(configuration.database.printable)\n")
        guard let outbox = try await common.openIfThere(configuration) else {
            try Output.write("events  0, not created yet\n")
            return
        }
        let status = try await outbox.status()
        try Output.write("events  \(status.events)\n")
        let names = Set(status.destinations.keys).union(configuration.destinations.map(\.name))
        if outbox.missingTransactions > 0 {
            ScanOutboxProgram.say("\(Outbox.sentence(missing: outbox.missingTransactions, path: outbox.path))")
        }
        if names.isEmpty { return }
        var rows = [["DESTINATION", "PENDING", "DELIVERED", "DEAD", "DISABLED", "OLDEST PENDING"]]
        for name in names.sorted() {
            let destination = status.destinations[name]
            var note = destination?.oldestPending.map { Duration.seconds(-$0.timeIntervalSinceNow).words } ?? "-"
            if !configuration.destinations.contains(where: { $0.name == name }) { note += ", not configured" }
            if let reason = destination?.disabled { note += ", disabled: \(reason.printable)" }
            if let end = destination?.pausedUntil { note += ", paused until \(end.rfc3339)" }
            let counts = [DeliveryState.pending, .delivered, .dead, .disabled].map { state in
                String(destination?.counts[state] ?? 0)
            }
            rows.append([name] + counts + [note])
        }
        try Output.write("\n" + Output.table(rows))
        if let failure = Failure(damageOf: outbox, isNamed: true) { throw failure }
    }
}
