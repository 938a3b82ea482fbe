/// The layout of raw gray pixels without an image format: one byte per pixel, row by row.
public struct GrayLayout: Sendable, Hashable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The bytes from the start of one row to the start of the next; at least `width`.
    public var bytesPerRow: Int

    /// Creates a layout; by default without padding between rows.
    public init(width: Int, height: Int, bytesPerRow: Int? = nil) {
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow ?? width
    }

    /// Returns a copy of the image in `bytes`.
    ///
    /// - Throws: ``DecodeError`` with the code `too_large` or `corrupt` for a size beyond the limits, and
    ///   `invalid_request` if the rows overlap or the bytes are too few. Bytes after the last row are ignored.
    public func image(in bytes: UnsafeRawBufferPointer, limits: Limits) throws(DecodeError) -> LumaImage {
        try limits.check(width: width, height: height)
        guard bytesPerRow >= width else {
            throw DecodeError(
                .invalidRequest,
                "has rows of \(width) pixels but a stride of \(bytesPerRow) bytes, so that the rows overlap")
        }
        // The last row may lack the padding.
        let (before, isTooMuch) = (height - 1).multipliedReportingOverflow(by: bytesPerRow)
        guard !isTooMuch, before <= bytes.count, width <= bytes.count - before else {
            throw DecodeError(
                .invalidRequest,
                "has \(bytes.count) bytes, too few for \(width) x \(height) pixels in rows of \(bytesPerRow) bytes"
            )
        }
        return LumaImage(copying: bytes, width: width, height: height, bytesPerRow: bytesPerRow)
    }
}
