/// The chunks of a PNG in order, up to the end of the bytes.
///
/// Their checksums are not verified.
struct PNGChunks: Sequence, IteratorProtocol {
    struct Chunk {
        var name: ChunkName
        /// The complete payload.
        var payload: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 8

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Returns the next chunk; `nil` if it is truncated or missing.
    mutating func next() -> Chunk? {
        guard let length = bytes.bigEndian32(at: position), let name = bytes.chunkName(at: position + 4),
            let payload = bytes.slice(at: position + 8, count: length),
            bytes.slice(at: position + 8 + length, count: 4) != nil
        else { return nil }
        position += 12 + length
        return Chunk(name: name, payload: payload)
    }
}
