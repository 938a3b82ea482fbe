public import ScanEvents

/// Who reads codes at a station, and where: by what codes that is known.
public struct WorkplaceSettings: Sendable {
    /// The codes that are badges; nil where nobody signs in.
    public var badge: TextPattern?
    /// How long somebody stays signed in who reads nothing.
    public var signOutAfter: Duration = .seconds(1800)
    /// The place where no other was chosen.
    public var place: String?
    /// The codes of places, whose first group is the name of the place; nil where there are none.
    public var placeCode: TextPattern?

    /// Nobody signs in, and no place is known.
    public init() {}
}
