public import BarcodeCore

/// A frame as it comes from a camera.
public struct CapturedFrame: Sendable {
    /// The luma of the frame.
    public var image: LumaImage
    /// By what a JPEG was reduced while it was decoded; 1 for every other frame.
    ///
    /// A pixel at (x, y) of ``image`` is at (x * scale, y * scale) of what the camera saw.
    public var scale: Int
    /// When the frame was exposed, as the driver tells it, on CLOCK_MONOTONIC.
    public var timestamp: Duration
    /// The driver's number of the frame; gaps are frames that it had no buffer for.
    public var sequence: UInt32
    /// What was counted up to this frame.
    public var counts: CaptureCounts
    /// The file that the frame comes from; nil for a camera.
    public var source: String?

    /// A frame with all that is known of it.
    public init(
        image: LumaImage, scale: Int = 1, timestamp: Duration, sequence: UInt32, counts: CaptureCounts = .init(),
        source: String? = nil
    ) {
        self.image = image
        self.scale = scale
        self.timestamp = timestamp
        self.sequence = sequence
        self.counts = counts
        self.source = source
    }
}

/// What has become of the frames of a camera since it was started.
public struct CaptureCounts: Sendable, Hashable {
    /// Frames that were delivered.
    public var captured = 0
    /// Frames that the driver had no buffer for: gaps in its numbers.
    public var dropped = 0
    /// Frames that the driver marked as damaged.
    public var flagged = 0
    /// Frames with too few bytes, or a JPEG that is not whole.
    public var broken = 0
    /// Sound frames that a newer one had already followed when they were looked at.
    public var superseded = 0
    /// Delivered frames that a newer one replaced before they were taken.
    public var overwritten = 0
    /// How often the camera was lost.
    public var lost = 0
    /// How often streaming was begun.
    public var starts = 0

    /// All at zero.
    public init() {}
}

/// Counts the gaps in a driver's numbers, which wrap around at 2^32.
struct SequenceGaps: Sendable, Hashable {
    /// Larger gaps are a new count of the driver's, not lost frames.
    private static let largest: UInt32 = 1 << 20

    private var last: UInt32?

    /// How many frames are missing before this one.
    mutating func gap(before sequence: UInt32) -> Int {
        defer { last = sequence }
        guard let last else { return 0 }
        let gap = sequence &- last &- 1
        return gap <= Self.largest ? Int(gap) : 0
    }

    /// Begins anew, as a driver does when streaming starts.
    mutating func reset() { last = nil }
}
