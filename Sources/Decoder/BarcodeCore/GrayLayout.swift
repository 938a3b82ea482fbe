/// How the pixels of a gray picture stand in bytes that are in no picture format: one byte a pixel, row after row.
public struct GrayLayout: Sendable, Hashable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// Bytes from the start of one row to the start of the next; at least `width`.
    public var bytesPerRow: Int

    /// A layout; rows follow each other without a gap unless said otherwise.
    public init(width: Int, height: Int, bytesPerRow: Int? = nil) {
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow ?? width
    }

    /// The picture that stands in `bytes`, copied.
    ///
    /// - Throws: ``DecodeError`` with the code `too_large` or `corrupt` for a size beyond the limits, and
    ///   `invalid_request` where the rows overlap or the bytes do not suffice. Bytes behind the last row are passed over.
    public func image(in bytes: UnsafeRawBufferPointer, limits: Limits) throws(DecodeError) -> LumaImage {
        try limits.check(width: width, height: height)
        guard bytesPerRow >= width else {
            throw DecodeError(
                .invalidRequest,
                "has rows of \(width) pixels that stand \(bytesPerRow) bytes apart, so that they overlap")
        }
        // The last row may end before the next would begin.
        let (before, isTooMuch) = (height - 1).multipliedReportingOverflow(by: bytesPerRow)
        guard !isTooMuch, before <= bytes.count, width <= bytes.count - before else {
            throw DecodeError(
                .invalidRequest,
                "is said to be \(width) x \(height) pixels in rows of \(bytesPerRow) bytes and has \(bytes.count) bytes"
            )
        }
        return LumaImage(copying: bytes, width: width, height: height, bytesPerRow: bytesPerRow)
    }
}
