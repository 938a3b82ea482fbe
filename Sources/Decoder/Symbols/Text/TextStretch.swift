internal import BarcodeCore

/// A run of a message that is decoded as a whole.
struct TextStretch: Hashable {
    /// The range of bytes in the message.
    var range: Range<Int>
    /// The mode; `bytes` if any part of the run is bytes.
    var mode: Reading.Segment.Mode
    /// The current ECI.
    var eci: Int?

    /// Creates a single run of the whole message, without any information from the symbol.
    init(all bytes: [UInt8]) {
        self.init(range: bytes.indices, mode: .bytes, eci: nil)
    }

    private init(range: Range<Int>, mode: Reading.Segment.Mode, eci: Int?) {
        self.range = range
        self.mode = mode
        self.eci = eci
    }

    /// Returns the runs of a message, which together cover each byte once, in order.
    ///
    /// Neighbors with the same ECI are joined, because encoders split a message by bytes: half of a two-byte
    /// character that looks like a capital letter may be in an alphanumeric segment, and a UTF-8 character may be
    /// split. Overlapping or invalid segments, which no reader should return, are clamped.
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
