/// Tracks the absence of a receiver, from the first attempt that fails because it is unreachable to the next
/// success.
///
/// A value without a clock.
struct ReceiverAbsence: Sendable {
    /// The minimum absence after which the deliveries that failed during it are made due again.
    ///
    /// A receiver that drops the connection over one event and accepts the next one at once was not away.
    static let minimum: Duration = .seconds(1)

    /// The time of the first failed attempt since the last success; `nil` if the last attempt succeeded.
    private var since: Duration?
    /// True if the state of the receiver is unknown, because it may have become unreachable during an earlier
    /// process.
    private var isUnknown = true

    /// Indicates whether the receiver is away.
    var isAway: Bool { since != nil }

    /// Records the outcome of an attempt; returns true if the deliveries that failed because of the absence are to
    /// be made due again.
    ///
    /// - Parameter wasAway: true if the receiver was away when the attempt began.
    mutating func isOver(after outcome: DeliveryOutcome, wasAway: Bool, at now: Duration) -> Bool {
        if outcome.kind == .delivered {
            defer {
                since = nil
                isUnknown = false
            }
            return isUnknown || since.map { now - $0 >= Self.minimum } ?? false
        }
        guard outcome.isReceiverUnavailable else { return false }
        // An attempt from the time of the absence may fail after another one has succeeded.
        if wasAway && !isAway { return true }
        since = since ?? now
        return false
    }
}
