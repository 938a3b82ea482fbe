/// The chunks of a RIFF container in order, up to the end of the bytes.
struct RIFFChunks: Sequence, IteratorProtocol {
    struct Chunk {
        var name: ChunkName
        /// The available part of the payload.
        var payload: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private var position: Int

    /// Creates the sequence of the chunks from `start` on.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
        self.bytes = bytes
        position = start
    }

    mutating func next() -> Chunk? {
        guard let name = bytes.chunkName(at: position), let length = bytes.littleEndian32(at: position + 4) else {
            return nil
        }
        let start = position + 8
        let there = Swift.min(length, bytes.count - start)
        position = start + length + (length & 1)
        return Chunk(
            name: name,
            payload: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + there)]))
    }
}
