public import BarcodeCore

/// A frame of a camera.
public struct CapturedFrame: Sendable {
    /// The luma of the frame.
    public var image: LumaImage
    /// The factor by which a JPEG was reduced while decoding; 1 for every other frame.
    ///
    /// A pixel at (x, y) of ``image`` is at (x * scale, y * scale) of the camera's full frame.
    public var scale: Int
    /// The time of exposure that the driver reports, on CLOCK_MONOTONIC.
    public var timestamp: Duration
    /// The driver's number of the frame; gaps are frames that it had no buffer for.
    public var sequence: UInt32
    /// The counts up to this frame.
    public var counts: CaptureCounts
    /// The file of the frame; `nil` for a camera.
    public var source: String?

    /// Creates a frame.
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

/// Counts of the frames of a camera since its start.
public struct CaptureCounts: Sendable, Hashable {
    /// Frames that were delivered.
    public var captured = 0
    /// Frames that the driver had no buffer for, from gaps in its sequence numbers.
    public var dropped = 0
    /// Frames that the driver marked as damaged.
    public var flagged = 0
    /// Frames with too few bytes, or with an incomplete JPEG.
    public var broken = 0
    /// Intact frames that were skipped because a newer one was already there.
    public var superseded = 0
    /// Delivered frames that a newer one replaced before the consumer took them.
    public var overwritten = 0
    /// The number of times that the camera was lost.
    public var lost = 0
    /// The number of times that streaming was started.
    public var starts = 0

    /// Creates counts of zero.
    public init() {}
}

/// Counts the gaps in a driver's sequence numbers, which wrap around at 2^32.
struct SequenceGaps: Sendable, Hashable {
    /// The largest gap that counts as lost frames; after a larger one the driver has started a new sequence.
    private static let largest: UInt32 = 1 << 20

    private var last: UInt32?

    /// Returns the number of missing frames before this one.
    mutating func gap(before sequence: UInt32) -> Int {
        defer { last = sequence }
        guard let last else { return 0 }
        let gap = sequence &- last &- 1
        return gap <= Self.largest ? Int(gap) : 0
    }

    /// Starts a new sequence, as a driver does when streaming starts.
    mutating func reset() { last = nil }
}
