// Bounds-checked reads: beyond the end of the bytes, the result is `nil` or false.
extension UnsafeRawBufferPointer {
    func hasBytes(_ expected: [UInt8], at offset: Int = 0) -> Bool {
        guard let found = slice(at: offset, count: expected.count) else { return false }
        return found.elementsEqual(expected)
    }

    func hasText(_ expected: String, at offset: Int = 0) -> Bool {
        guard let found = slice(at: offset, count: expected.utf8.count) else { return false }
        return found.elementsEqual(expected.utf8)
    }

    /// Returns `count` bytes from `offset`; `nil` if they are not all there.
    func slice(at offset: Int, count: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
        return UnsafeRawBufferPointer(rebasing: self[offset..<(offset + count)])
    }

    func bigEndian16(at offset: Int) -> Int? {
        integer(UInt16.self, at: offset).map { Int($0.bigEndian) }
    }

    func bigEndian32(at offset: Int) -> Int? {
        integer(UInt32.self, at: offset).map { Int($0.bigEndian) }
    }

    func littleEndian16(at offset: Int) -> Int? {
        integer(UInt16.self, at: offset).map { Int($0.littleEndian) }
    }

    func littleEndian24(at offset: Int) -> Int? {
        guard let three = slice(at: offset, count: 3) else { return nil }
        return Int(three[0]) | Int(three[1]) << 8 | Int(three[2]) << 16
    }

    func littleEndian32(at offset: Int) -> Int? {
        integer(UInt32.self, at: offset).map { Int($0.littleEndian) }
    }

    /// Returns the four-letter name of a chunk.
    func chunkName(at offset: Int) -> ChunkName? {
        bigEndian32(at: offset).map(ChunkName.init(value:))
    }

    private func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type, at offset: Int
    ) -> Integer? {
        guard offset >= 0, count >= MemoryLayout<Integer>.size, offset <= count - MemoryLayout<Integer>.size else {
            return nil
        }
        return loadUnaligned(fromByteOffset: offset, as: Integer.self)
    }
}

/// The four-letter name of a chunk as a number, for speed: a file may have millions of chunks.
struct ChunkName: Hashable {
    fileprivate var value: Int
}

extension ChunkName: ExpressibleByStringLiteral {
    init(stringLiteral name: StaticString) {
        precondition(name.utf8CodeUnitCount == 4, "the type of a chunk must have four letters")
        value = UnsafeRawBufferPointer(start: name.utf8Start, count: 4).bigEndian32(at: 0) ?? 0
    }
}
