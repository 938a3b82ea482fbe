internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import ScanEvents
internal import ScanOutbox

/// `/deliveries`: lists pending and failed deliveries with their errors, and replays all dead letters.
struct DeliveryRoutes: Sendable {
    let scanService: ScanService

    private struct Waiting: Encodable {
        var destination: String
        var pending: Int
        var nextAttempt: String?
        var pausedUntil: String?
        var givenUp: Int
        var disabled: String?
        var lastAttempt: String?
        var lastStatus: Int?
        var lastError: String?

        init(_ waiting: WaitingDeliveries) {
            destination = waiting.destination
            pending = waiting.pending
            nextAttempt = waiting.nextAttempt?.rfc3339
            pausedUntil = waiting.pausedUntil?.rfc3339
            givenUp = waiting.givenUp
            disabled = waiting.disabled
            lastAttempt = waiting.lastAttempt?.rfc3339
            lastStatus = waiting.lastStatus
            lastError = waiting.lastError
        }
    }

    private struct List: Encodable { var destinations: [Waiting] }
    private struct Replayed: Encodable { var deliveries: Int }

    func add(to group: RouteGroup) {
        group.get(
            "deliveries",
            RouteDescription(
                "waitingDeliveries", "The undelivered events of each destination, with the reason",
                answer: .data(.fields(["destinations": .list(of: .schema("WaitingDeliveries"))])), failures: [.notNow])
        ) { _, _ in
            let waiting = try await self.asked { try await $0.waiting() }
            return Envelope.answer(data: List(destinations: waiting.map(Waiting.init)))
        }
        group.post(
            "deliveries/replay",
            RouteDescription(
                "replayGivenUp", "Sends everything again that was given up",
                answer: .data(.fields(["deliveries": ["type": "integer"]])), failures: [.notNow])
        ) { _, _ in
            // Only the command replays events that were never sent to a disabled destination.
            let count = try await self.asked { try await $0.replay(.state(.dead)) }
            return Envelope.answer(data: Replayed(deliveries: count))
        }
    }

    private func asked<Value>(_ question: (Outbox) async throws -> Value) async throws -> Value {
        do {
            return try await question(scanService.outbox)
        } catch let error as OutboxError {
            throw HTTPFailure(.serviceUnavailable, "outbox", error.description)
        }
    }
}
