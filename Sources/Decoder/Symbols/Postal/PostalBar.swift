/// A bar of a postal symbol.
///
/// Each covers the track in the middle, and may have an ascender and a descender.
public struct PostalBar: Sendable, Hashable {
    /// True if the bar extends above the track.
    public var hasAscender: Bool
    /// True if the bar extends below the track.
    public var hasDescender: Bool

    /// Creates a bar.
    public init(hasAscender: Bool, hasDescender: Bool) {
        self.hasAscender = hasAscender
        self.hasDescender = hasDescender
    }

    /// The state as numbered in the tables of the symbologies: 0 full, 1 ascender, 2 descender, 3 tracker.
    var state: Int { (hasDescender ? 0 : 1) + (hasAscender ? 0 : 2) }

    /// The bar rotated by 180 degrees.
    var turned: PostalBar { PostalBar(hasAscender: hasDescender, hasDescender: hasAscender) }
}
