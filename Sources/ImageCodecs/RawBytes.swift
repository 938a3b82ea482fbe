// Reads that are checked against the end of the bytes: what lies beyond is nil, or false.
extension UnsafeRawBufferPointer {
    func hasBytes(_ expected: [UInt8], at offset: Int = 0) -> Bool {
        guard let found = slice(at: offset, count: expected.count) else { return false }
        return found.elementsEqual(expected)
    }

    func hasText(_ expected: String, at offset: Int = 0) -> Bool {
        guard let found = slice(at: offset, count: expected.utf8.count) else { return false }
        return found.elementsEqual(expected.utf8)
    }

    /// `count` bytes from `offset`, nil where they are not all there.
    func slice(at offset: Int, count: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
        return UnsafeRawBufferPointer(rebasing: self[offset..<(offset + count)])
    }

    func bigEndian16(at offset: Int) -> Int? {
        guard let two = slice(at: offset, count: 2) else { return nil }
        return Int(two[0]) << 8 | Int(two[1])
    }

    func bigEndian32(at offset: Int) -> Int? {
        guard let four = slice(at: offset, count: 4) else { return nil }
        return four.reduce(0) { $0 << 8 | Int($1) }
    }

    func littleEndian16(at offset: Int) -> Int? {
        guard let two = slice(at: offset, count: 2) else { return nil }
        return Int(two[1]) << 8 | Int(two[0])
    }

    func littleEndian24(at offset: Int) -> Int? {
        guard let three = slice(at: offset, count: 3) else { return nil }
        return three.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func littleEndian32(at offset: Int) -> Int? {
        guard let four = slice(at: offset, count: 4) else { return nil }
        return four.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
