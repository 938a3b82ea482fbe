/// Cuts a stream of bytes into lines, in a time that grows with the bytes alone, however they come.
package struct LineBuffer {
    /// A line without its line feed.
    package enum Line: Sendable, Hashable {
        case whole([UInt8])
        /// A line that was longer than it may be and of which nothing was kept, and its length.
        case tooLong(Int)
    }

    /// The most bytes of a line.
    private let limit: Int
    private var bytes: [UInt8] = []
    /// Where the first line begins that was not handed out, and how far its end was looked for.
    private var start = 0
    private var searched = 0
    /// How much of a line that is too long was dropped; nil outside of such a line.
    private var dropped: Int?
    /// How many bytes were looked at, copied or moved so far: a few times as many as came.
    package private(set) var handled = 0

    /// A buffer for lines of at most `limit` bytes.
    package init(limit: Int = .max) {
        self.limit = limit
    }

    /// Takes the bytes that come next.
    package mutating func append(_ more: some Sequence<UInt8>) {
        // Only where at least as much is dropped as is moved: each byte is moved once at the most, on average.
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

    /// The next line that has ended; nil until more bytes have come.
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

    /// What came behind the last line feed, once no more will come; nil for nothing.
    package mutating func lastLine() -> Line? {
        if start == bytes.count && dropped == nil { return nil }
        return take(bytes.count, next: bytes.count)
    }

    /// The next line that has ended, of a buffer without a limit.
    package mutating func next() -> [UInt8]? {
        guard case .whole(let line) = nextLine() else { return nil }
        return line
    }

    /// How many bytes wait for the end of their line.
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

    /// Forgets what has come of a line that is too long.
    private mutating func drop() {
        dropped = (dropped ?? 0) + bytes.count - start
        bytes.removeAll(keepingCapacity: false)
        start = 0
        searched = 0
    }
}
