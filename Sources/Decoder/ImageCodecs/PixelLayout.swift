public import BarcodeCore

/// The layout of raw pixels in memory: gray, RGB or YUV, row by row.
public struct PixelLayout: Sendable, Hashable {
    /// A format of pixels; channels are in the order of memory.
    public enum Format: Sendable, Hashable, CaseIterable {
        /// One byte per pixel, 0 is black; also the plane of luma of planar YUV.
        case gray
        /// Three bytes per pixel.
        case rgb, bgr
        /// Four bytes per pixel, the last of which is ignored.
        case rgbx, bgrx
        /// Four bytes per pixel; alpha is not premultiplied, and the image is shown over white.
        case rgba, bgra
        /// Two bytes per pixel, luma first.
        case yuyv
        /// Two bytes per pixel, luma second.
        case uyvy
    }

    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The bytes from the start of one row to the start of the next; at least those of the pixels of a row.
    public var bytesPerRow: Int
    /// The format of the pixels.
    public var format: Format

    /// Creates a layout; by default without padding between rows.
    ///
    /// - Precondition: `bytesPerRow` is given, or `width` is at most `Int.max / 4`.
    public init(width: Int, height: Int, bytesPerRow: Int? = nil, format: Format) {
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow ?? width * format.bytesPerPixel
        self.format = format
    }

    /// Returns the image in `bytes`.
    ///
    /// - Throws: ``DecodeError`` with the code `too_large` or `corrupt` for a size beyond the limits, and
    ///   `invalid_request` if the rows overlap or the bytes are too few. Bytes after the last row are ignored.
    public func image(in bytes: UnsafeRawBufferPointer, limits: Limits) throws(DecodeError) -> LumaImage {
        try limits.check(width: width, height: height)
        let (rowBytes, isTooWide) = width.multipliedReportingOverflow(by: format.bytesPerPixel)
        guard !isTooWide, bytesPerRow >= rowBytes else {
            throw DecodeError(
                .invalidRequest,
                "has \(format.bytesPerPixel) bytes a pixel and \(width) pixels a row, more than its stride of "
                    + "\(bytesPerRow) bytes; pass the bytes from one row to the next")
        }
        // The last row may lack the padding.
        let (before, isTooMuch) = (height - 1).multipliedReportingOverflow(by: bytesPerRow)
        guard !isTooMuch, before <= bytes.count, rowBytes <= bytes.count - before,
            let source = bytes.bindMemory(to: UInt8.self).baseAddress
        else {
            throw DecodeError(
                .invalidRequest,
                "is said to be \(width) x \(height) pixels in rows of \(bytesPerRow) bytes and has \(bytes.count) "
                    + "bytes; pass the size of the memory with its pixels")
        }
        // A function, because a closure in a throwing function is taken for one that throws.
        func convertRows(to pixels: UnsafeMutableBufferPointer<UInt8>) {
            guard let target = pixels.baseAddress else { return }
            for y in 0..<height {
                format.convert(source + y * bytesPerRow, count: width, to: target + y * width)
            }
        }
        return LumaImage(width: width, height: height, initializingPixelsWith: convertRows)
    }
}

extension PixelLayout.Format {
    /// The bytes from one pixel to the next.
    public var bytesPerPixel: Int {
        switch self {
        case .gray: 1
        case .yuyv, .uyvy: 2
        case .rgb, .bgr: 3
        case .rgbx, .bgrx, .rgba, .bgra: 4
        }
    }

    /// Converts `count` pixels to luma.
    fileprivate func convert(
        _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
    ) {
        switch self {
        case .gray: LumaConversion.convert(source, channels: 1, count: count, to: target)
        case .rgb: LumaConversion.convert(source, channels: 3, count: count, to: target)
        case .rgba: LumaConversion.convert(source, channels: 4, count: count, to: target)
        case .yuyv: for x in 0..<count { target[x] = source[2 &* x] }
        case .uyvy: for x in 0..<count { target[x] = source[2 &* x &+ 1] }
        case .rgbx: Self.mix(source, red: 0, blue: 2, step: 4, count: count, to: target)
        case .bgr: Self.mix(source, red: 2, blue: 0, step: 3, count: count, to: target)
        case .bgrx: Self.mix(source, red: 2, blue: 0, step: 4, count: count, to: target)
        case .bgra:
            Self.mix(source, red: 2, blue: 0, step: 4, count: count, to: target)
            for x in 0..<count { target[x] = LumaConversion.overWhite(target[x], alpha: source[4 &* x &+ 3]) }
        }
    }

    @inline(__always)
    private static func mix(
        _ source: UnsafePointer<UInt8>, red: Int, blue: Int, step: Int, count: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        for x in 0..<count {
            let pixel = source + step &* x
            target[x] = LumaConversion.luma(red: pixel[red], green: pixel[1], blue: pixel[blue])
        }
    }
}
