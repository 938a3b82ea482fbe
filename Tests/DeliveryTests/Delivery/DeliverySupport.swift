import Logging
import OutboxSupport
import Synchronization

@testable import Delivery

/// A sink that answers what it is told to, and keeps what it got.
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
    /// The clocks as a service takes them, without jitter.
    var source: TimeSource { TimeSource(now: { self.now }, uptime: { self.uptime }, random: { 0 }) }
}

extension Logger {
    /// A logger that says nothing.
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
