/// The chunks of a RIFF container, one after the other, for as long as the bytes last.
struct RIFFChunks: Sequence, IteratorProtocol {
    struct Chunk {
        var name: ChunkName
        /// What is there of the payload.
        var payload: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private var position: Int

    /// The chunks that begin at `start` of `bytes`.
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
