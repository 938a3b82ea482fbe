/// Tracks the absence of a receiver, from the first attempt that fails because it is unreachable to the next
/// success.
///
/// A value without a clock.
struct ReceiverAbsence: Sendable {
    /// The minimum absence after which the deliveries that failed during it are made due again.
    ///
    /// A receiver that drops the connection over one event and accepts the next one at once was not away.
    static let minimum: Duration = .seconds(1)
    /// The number of attempts that began while the receiver took other events and failed nevertheless, after which
    /// an event says nothing about the receiver.
    ///
    /// Without this limit, a receiver whose gateway answers 502 to one event would get it again after each other
    /// event, for ever.
    static let maximumDoubts = 3
    /// The maximum number of events to remember.
    private static let maximumRemembered = 10_000

    /// The time of the first failed attempt since the last success; `nil` if the last attempt succeeded.
    private var since: Duration?
    /// True if the state of the receiver is unknown, because it may have become unreachable during an earlier
    /// process.
    private(set) var isUnknown = true
    /// The number of such attempts of each event.
    private var doubts: [Int64: Int] = [:]

    /// Indicates whether the receiver is away.
    var isAway: Bool { since != nil }

    /// The events on which the receiver fails although it takes others.
    var refusedEvents: [Int64] { doubts.filter { $0.value >= Self.maximumDoubts }.map(\.key) }

    /// Forgets an event that is not attempted any more.
    mutating func forget(_ event: Int64) { doubts[event] = nil }

    /// Records the outcome of an attempt; returns true if the deliveries that failed because of the absence are to
    /// be made due again.
    ///
    /// - Parameter wasAway: true if the receiver was away when the attempt began.
    mutating func isOver(
        after outcome: DeliveryOutcome, of event: Int64, wasAway: Bool, at now: Duration
    ) -> Bool {
        if outcome.kind == .delivered {
            defer {
                since = nil
                isUnknown = false
            }
            return isUnknown || since.map { now - $0 >= Self.minimum } ?? false
        }
        guard outcome.isReceiverUnavailable else { return false }
        if !wasAway, !isUnknown, doubts[event] != nil || doubts.count < Self.maximumRemembered {
            doubts[event, default: 0] += 1
        }
        if doubts[event, default: 0] >= Self.maximumDoubts { return false }
        // An attempt from the time of the absence may fail after another one has succeeded.
        if wasAway && !isAway { return true }
        since = since ?? now
        return false
    }
}
