public import BarcodeCore

/// A picture as it came out of its file.
public struct LoadedImage: Sendable {
    /// The pixels as they are stored: an EXIF orientation is not applied.
    public var image: LumaImage
    /// Pixels in a row of the stored picture, before any reduction.
    public var width: Int
    /// Rows of the stored picture, before any reduction.
    public var height: Int
    /// By what the picture was reduced while it was decoded: 1, 2, 4 or 8.
    ///
    /// A pixel at (x, y) of ``image`` is at (x * scale, y * scale) of the stored picture. Only JPEG is reduced, as
    /// only there it saves work; every other format gives 1.
    public var scale: Int
    /// The format that the bytes are in.
    public var format: ImageFormat
    /// How the picture wants to be turned for viewing: EXIF's number from 1 to 8, and 1 where it says nothing.
    public var orientation: Int
    /// Rows of ``image``, from the top, that come from the file, if only coarsely; those below are white.
    public var decodedRows: Int
    /// Whether the file is cut off or broken, so that pixels are missing or doubtful.
    public var isTruncated: Bool
    /// What is wrong with the file, a clause that follows the name of the picture; nil for a sound file.
    ///
    /// A JPEG whose data are wrong in the middle has such a clause without being ``isTruncated``.
    public var damage: String?
    /// Which page of a document it is, from 1.
    public var page = 1
    /// The pages of the document; nil for a picture that is none.
    public var pages: Int?
    /// Pixels an inch that a page of a PDF was rendered with; nil for what has pixels of its own.
    public var resolution: Double?
    /// Whether there is another view to search where this one shows nothing, see ``ImageLoader/view``.
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
    /// The clause for a picture that the file holds only in part.
    static func cutOff(after rows: Int, of height: Int) -> String {
        rows < height ? "is cut off: \(rows) of \(height) rows could be decoded" : "is cut off near its end"
    }

    /// The clause for a picture whose data break off at an error.
    static func broken(after rows: Int, of height: Int) -> String {
        rows < height ? "is damaged: \(rows) of \(height) rows could be decoded" : "is damaged"
    }
}

extension LumaImage {
    /// Makes an image with a closure that throws a ``DecodeError``.
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
