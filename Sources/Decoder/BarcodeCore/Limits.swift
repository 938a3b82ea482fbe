/// What a picture may cost, checked before any memory is taken for it.
public struct Limits: Sendable, Hashable {
    /// Pixels in a picture; as luma, each takes a byte.
    public var maximumPixels: Int
    /// Pixels along one side; 65,535 is the most that a JPEG can have.
    public var maximumSide: Int
    /// Bytes in a file.
    public var maximumFileBytes: Int

    /// The given limits; 200 megapixels, 65,535 pixels a side and 256 MB of file unless said otherwise.
    public init(
        maximumPixels: Int = 200_000_000, maximumSide: Int = 65_535, maximumFileBytes: Int = 256 * 1024 * 1024
    ) {
        self.maximumPixels = maximumPixels
        self.maximumSide = maximumSide
        self.maximumFileBytes = maximumFileBytes
    }

    /// Checks the size that a picture claims.
    ///
    /// - Throws: ``DecodeError`` with the code `too_large`, or `corrupt` for a side that is not positive.
    public func check(width: Int, height: Int) throws(DecodeError) {
        guard width > 0, height > 0 else {
            throw DecodeError(.corrupt, "the picture claims a size of \(width) x \(height) pixels")
        }
        guard width <= maximumSide, height <= maximumSide else {
            throw DecodeError(
                .tooLarge, "the picture is \(width) x \(height) pixels; a side may have \(maximumSide) at most")
        }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= maximumPixels else {
            throw DecodeError(
                .tooLarge,
                "the picture is \(width) x \(height) pixels; \(maximumPixels / 1_000_000) megapixels are the most")
        }
    }

    /// Checks the length of a file.
    ///
    /// - Throws: ``DecodeError`` with the code `too_large`.
    public func check(fileBytes: Int) throws(DecodeError) {
        guard fileBytes <= maximumFileBytes else {
            throw DecodeError(
                .tooLarge, "the file has \(fileBytes) bytes; \(maximumFileBytes) are the most")
        }
    }
}
