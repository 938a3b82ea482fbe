public import BarcodeCore

/// Turns the bytes of a picture file into a gray picture.
///
/// The format is found from the bytes. A file that is cut off or damaged gives what could be decoded, see
/// ``LoadedImage/isTruncated``; an error is thrown when not one row could.
public struct ImageLoader: Sendable {
    /// What a picture may cost, checked before memory is taken for it.
    public var limits: Limits
    /// Bytes that a decoder may take besides the picture itself; 512 MiB unless said otherwise.
    ///
    /// Two kinds need much: a progressive JPEG keeps two bytes a sample until its last scan (3 bytes a pixel for 4:2:0,
    /// 6 for 4:4:4), and a lossless WebP keeps 4 bytes a pixel. A picture that would take more is refused.
    public var maximumWorkingBytes: Int
    /// The longest wait for the next bytes of a pipe or terminal; 30 seconds unless said otherwise.
    public var streamTimeout: Duration
    /// The page of a document that is decoded, from 1; a picture has one.
    public var page = 1
    /// Pixels an inch that a page of a PDF is rendered with; nil for what suits the page.
    public var resolution: Double?
    /// Which view of the picture is decoded: 0, and the next where ``LoadedImage/hasFurtherView`` says that there is one.
    ///
    /// A view is a frame of a GIF, or a page of a PDF in another resolution.
    public var view = 0
    /// The longest wait for a page to be rendered; 60 seconds unless said otherwise.
    public var renderTimeout: Duration = .seconds(60)
    /// The formats that it knows.
    var decoders = ImageDecoder.all

    /// A loader that keeps to `limits`.
    public init(
        limits: Limits = .init(), maximumWorkingBytes: Int = 512 * 1024 * 1024, streamTimeout: Duration = .seconds(30)
    ) {
        self.limits = limits
        self.maximumWorkingBytes = maximumWorkingBytes
        self.streamTimeout = streamTimeout
    }

    /// Decodes the bytes of a picture file.
    ///
    /// - Parameter scale: by what the picture may be reduced while it is decoded: 1, 2, 4 or 8; other values count as
    ///   the next smaller of these. ``LoadedImage/scale`` says what was done.
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

    /// Decodes the bytes of a picture file that stand in an array.
    ///
    /// - Throws: what ``load(_:scale:)-(UnsafeRawBufferPointer,_)`` throws.
    public func load(_ bytes: [UInt8], scale: Int = 1) throws(DecodeError) -> LoadedImage {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(DecodeError) in try load(bytes, scale: scale) }
        }
        return try result.get()
    }
}

extension DecodeError {
    static let empty = DecodeError(.emptyFile, "is empty")
    static let noMemory = DecodeError(.outOfMemory, "needs more memory than there is")

    /// The error for a page that a document has not.
    static func noSuchPage(_ page: Int, of pages: Int) -> DecodeError {
        DecodeError(.noSuchPage, "has \(pages == 1 ? "1 page" : "\(pages) pages") and no page \(page)")
    }

    /// The error for bytes of which not one row could be decoded.
    static func nothingDecoded(cutOff: Bool) -> DecodeError {
        DecodeError(.corrupt, cutOff ? "is cut off before its first row of pixels" : "is damaged in its first rows")
    }

    /// The error for a picture that is cut off, whose library gives no part of one.
    static func cutOffWhole(_ kind: String) -> DecodeError {
        DecodeError(.corrupt, "is \(kind) that is cut off, of which no part can be read; get the file again")
    }

    /// The error for a picture that a decoder needs `bytes` of memory for.
    static func needsTooMuch(_ bytes: Int, of most: Int, for what: String) -> DecodeError {
        DecodeError(
            .tooLarge,
            "is \(what) that takes \(bytes / 1_000_000) MB to decode; \(most / 1_000_000) MB are the most")
    }
}
