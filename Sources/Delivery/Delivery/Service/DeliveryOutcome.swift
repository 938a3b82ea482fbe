public import BarcodeCore
internal import ScanEvents

/// What came of one attempt to deliver an event.
public struct DeliveryOutcome: Sendable, Hashable {
    /// What it means for the event and its destination.
    public enum Kind: Sendable, Hashable {
        /// The receiver has it.
        case delivered
        /// It has to be tried again.
        case failed
        /// It has to be tried again, and the destination wants to be left alone for a while.
        case throttled
        /// The destination wants no more events, ever.
        case gone
        /// It was not tried, because this machine lacks something or nobody reads standard output: that is no attempt.
        case postponed
        /// Trying it again would never help, as with a message that the receiver has no place for: it is given up.
        case refused
        /// The destination is to do nothing with it, as its configuration says; the reason is kept with it.
        case skipped
    }

    /// What it means.
    public var kind: Kind
    /// The HTTP status or the exit status of a command; nil where there was none.
    public var status: Int?
    /// Why it failed, a clause for people without anything secret; nil where it did not.
    public var reason: String?
    /// How long the receiver asks to be left alone; nil where it does not say.
    public var retryAfter: Duration?

    /// An outcome with all that is known of it.
    public init(_ kind: Kind, status: Int? = nil, reason: String? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.status = status
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// Indicates whether the receiver was away or busy, so that the failure says nothing of the event.
    ///
    /// `Outbox.retryUnreached(_:now:)` knows such attempts by the same signs.
    var isForWantOfTheReceiver: Bool {
        (kind == .failed || kind == .throttled) && (status.map { [429, 502, 503, 504].contains($0) } ?? true)
    }

    /// The receiver has it.
    public static func delivered(status: Int? = nil) -> DeliveryOutcome {
        DeliveryOutcome(.delivered, status: status)
    }

    /// The attempt failed for a reason.
    public static func failed(_ reason: String, status: Int? = nil) -> DeliveryOutcome {
        DeliveryOutcome(.failed, status: status, reason: reason)
    }

    /// Trying again would never help.
    public static func refused(_ reason: String, status: Int? = nil) -> DeliveryOutcome {
        DeliveryOutcome(.refused, status: status, reason: reason)
    }

    /// There is nothing to be done with it, for a reason.
    public static func skipped(_ reason: String) -> DeliveryOutcome { DeliveryOutcome(.skipped, reason: reason) }

    /// This machine lacks something that the attempt needs.
    public static func postponed(_ shortage: ResourceShortage) -> DeliveryOutcome {
        DeliveryOutcome(.postponed, reason: shortage.description)
    }

    /// What an HTTP answer means, by Standard Webhooks 1.0.0: 2xx alone is success.
    static func answered(status: Int, retryAfter: Duration?) -> DeliveryOutcome {
        switch status {
        case 200..<300: .delivered(status: status)
        case 300..<400: .failed("answered \(status), a redirect, which is not followed", status: status)
        case 410: DeliveryOutcome(.gone, status: status, reason: "answered 410 Gone")
        case 429, 502, 503, 504:
            DeliveryOutcome(.throttled, status: status, reason: "answered \(status)", retryAfter: retryAfter)
        default: .failed("answered \(status)", status: status)
        }
    }
}
