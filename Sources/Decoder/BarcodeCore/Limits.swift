/// The size limits of an image, checked before memory is allocated for it.
public struct Limits: Sendable, Hashable {
    /// The most pixels in an image; each takes one byte of luma.
    public var maximumPixels: Int
    /// The most pixels along one side; a JPEG can have at most 65,535.
    public var maximumSide: Int
    /// The largest file in bytes.
    public var maximumFileBytes: Int

    /// Creates limits; by default 200 megapixels, 65,535 pixels per side and 256 MiB per file.
    public init(
        maximumPixels: Int = 200_000_000, maximumSide: Int = 65_535, maximumFileBytes: Int = 256 * 1024 * 1024
    ) {
        self.maximumPixels = maximumPixels
        self.maximumSide = maximumSide
        self.maximumFileBytes = maximumFileBytes
    }

    /// Checks the declared size of an image.
    ///
    /// - Throws: ``DecodeError`` with the code `too_large`, or `corrupt` for a side that is not positive.
    public func check(width: Int, height: Int) throws(DecodeError) {
        guard width > 0, height > 0 else {
            throw DecodeError(.corrupt, "the picture has an invalid size of \(width) x \(height) pixels")
        }
        guard width <= maximumSide, height <= maximumSide else {
            throw DecodeError(
                .tooLarge, "the picture is \(width) x \(height) pixels; the limit for a side is \(maximumSide)")
        }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= maximumPixels else {
            throw DecodeError(
                .tooLarge,
                "the picture is \(width) x \(height) pixels; the limit is \((Double(maximumPixels) / 1e6).short) megapixels"
            )
        }
    }

    /// Checks the size of a file.
    ///
    /// - Throws: ``DecodeError`` with the code `too_large`.
    public func check(fileBytes: Int) throws(DecodeError) {
        guard fileBytes <= maximumFileBytes else {
            throw DecodeError(
                .tooLarge, "the file has \(Self.size(fileBytes, .up)); the limit is \(maximumFileSize)")
        }
    }

    /// The largest file, for people: "256 MB" or "1000 bytes".
    package var maximumFileSize: String { Self.size(maximumFileBytes, .down) }

    private static func size(_ bytes: Int, _ rule: FloatingPointRoundingRule) -> String {
        let tenths = (Double(bytes) / 1_048_576 * 10).rounded(rule)
        return tenths < 10 ? "\(bytes) bytes" : "\((tenths / 10).short) MB"
    }
}

extension Double {
    /// The number, without a fraction if it is an integer.
    fileprivate var short: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
