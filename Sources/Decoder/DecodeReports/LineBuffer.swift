/// Splits a stream of bytes into lines in linear time, regardless of the sizes of its chunks.
package struct LineBuffer {
    /// A line without its line feed.
    package enum Line: Sendable, Hashable {
        case whole([UInt8])
        /// A line above the limit, which was discarded, and its length in bytes.
        case tooLong(Int)
    }

    /// The longest line in bytes.
    private let limit: Int
    private var bytes: [UInt8] = []
    /// The start of the first pending line, and the offset up to which its end was searched for.
    private var start = 0
    private var searched = 0
    /// The discarded bytes of a line above the limit; `nil` outside of such a line.
    private var dropped: Int?
    /// The number of bytes searched, copied or moved so far: a small multiple of the input.
    package private(set) var handled = 0

    /// Creates a buffer for lines of at most `limit` bytes.
    package init(limit: Int = .max) {
        self.limit = limit
    }

    /// Appends input.
    package mutating func append(_ more: some Sequence<UInt8>) {
        // Only if at least as much is dropped as is moved, so that each byte is moved at most once on average.
        if start > bytes.count / 2 {
            handled += bytes.count - start
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        let before = bytes.count
        bytes.append(contentsOf: more)
        handled += bytes.count - before
    }

    /// Returns the next complete line; `nil` until more input comes.
    package mutating func nextLine() -> Line? {
        let end = bytes[searched...].firstIndex(of: 0x0A)
        handled += (end ?? bytes.count) - searched
        searched = end ?? bytes.count
        guard let end else {
            if dropped != nil || searched - start > limit { drop() }
            return nil
        }
        return take(end, next: end + 1)
    }

    /// Returns the rest after the last line feed, at the end of the input; `nil` if there is none.
    package mutating func lastLine() -> Line? {
        if start == bytes.count && dropped == nil { return nil }
        return take(bytes.count, next: bytes.count)
    }

    /// Returns the next complete line of a buffer without a limit.
    package mutating func next() -> [UInt8]? {
        guard case .whole(let line) = nextLine() else { return nil }
        return line
    }

    /// The number of bytes that wait for the end of their line.
    package var pending: Int { bytes.count - start }

    private mutating func take(_ end: Int, next: Int) -> Line {
        defer {
            start = next
            searched = next
            dropped = nil
        }
        let length = (dropped ?? 0) + end - start
        if dropped != nil || length > limit { return .tooLong(length) }
        handled += length
        return .whole(Array(bytes[start..<end]))
    }

    /// Discards the bytes of a line above the limit.
    private mutating func drop() {
        dropped = (dropped ?? 0) + bytes.count - start
        bytes.removeAll(keepingCapacity: false)
        start = 0
        searched = 0
    }
}
