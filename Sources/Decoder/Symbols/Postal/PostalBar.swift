/// A bar of a postal symbol: each reaches over the track in the middle, and may go on above and below it.
public struct PostalBar: Sendable, Hashable {
    /// Whether it goes on above the track.
    public var hasAscender: Bool
    /// Whether it goes on below the track.
    public var hasDescender: Bool

    /// A bar.
    public init(hasAscender: Bool, hasDescender: Bool) {
        self.hasAscender = hasAscender
        self.hasDescender = hasDescender
    }

    /// The state as the tables of the symbologies number it: 0 full, 1 ascender, 2 descender, 3 track alone.
    var state: Int { (hasDescender ? 0 : 1) + (hasAscender ? 0 : 2) }

    /// The bar as it is seen upside down.
    var turned: PostalBar { PostalBar(hasAscender: hasDescender, hasDescender: hasAscender) }
}
