internal import BarcodeCore

/// A run of a message that is decoded as a whole.
struct TextRun: Hashable {
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
    static func runs(of bytes: [UInt8], segments: [Reading.Segment]) -> [TextRun] {
        var runs: [TextRun] = []
        var end = 0
        func add(_ next: TextRun) {
            guard !next.range.isEmpty else { return }
            end = next.range.upperBound
            guard let last = runs.last, last.eci == next.eci, (last.mode == .kanji) == (next.mode == .kanji) else {
                runs.append(next)
                return
            }
            let mode = last.mode == .ascii ? next.mode : last.mode
            let range = last.range.lowerBound..<next.range.upperBound
            runs[runs.count - 1] = TextRun(range: range, mode: mode, eci: last.eci)
        }
        for segment in segments.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            let lower = min(max(segment.range.lowerBound, end), bytes.count)
            let upper = min(max(segment.range.upperBound, lower), bytes.count)
            add(TextRun(range: end..<lower, mode: .bytes, eci: nil))
            add(TextRun(range: lower..<upper, mode: segment.mode, eci: segment.eci))
        }
        add(TextRun(range: end..<bytes.count, mode: .bytes, eci: nil))
        return runs
    }
}
