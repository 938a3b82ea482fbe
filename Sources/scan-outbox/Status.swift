import ArgumentParser
import BarcodeCore
import FoundationEssentials
import OutboxProgram
import ResultDispatch

/// Says how much there is.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say how much is stored, waiting, delivered and given up.")

    @OptionGroup var common: OutboxOptions

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        try Output.write("outbox  \(configuration.database)\n")
        guard let outbox = try await common.openIfThere(configuration) else {
            try Output.write("events  0, it is not there yet\n")
            return
        }
        let status = try await outbox.status()
        try Output.write("events  \(status.events)\n")
        let names = Set(status.destinations.keys).union(configuration.destinations.map(\.name))
        if names.isEmpty { return }
        var rows = [["DESTINATION", "PENDING", "DELIVERED", "DEAD", "DISABLED", "OLDEST PENDING"]]
        for name in names.sorted() {
            let destination = status.destinations[name]
            var note = destination?.oldestPending.map { Self.age($0) } ?? "-"
            if !configuration.destinations.contains(where: { $0.name == name }) { note += ", not configured" }
            if let reason = destination?.disabled { note += ", disabled: \(reason.printable)" }
            let counts = [DeliveryState.pending, .delivered, .dead, .disabled].map { state in
                String(destination?.counts[state] ?? 0)
            }
            rows.append([name] + counts + [note])
        }
        try Output.write("\n" + Output.table(rows))
    }

    private static func age(_ date: Date) -> String {
        let seconds = Int(max(0, -date.timeIntervalSinceNow))
        if seconds < 120 { return "\(seconds) s" }
        if seconds < 7200 { return "\(seconds / 60) min" }
        return seconds < 172_800 ? "\(seconds / 3600) h" : "\(seconds / 86_400) days"
    }
}
