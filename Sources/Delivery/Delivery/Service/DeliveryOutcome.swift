public import BarcodeCore
internal import ScanEvents

/// The outcome of one delivery attempt.
public struct DeliveryOutcome: Sendable, Hashable {
    /// The meaning of an outcome for the event and its destination.
    public enum Kind: Sendable, Hashable {
        /// The receiver has accepted it.
        case delivered
        /// The attempt failed; try it again.
        case failed
        /// The attempt failed and the destination is rate-limited; try it again after a pause.
        case throttled
        /// The destination wants no more events, ever.
        case gone
        /// No attempt was made, because this machine lacks a resource or standard output has no reader. Not
        /// counted.
        case postponed
        /// The receiver refused it for good, as with a message that it has no place for. The event becomes a dead
        /// letter.
        case refused
        /// The configuration says not to deliver it; the reason is stored with it.
        case skipped
    }

    /// The kind of outcome.
    public var kind: Kind
    /// The HTTP status, or the exit status of a command; `nil` if there was none.
    public var status: Int?
    /// The reason of a failure, a clause for people without secrets; `nil` on success.
    public var reason: String?
    /// The pause that the receiver asks for; `nil` if it does not say.
    public var retryAfter: Duration?

    /// Creates an outcome.
    public init(_ kind: Kind, status: Int? = nil, reason: String? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.status = status
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// Indicates whether the receiver was unreachable or busy, so that the failure says nothing about the event.
    ///
    /// `Outbox.retryUnreached(_:now:)` recognizes such attempts by the same criteria.
    var isReceiverUnavailable: Bool {
        (kind == .failed || kind == .throttled) && (status.map { [429, 502, 503, 504].contains($0) } ?? true)
    }

    /// The receiver has accepted the event.
    public static func delivered(status: Int? = nil) -> DeliveryOutcome {
        DeliveryOutcome(.delivered, status: status)
    }

    /// The attempt failed for a reason.
    public static func failed(_ reason: String, status: Int? = nil) -> DeliveryOutcome {
        DeliveryOutcome(.failed, status: status, reason: reason)
    }

    /// A retry would never help.
    public static func refused(_ reason: String, status: Int? = nil) -> DeliveryOutcome {
        DeliveryOutcome(.refused, status: status, reason: reason)
    }

    /// The event is not to be delivered, for a reason.
    public static func skipped(_ reason: String) -> DeliveryOutcome { DeliveryOutcome(.skipped, reason: reason) }

    /// This machine lacks a resource that the attempt needs.
    public static func postponed(_ shortage: ResourceShortage) -> DeliveryOutcome {
        DeliveryOutcome(.postponed, reason: shortage.description)
    }

    /// The meaning of an HTTP response by Standard Webhooks 1.0.0: only 2xx is success.
    static func answered(status: Int, retryAfter: Duration?) -> DeliveryOutcome {
        switch status {
        case 200..<300: .delivered(status: status)
        case 300..<400: .failed("answered \(status), a redirect, which is not followed", status: status)
        case 410: DeliveryOutcome(.gone, status: status, reason: "answered 410 Gone")
        case 429, 502, 503, 504:
            DeliveryOutcome(.throttled, status: status, reason: "answered \(status)", retryAfter: retryAfter)
        default: .failed("answered \(status)" + (remedy(of: status).map { "; \($0)" } ?? ""), status: status)
        }
    }

    /// The remedy for a status, as a clause for operators; `nil` if the status says too little.
    private static func remedy(of status: Int) -> String? {
        switch status {
        case 401, 403: "check the secret, the token or the password of the destination"
        case 404, 405: "check the URL and the method of the destination"
        case 413: "the receiver takes no event of this size"
        default: nil
        }
    }
}
