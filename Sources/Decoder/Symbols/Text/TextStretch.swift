internal import BarcodeCore

/// A stretch of a message that is decoded as one.
struct TextStretch: Hashable {
    /// The places in the message.
    var range: Range<Int>
    /// `bytes` as soon as part of the stretch is.
    var mode: Reading.Segment.Mode
    /// The ECI in force.
    var eci: Int?

    /// The whole message, of which the symbol says nothing.
    init(all bytes: [UInt8]) {
        self.init(range: bytes.indices, mode: .bytes, eci: nil)
    }

    private init(range: Range<Int>, mode: Reading.Segment.Mode, eci: Int?) {
        self.range = range
        self.mode = mode
        self.eci = eci
    }

    /// The stretches of a message: together they cover each byte once, in order.
    ///
    /// Neighbours of one ECI are joined, because encoders split a message by its bytes: half of a two-byte character
    /// that looks like a capital letter may stand in an alphanumeric segment, and a character of UTF-8 may be cut.
    /// Segments that overlap or leave the message, which no reader should hand out, are cut to fit.
    static func stretches(of bytes: [UInt8], segments: [Reading.Segment]) -> [TextStretch] {
        var stretches: [TextStretch] = []
        var end = 0
        func add(_ next: TextStretch) {
            guard !next.range.isEmpty else { return }
            end = next.range.upperBound
            guard let last = stretches.last, last.eci == next.eci, (last.mode == .kanji) == (next.mode == .kanji) else {
                stretches.append(next)
                return
            }
            let mode = last.mode == .ascii ? next.mode : last.mode
            let range = last.range.lowerBound..<next.range.upperBound
            stretches[stretches.count - 1] = TextStretch(range: range, mode: mode, eci: last.eci)
        }
        for segment in segments.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            let lower = min(max(segment.range.lowerBound, end), bytes.count)
            let upper = min(max(segment.range.upperBound, lower), bytes.count)
            add(TextStretch(range: end..<lower, mode: .bytes, eci: nil))
            add(TextStretch(range: lower..<upper, mode: segment.mode, eci: segment.eci))
        }
        add(TextStretch(range: end..<bytes.count, mode: .bytes, eci: nil))
        return stretches
    }
}
