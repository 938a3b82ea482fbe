/// The boxes of an ISO media file, or inside one of its boxes, up to the end or to the first invalid box.
///
/// Source: ISO/IEC 14496-12, 4.2 "Object Structure".
struct MediaBoxes: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func next() -> (name: ChunkName, payload: UnsafeRawBufferPointer)? {
        guard var length = bytes.bigEndian32(at: position), let name = bytes.chunkName(at: position + 4) else {
            return nil
        }
        var head = 8
        if length == 1 {
            guard let high = bytes.bigEndian32(at: position + 8), high < 1 << 24,
                let low = bytes.bigEndian32(at: position + 12)
            else { return nil }
            length = high << 32 | low
            head = 16
        }
        // The last box may extend to the end of the file.
        if length == 0 { length = bytes.count - position }
        guard length >= head else { return nil }
        let count = Swift.min(length, bytes.count - position) - head
        guard let payload = bytes.slice(at: position + head, count: count) else { return nil }
        position += length
        return (name, payload)
    }
}

extension UnsafeRawBufferPointer {
    /// The payload after the version and the flags of a box.
    var afterVersion: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: dropFirst(4)) }
}
