import Delivery
import ScanOutbox

extension Failure {
    /// The failure of a run that was to deliver everything but did not; `nil` if nothing is left.
    ///
    /// Events for destinations that are no longer configured do not count, because they could never be delivered.
    static func undelivered(
        in outbox: Outbox, _ configuration: DeliveryConfiguration
    ) async throws -> Failure? {
        let status = try await outbox.status()
        var lines: [String] = []
        var isPending = false
        var isLost = false
        for name in configuration.destinations.map(\.name) {
            let counts = status.destinations[name]?.counts ?? [:]
            if let count = counts[.pending], count > 0 {
                isPending = true
                lines.append(
                    "\(name): \(events(count)) pending; a later run tries again, "
                        + "\"scan-outbox list --database \(configuration.database)\" says when")
            }
            for state in [DeliveryState.dead, .disabled] {
                guard let count = counts[state], count > 0 else { continue }
                isLost = true
                lines.append(
                    "\(name): \(events(count)) \(state == .dead ? "given up" : "not sent, the destination is disabled"); "
                        + "\"scan-outbox list --state \(state) --database \(configuration.database)\" shows them")
            }
        }
        if lines.isEmpty { return nil }
        return Failure(
            message: lines.joined(separator: "\n"), status: isLost || !isPending ? undelivered : pending)
    }

    private static func events(_ count: Int) -> String { "\(count) \(count == 1 ? "event is" : "events are")" }
}
