/// The state of an event at one destination.
public enum DeliveryState: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Still to be delivered, for the first time or again.
    case pending = 0
    /// The destination has it; final.
    case delivered = 1
    /// Given up after the last attempt; final until it is replayed.
    case dead = 2
    /// Not delivered, because the destination wants no more; final until it is replayed.
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

    /// The state of a name.
    public init?(name: String) {
        guard let state = DeliveryState.allCases.first(where: { $0.description == name }) else { return nil }
        self = state
    }
}
