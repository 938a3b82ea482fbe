/// The state of an event at one destination.
public enum DeliveryState: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Pending, for the first attempt or a retry.
    case pending = 0
    /// Delivered to the destination; final.
    case delivered = 1
    /// A dead letter: given up after the last attempt. Final until it is replayed.
    case dead = 2
    /// Not delivered, because the destination wants no more events; final until it is replayed.
    case disabled = 3

    /// The name in lower case.
    public var description: String {
        switch self {
        case .pending: "pending"
        case .delivered: "delivered"
        case .dead: "dead"
        case .disabled: "disabled"
        }
    }

    /// Returns the state with a name; `nil` if there is none.
    public init?(name: String) {
        guard let state = DeliveryState.allCases.first(where: { $0.description == name }) else { return nil }
        self = state
    }
}
