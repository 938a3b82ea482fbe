/// The absence of a destination's receiver: from the first attempt that fails for want of it to the next success.
///
/// A value without a clock.
struct ReceiverAbsence: Sendable {
    /// The shortest absence after which deliveries are made due that failed in it.
    ///
    /// A receiver that breaks off the connection over one event, and takes the next one at once, was not away.
    static let minimum: Duration = .seconds(1)

    /// The time of the first failed attempt since the last success; `nil` if the last attempt succeeded.
    private var since: Duration?
    /// True if nothing is known of the receiver yet: it may have been away from an earlier process.
    private var isUnknown = true

    /// Indicates whether the receiver is away.
    var isAway: Bool { since != nil }

    /// Takes over what came of an attempt; returns whether what failed for want of the receiver is to be made due.
    ///
    /// - Parameter wasAway: whether the receiver was away when the attempt began.
    mutating func isOver(after outcome: DeliveryOutcome, wasAway: Bool, at now: Duration) -> Bool {
        if outcome.kind == .delivered {
            defer {
                since = nil
                isUnknown = false
            }
            return isUnknown || since.map { now - $0 >= Self.minimum } ?? false
        }
        guard outcome.isForWantOfTheReceiver else { return false }
        // An attempt of the time of the absence may fail after another one has succeeded.
        if wasAway && !isAway { return true }
        since = since ?? now
        return false
    }
}
