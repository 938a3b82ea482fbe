public import ScanEvents

/// The settings for operators and places of a station, and the codes that change them.
public struct WorkplaceSettings: Sendable {
    /// The pattern of badges; `nil` if nobody signs in.
    public var badge: TextPattern?
    /// The time without a scan after which an operator is signed out.
    public var signOutAfter: Duration = .seconds(1800)
    /// The place if no other was chosen.
    public var place: String?
    /// The pattern of place codes, whose first group is the name of the place; `nil` if there are none.
    public var placeCode: TextPattern?

    /// Creates settings without badges and places.
    public init() {}
}
