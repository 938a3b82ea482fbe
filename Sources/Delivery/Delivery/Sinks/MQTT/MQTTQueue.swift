internal import DequeModule
internal import Synchronization

/// Messages on their way to a broker: those that wait for a connection, and those that wait for their acknowledgment.
///
/// A message whose time is over and which the broker may have got already stays known until its acknowledgment comes, or
/// the connection ends: whoever hands in the same event again is told of that one.
final class MQTTQueue: Sendable {
    typealias Waiter = CheckedContinuation<DeliveryOutcome, Never>

    /// The most acknowledgments that are remembered which nobody waited for any more.
    private static let maximumRemembered = 256
    /// The most messages that wait for their acknowledgment: what a broker takes that says nothing of it.
    static let maximumInFlight = 20

    private struct State {
        var last: UInt64 = 0
        /// Those that are yet to wait; who is cancelled before is taken out.
        var coming: Set<UInt64> = []
        var waiters: [UInt64: Waiter] = [:]
        var waiting: Deque<(number: UInt64, message: MQTTMessage)> = []
        /// By the number of the packet; a waiter's number that has no waiter was given up.
        var inFlight: [Int32: (number: UInt64, message: MQTTMessage)] = [:]
        var late: Deque<String> = []
        /// Why there is no connection; nil while there is one.
        var trouble: String? = "no connection was made yet"
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Why there is no connection; nil while there is one.
    var trouble: String? {
        get { state.withLock { $0.trouble } }
        set { state.withLock { $0.trouble = newValue } }
    }

    /// Whether a message waits for a connection.
    var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }
    /// Whether no more messages come.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Takes no further messages.
    func close() { state.withLock { $0.isClosed = true } }

    /// Hands in a message and waits until the broker has acknowledged it, or the task is cancelled.
    func publish(_ message: MQTTMessage, wake: @Sendable () -> Void) async -> DeliveryOutcome {
        let number = state.withLock { state in
            state.last += 1
            state.coming.insert(state.last)
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let outcome = state.withLock { Self.add(message, number, waiter, &$0) }
                if let outcome { waiter.resume(returning: outcome) } else { wake() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.coming.remove(number)
                state.waiting.removeAll { $0.number == number }
                return state.waiters.removeValue(forKey: number)
            }
            waiter?.resume(returning: .failed("it was cancelled"))
        }
    }

    private static func add(
        _ message: MQTTMessage, _ number: UInt64, _ waiter: Waiter, _ state: inout State
    ) -> DeliveryOutcome? {
        if state.coming.remove(number) == nil { return .failed("it was cancelled") }
        if let index = state.late.firstIndex(of: message.id) {
            state.late.remove(at: index)
            return .delivered()
        }
        state.waiters[number] = waiter
        let given = state.inFlight.first { $0.value.message == message && state.waiters[$0.value.number] == nil }
        if let given {
            state.inFlight[given.key]?.number = number
        } else {
            state.waiting.append((number, message))
        }
        return nil
    }

    /// The next message to be sent; nil where none waits, or enough wait for their acknowledgment.
    func next() -> (number: UInt64, message: MQTTMessage)? {
        state.withLock { state in
            state.inFlight.count < Self.maximumInFlight ? state.waiting.popFirst() : nil
        }
    }

    /// A message was handed to the broker under the number of its packet.
    func sent(_ entry: (number: UInt64, message: MQTTMessage), as packet: Int32) {
        state.withLock { $0.inFlight[packet] = entry }
    }

    /// A message could not be sent, for a reason that is its own.
    func failed(_ entry: (number: UInt64, message: MQTTMessage), _ outcome: DeliveryOutcome) {
        state.withLock { $0.waiters.removeValue(forKey: entry.number) }?.resume(returning: outcome)
    }

    /// The broker has answered a packet.
    func answered(_ packet: Int32, _ outcome: DeliveryOutcome) {
        let waiter = state.withLock { state -> Waiter? in
            guard let entry = state.inFlight.removeValue(forKey: packet) else { return nil }
            if let waiter = state.waiters.removeValue(forKey: entry.number) { return waiter }
            guard outcome.kind == .delivered else { return nil }
            state.late.append(entry.message.id)
            if state.late.count > Self.maximumRemembered { state.late.removeFirst() }
            return nil
        }
        waiter?.resume(returning: outcome)
    }

    /// The connection has ended: what was not acknowledged and is still waited for is sent again over the next one.
    func disconnected(_ reason: String) {
        state.withLock { state in
            state.trouble = reason
            let again = state.inFlight.values.filter { state.waiters[$0.number] != nil }.sorted {
                $0.number < $1.number
            }
            state.inFlight = [:]
            state.waiting = Deque(again) + state.waiting
        }
    }
}
