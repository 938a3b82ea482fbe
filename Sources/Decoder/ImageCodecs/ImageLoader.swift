public import BarcodeCore

/// Decodes the bytes of an image file to a grayscale image.
///
/// The format is detected from the bytes. A truncated or damaged file gives the rows that could be decoded, see
/// ``LoadedImage/isTruncated``; an error is thrown if there are none.
public struct ImageLoader: Sendable {
    /// The size limits of an image, checked before memory is allocated for it.
    public var limits: Limits
    /// The most bytes that a decoder may use besides the image itself; 512 MiB by default.
    ///
    /// Two kinds need much: a progressive JPEG keeps two bytes per sample until its last scan (3 bytes per pixel
    /// for 4:2:0, 6 for 4:4:4), and a lossless WebP keeps 4 bytes per pixel. An image that would need more is
    /// rejected.
    public var maximumWorkingBytes: Int
    /// The longest wait for the next bytes of a pipe or terminal; 30 seconds by default.
    public var streamTimeout: Duration
    /// The page of a document to decode, from 1; an image has one page.
    public var page = 1
    /// The rendering resolution of a PDF page in pixels per inch; `nil` to choose one for the page.
    public var resolution: Double?
    /// The view of the image to decode: 0, and then the next one as long as ``LoadedImage/hasFurtherView`` is true.
    ///
    /// A view is a frame of a GIF, or a PDF page in another resolution.
    public var view = 0
    /// The time limit for rendering a page; 60 seconds by default.
    public var renderTimeout: Duration = .seconds(60)
    /// The supported formats.
    var decoders = ImageDecoder.all

    /// Creates a loader with size limits.
    public init(
        limits: Limits = .init(), maximumWorkingBytes: Int = 512 * 1024 * 1024, streamTimeout: Duration = .seconds(30)
    ) {
        self.limits = limits
        self.maximumWorkingBytes = maximumWorkingBytes
        self.streamTimeout = streamTimeout
    }

    /// Decodes the bytes of an image file.
    ///
    /// - Parameter scale: the factor by which the image may be reduced while decoding: 1, 2, 4 or 8; other values
    ///   count as the next smaller of these. ``LoadedImage/scale`` has the actual factor.
    /// - Throws: ``DecodeError`` without a subject: `emptyFile`, `unsupportedFormat`, `tooLarge`, `corrupt` or
    ///   `outOfMemory`.
    public func load(_ bytes: UnsafeRawBufferPointer, scale: Int = 1) throws(DecodeError) -> LoadedImage {
        guard !bytes.isEmpty else { throw .empty }
        try limits.check(fileBytes: bytes.count)
        guard let decoder = decoders.first(where: { $0.recognizes(bytes) }) else {
            throw ForeignFormat.refusal(of: bytes, readable: decoders)
        }
        if !decoder.isDocument && page > 1 { throw .noSuchPage(page, of: 1) }
        return try decoder.decode(self, bytes, scale)
    }

    /// Decodes the bytes of an image file in an array.
    ///
    /// - Throws: the errors of ``load(_:scale:)-(UnsafeRawBufferPointer,_)``.
    public func load(_ bytes: [UInt8], scale: Int = 1) throws(DecodeError) -> LoadedImage {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(DecodeError) in try load(bytes, scale: scale) }
        }
        return try result.get()
    }
}

extension DecodeError {
    static let empty = DecodeError(.emptyFile, "is empty")
    static let noMemory = DecodeError(.outOfMemory, "needs more memory than is available")

    /// Returns the error for a page that the document does not have.
    static func noSuchPage(_ page: Int, of pages: Int) -> DecodeError {
        DecodeError(.noSuchPage, "has \(pages == 1 ? "1 page" : "\(pages) pages") but no page \(page)")
    }

    /// Returns the error for bytes of which no row could be decoded.
    static func nothingDecoded(cutOff: Bool) -> DecodeError {
        DecodeError(.corrupt, cutOff ? "is cut off before its first row of pixels" : "is damaged in its first rows")
    }

    /// Returns the error for a truncated image whose library returns no partial image.
    static func cutOffWhole(_ kind: String) -> DecodeError {
        DecodeError(.corrupt, "is \(kind) that is cut off, so that no part of it can be decoded; get the file again")
    }

    /// Returns the error for an image whose decoder needs too many bytes of memory.
    static func needsTooMuch(_ bytes: Int, of most: Int, for what: String) -> DecodeError {
        DecodeError(
            .tooLarge,
            "is \(what) that takes \(bytes / 1_000_000) MB to decode; the limit is \(most / 1_000_000) MB")
    }
}
