internal import DequeModule
internal import Synchronization

/// The messages on their way to a broker: those waiting for a connection, and those waiting for an acknowledgment.
///
/// A message that timed out but may have reached the broker is remembered until its acknowledgment comes or the
/// connection ends. A caller that submits the same event again gets the result of that message.
final class MQTTQueue: Sendable {
    typealias Waiter = CheckedContinuation<DeliveryOutcome, Never>

    /// The maximum number of acknowledgments to remember whose callers had stopped waiting.
    private static let maximumRemembered = 256
    /// The maximum number of messages that wait for an acknowledgment, suitable for a broker that states no limit.
    static let maximumInFlight = 20
    /// The number of connections that must end over a message before it is given back.
    private static let maximumLosses = 2
    /// The status of a message over which the broker ended the connection: "unspecified error" of MQTT 5.
    static let statusOfALoss = 0x80

    private struct State {
        var last: UInt64 = 0
        /// The callers that are not waiting yet; a canceled one is removed.
        var coming: Set<UInt64> = []
        var waiters: [UInt64: Waiter] = [:]
        var waiting: Deque<(number: UInt64, message: MQTTMessage)> = []
        /// By packet number.
        ///
        /// An entry whose number has no waiter was abandoned by its caller.
        var inFlight: [Int32: (number: UInt64, message: MQTTMessage)] = [:]
        /// The messages that were on their way when a connection ended.
        ///
        /// One of them may be the reason, and would end the next connection too before the broker gets the others.
        /// So they are sent one by one.
        var suspects: Set<UInt64> = []
        /// The number of connections that ended over a message that was alone on its way.
        var losses: [UInt64: Int] = [:]
        var late: Deque<String> = []
        /// The reason why there is no connection; `nil` while there is one.
        var trouble: String? = "it has not answered yet"
        var isClosed = false

        /// Ends the wait for a message.
        mutating func removeWaiter(_ number: UInt64) -> Waiter? {
            suspects.remove(number)
            losses[number] = nil
            return waiters.removeValue(forKey: number)
        }
    }

    private let state = Mutex(State())

    /// The reason why there is no connection; `nil` while there is one.
    var trouble: String? {
        get { state.withLock { $0.trouble } }
        set { state.withLock { $0.trouble = newValue } }
    }

    /// Indicates whether a message waits for a connection.
    var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }
    /// Indicates whether the queue is closed.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Closes the queue for further messages.
    func close() { state.withLock { $0.isClosed = true } }

    /// Submits a message and waits until the broker has acknowledged it or the task is canceled.
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
                return state.removeWaiter(number)
            }
            waiter?.resume(returning: .failed("it was canceled"))
        }
    }

    private static func add(
        _ message: MQTTMessage, _ number: UInt64, _ waiter: Waiter, _ state: inout State
    ) -> DeliveryOutcome? {
        if state.coming.remove(number) == nil { return .failed("it was canceled") }
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

    /// The next message to send; `nil` if none waits, or if too many wait for an acknowledgment.
    func next() -> (number: UInt64, message: MQTTMessage)? {
        state.withLock { state in
            let limit = state.suspects.isEmpty ? Self.maximumInFlight : 1
            return state.inFlight.count < limit ? state.waiting.popFirst() : nil
        }
    }

    /// Records that a message was sent, with the number of its packet.
    func sent(_ entry: (number: UInt64, message: MQTTMessage), as packet: Int32) {
        state.withLock { $0.inFlight[packet] = entry }
    }

    /// Records that a message could not be sent, for a reason specific to it.
    func failed(_ entry: (number: UInt64, message: MQTTMessage), _ outcome: DeliveryOutcome) {
        state.withLock { $0.removeWaiter(entry.number) }?.resume(returning: outcome)
    }

    /// Records the broker's answer to a packet.
    func answered(_ packet: Int32, _ outcome: DeliveryOutcome) {
        let waiter = state.withLock { state -> Waiter? in
            guard let entry = state.inFlight.removeValue(forKey: packet) else { return nil }
            if let waiter = state.removeWaiter(entry.number) { return waiter }
            guard outcome.kind == .delivered else { return nil }
            state.late.append(entry.message.id)
            if state.late.count > Self.maximumRemembered { state.late.removeFirst() }
            return nil
        }
        waiter?.resume(returning: outcome)
    }

    /// Records the end of the connection.
    ///
    /// Unacknowledged messages with a waiting caller are sent again over the next one, unless the broker has ended the
    /// connection each time that it got that very message.
    func disconnected(_ reason: String) {
        let refused = state.withLock { state -> Waiter? in
            state.trouble = reason
            var again = state.inFlight.values.filter { state.waiters[$0.number] != nil }.sorted {
                $0.number < $1.number
            }
            var refused: Waiter?
            if state.inFlight.count == 1, let number = again.first?.number {
                state.losses[number, default: 0] += 1
                if state.losses[number, default: 0] >= Self.maximumLosses {
                    refused = state.removeWaiter(number)
                    again = []
                }
            }
            state.suspects.formUnion(again.map(\.number))
            state.inFlight = [:]
            state.waiting = Deque(again) + state.waiting
            return refused
        }
        refused?.resume(
            returning: .failed(
                "the broker ended the connection each time that it got this message (\(reason)); it may take no message "
                    + "of this size or with this topic", status: Self.statusOfALoss))
    }
}
