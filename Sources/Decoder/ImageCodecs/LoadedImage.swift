public import BarcodeCore

/// An image loaded from a file.
public struct LoadedImage: Sendable {
    /// The pixels as stored: an EXIF orientation is not applied.
    public var image: LumaImage
    /// The width of the stored image in pixels, before any reduction.
    public var width: Int
    /// The height of the stored image in pixels, before any reduction.
    public var height: Int
    /// The factor by which the image was reduced while decoding: 1, 2, 4 or 8.
    ///
    /// A pixel at (x, y) of ``image`` is at (x * scale, y * scale) of the stored image. Only JPEG is reduced,
    /// because only there it saves work; for every other format it is 1.
    public var scale: Int
    /// The format of the file.
    public var format: ImageFormat
    /// The EXIF orientation for viewing, 1 to 8; 1 if there is none.
    public var orientation: Int
    /// The number of rows of ``image``, from the top, that come from the file, if only coarsely; the rows below are
    /// white.
    public var decodedRows: Int
    /// Indicates whether the file is truncated or broken, so that pixels are missing or unreliable.
    public var isTruncated: Bool
    /// The problem with the file, a clause that follows the name of the image; `nil` for an intact file.
    ///
    /// A JPEG with invalid data in the middle has such a clause without being ``isTruncated``.
    public var damage: String?
    /// The page number in the document, from 1.
    public var page = 1
    /// The number of pages of the document; `nil` if the image is not a document.
    public var pages: Int?
    /// The rendering resolution of a PDF page in pixels per inch; `nil` if the file itself has pixels.
    public var resolution: Double?
    /// Indicates whether there is another view to search if this one has no symbols, see ``ImageLoader/view``.
    public var hasFurtherView = false

    init(
        image: LumaImage, width: Int, height: Int, scale: Int = 1, format: ImageFormat, orientation: Int = 1,
        decodedRows: Int? = nil, isTruncated: Bool = false, damage: String? = nil
    ) {
        self.image = image
        self.width = width
        self.height = height
        self.scale = scale
        self.format = format
        self.orientation = orientation
        self.decodedRows = decodedRows ?? image.height
        self.isTruncated = isTruncated
        self.damage = damage
    }
}

extension LoadedImage {
    /// Returns the clause for a truncated image.
    static func cutOff(after rows: Int, of height: Int) -> String {
        rows < height ? "is cut off: \(rows) of \(height) rows could be decoded" : "is cut off near its end"
    }

    /// Returns the clause for an image with invalid data.
    static func broken(after rows: Int, of height: Int) -> String {
        rows < height ? "is damaged: \(rows) of \(height) rows could be decoded" : "is damaged"
    }
}

extension LumaImage {
    /// Creates an image with a closure that throws a ``DecodeError``.
    ///
    /// The closure writes every pixel unless it throws.
    init(
        width: Int, height: Int,
        decoding body: (UnsafeMutableBufferPointer<UInt8>) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        var failure: DecodeError?
        func fill(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
            do throws(DecodeError) {
                try body(pixels)
            } catch {
                failure = error
            }
        }
        self.init(width: width, height: height, initializingPixelsWith: fill)
        if let failure { throw failure }
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Makes the rows from `first` to the end white.
    func whiten(fromRow first: Int, width: Int) {
        guard first * width < count else { return }
        self[(first * width)...].update(repeating: 255)
    }
}
