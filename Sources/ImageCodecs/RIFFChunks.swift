/// The chunks of a RIFF container, one after the other, for as long as the bytes last.
struct RIFFChunks: Sequence, IteratorProtocol {
    struct Chunk {
        /// Four letters.
        var name: String
        /// What is there of the payload.
        var payload: UnsafeRawBufferPointer
        /// Whether the payload is shorter than the chunk says.
        var isCutOff: Bool
    }

    private let bytes: UnsafeRawBufferPointer
    private var position: Int

    /// The chunks that begin at `start` of `bytes`.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
        self.bytes = bytes
        position = start
    }

    mutating func next() -> Chunk? {
        guard let name = bytes.slice(at: position, count: 4), let length = bytes.littleEndian32(at: position + 4) else {
            return nil
        }
        let start = position + 8
        let there = Swift.min(length, bytes.count - start)
        position = start + length + (length & 1)
        return Chunk(
            name: String(decoding: name, as: UTF8.self),
            payload: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + there)]), isCutOff: there < length)
    }
}
