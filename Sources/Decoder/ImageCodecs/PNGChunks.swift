/// The chunks of a PNG, one after the other, for as long as the bytes last.
///
/// Their check sums are not looked at.
struct PNGChunks: Sequence, IteratorProtocol {
    struct Chunk {
        var name: ChunkName
        /// All of the payload.
        var payload: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 8

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next chunk; nil where the next one is cut short or missing.
    mutating func next() -> Chunk? {
        guard let length = bytes.bigEndian32(at: position), let name = bytes.chunkName(at: position + 4),
            let payload = bytes.slice(at: position + 8, count: length),
            bytes.slice(at: position + 8 + length, count: 4) != nil
        else { return nil }
        position += 12 + length
        return Chunk(name: name, payload: payload)
    }
}
