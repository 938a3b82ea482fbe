import Logging
import Synchronization
import TestSupport

@testable import Delivery

/// A sink with scripted answers, which keeps the messages.
final class FakeSink: Sink {
    private let answer: @Sendable (OutgoingMessage) async -> DeliveryOutcome
    private let got = Mutex<[OutgoingMessage]>([])

    init(_ answer: @escaping @Sendable (OutgoingMessage) async -> DeliveryOutcome = { _ in .delivered(status: 200) }) {
        self.answer = answer
    }

    var messages: [OutgoingMessage] { got.withLock { $0 } }

    func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        got.withLock { $0.append(message) }
        return await answer(message)
    }
}

extension ManualTime {
    /// The clocks for a service, without jitter.
    var source: TimeSource { TimeSource(now: { self.now }, uptime: { self.uptime }, random: { 0 }) }
}

extension Logger {
    /// A logger that discards everything.
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
