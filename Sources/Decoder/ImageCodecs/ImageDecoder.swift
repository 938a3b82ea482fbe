internal import BarcodeCore

extension ImageFormat {
    /// JPEG: baseline, progressive or arithmetic, 8 bits per sample.
    public static let jpeg = ImageFormat(rawValue: "jpeg")
    /// PNG of every color type and depth; of an animated PNG, the first frame.
    public static let png = ImageFormat(rawValue: "png")
    /// WebP, lossy or lossless; of an animated WebP, the first frame.
    public static let webp = ImageFormat(rawValue: "webp")
    /// The portable bitmap, graymap and pixmap of Netpbm, plain or raw: P1 to P6.
    public static let pnm = ImageFormat(rawValue: "pnm")
    /// HEIC and other HEIF images; the primary image of the file.
    public static let heic = ImageFormat(rawValue: "heic")
    /// AVIF; the primary image of the file.
    public static let avif = ImageFormat(rawValue: "avif")
    /// TIFF of all common compressions and depths, page by page.
    public static let tiff = ImageFormat(rawValue: "tiff")
    /// GIF; of an animated GIF, the first frame that is not of a single tone, and later ones if it has no symbol.
    public static let gif = ImageFormat(rawValue: "gif")
    /// The Windows bitmap, with a color table, bit masks or run-length encoding.
    public static let bmp = ImageFormat(rawValue: "bmp")
    /// JPEG 2000, in boxes or as a bare codestream.
    public static let jpeg2000 = ImageFormat(rawValue: "jpeg2000")
    /// JPEG XL; of an animated JPEG XL, the first frame.
    public static let jpegXL = ImageFormat(rawValue: "jpegxl")
    /// PDF, page by page; rendered by a program of Poppler.
    public static let pdf = ImageFormat(rawValue: "pdf")
}

/// An image format and its decoder: a row of ``ImageDecoder/all``.
///
/// All code that depends on the supported formats uses this table.
struct ImageDecoder: Sendable {
    /// The format.
    let format: ImageFormat
    /// Its name for people, such as `JPEG`.
    let title: String
    /// The file extensions, in lower case, without the dot.
    let fileExtensions: [String]
    /// The media types that desktops use (shared-mime-info); that of IANA comes first, if there is one.
    let mediaTypes: [String]
    /// Indicates whether the format has pages, see ``ImageLoader/page``.
    var isDocument = false
    /// The library that decodes the format; `nil` if the decoder is built in.
    var library: (@Sendable () -> CodecLibrary)?
    /// Indicates whether the first bytes of a file are the signature of the format; sixteen are enough.
    let recognizes: @Sendable (UnsafeRawBufferPointer) -> Bool
    /// Decodes the bytes of a file, reduced by `scale` if that saves work.
    let decode:
        @Sendable (_ loader: ImageLoader, _ bytes: UnsafeRawBufferPointer, _ scale: Int) throws(DecodeError) ->
            LoadedImage

    /// All supported formats, in the order for messages.
    static let all: [ImageDecoder] = [
        ImageDecoder(
            format: .jpeg, title: "JPEG", fileExtensions: ["jpg", "jpeg"],
            mediaTypes: ["image/jpeg"],
            library: { .linked("libjpeg-turbo", CodecVersions.libjpegTurbo) },
            recognizes: { $0.hasBytes([0xFF, 0xD8, 0xFF]) },
            decode: { (loader, bytes, scale) throws(DecodeError) in
                try JPEGDecoder(loader: loader).decode(bytes, scale: scale)
            }),
        ImageDecoder(
            format: .png, title: "PNG", fileExtensions: ["png"],
            mediaTypes: ["image/png"], library: { .linked("libpng", CodecVersions.libpng) },
            recognizes: { $0.hasBytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) },
            decode: { (loader, bytes, _) throws(DecodeError) in try PNGDecoder(loader: loader).decode(bytes) }),
        ImageDecoder(
            format: .webp, title: "WebP", fileExtensions: ["webp"],
            mediaTypes: ["image/webp"],
            library: { .linked("libwebp", CodecVersions.libwebp) },
            recognizes: { $0.hasText("RIFF") && $0.hasText("WEBP", at: 8) },
            decode: { (loader, bytes, _) throws(DecodeError) in try WebPDecoder(loader: loader).decode(bytes) }),
        ImageDecoder(
            format: .pnm, title: "PNM", fileExtensions: ["pbm", "pgm", "ppm", "pnm"],
            mediaTypes: [
                "image/x-portable-anymap", "image/x-portable-bitmap", "image/x-portable-graymap",
                "image/x-portable-pixmap",
            ],
            recognizes: PNMHeader.begins,
            decode: { (loader, bytes, _) throws(DecodeError) in try PNMDecoder(loader: loader).decode(bytes) }),
        ImageDecoder(
            format: .heic, title: "HEIC", fileExtensions: ["heic", "heif", "hif"],
            mediaTypes: ["image/heic", "image/heif"], library: { HEIFDecoder.library },
            recognizes: HEIFDecoder.begins,
            decode: { (loader, bytes, _) throws(DecodeError) in try HEIFDecoder(loader: loader).decode(bytes) }),
        ImageDecoder(
            format: .avif, title: "AVIF", fileExtensions: ["avif"],
            mediaTypes: ["image/avif"], library: { HEIFDecoder.library },
            recognizes: { $0.hasText("ftypavif", at: 4) || $0.hasText("ftypavis", at: 4) },
            decode: { (loader, bytes, _) throws(DecodeError) in try HEIFDecoder(loader: loader).decode(bytes) }),
        ImageDecoder(
            format: .tiff, title: "TIFF", fileExtensions: ["tif", "tiff"],
            mediaTypes: ["image/tiff"], isDocument: true,
            library: { TIFFDecoder.library },
            recognizes: TIFFDecoder.begins,
            decode: { (loader, bytes, _) throws(DecodeError) in try TIFFDecoder(loader: loader).decode(bytes) }),
        ImageDecoder(
            format: .gif, title: "GIF", fileExtensions: ["gif"],
            mediaTypes: ["image/gif"], library: { GIFDecoder.library },
            recognizes: { $0.hasText("GIF87a") || $0.hasText("GIF89a") },
            decode: { (loader, bytes, _) throws(DecodeError) in try GIFDecoder(loader: loader).decode(bytes) }),
        ImageDecoder(
            format: .bmp, title: "BMP", fileExtensions: ["bmp"],
            mediaTypes: ["image/bmp"], recognizes: BMPHeader.begins,
            decode: { (loader, bytes, _) throws(DecodeError) in try BMPDecoder(loader: loader).decode(bytes) }),
        ImageDecoder(
            format: .jpeg2000, title: "JPEG 2000", fileExtensions: ["jp2", "j2k", "jpx"],
            mediaTypes: ["image/jp2", "image/jpx", "image/x-jp2-codestream"],
            library: { JPEG2000Decoder.library }, recognizes: JPEG2000Header.begins,
            decode: { (loader, bytes, _) throws(DecodeError) in try JPEG2000Decoder(loader: loader).decode(bytes) }),
        ImageDecoder(
            format: .jpegXL, title: "JPEG XL", fileExtensions: ["jxl"],
            mediaTypes: ["image/jxl"], library: { JPEGXLDecoder.library },
            recognizes: {
                $0.hasBytes([0xFF, 0x0A])
                    || $0.hasBytes([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
            },
            decode: { (loader, bytes, _) throws(DecodeError) in try JPEGXLDecoder(loader: loader).decode(bytes) }),
        ImageDecoder(
            format: .pdf, title: "PDF", fileExtensions: ["pdf"],
            mediaTypes: ["application/pdf"], isDocument: true, library: { PDFDecoder.library },
            recognizes: PDFDecoder.begins,
            decode: { (loader, bytes, _) throws(DecodeError) in try PDFDecoder(loader: loader).decode(bytes) }),
    ]
}

extension ImageFormat {
    /// The supported formats, in the order for messages.
    public static var all: [ImageFormat] { ImageDecoder.all.map(\.format) }

    /// Indicates whether files of the format have pages.
    public var isDocument: Bool { ImageDecoder.all.contains { $0.format == self && $0.isDocument } }

    /// The supported formats as a list for people: `JPEG, PNG, WebP and PNM`.
    public static var titles: String { titles(of: ImageDecoder.all) }

    static func titles(of decoders: [ImageDecoder]) -> String {
        let titles = decoders.map(\.title)
        guard let last = titles.last, titles.count > 1 else { return titles.first ?? "nothing" }
        return titles.dropLast().joined(separator: ", ") + " and " + last
    }

    /// The media types of the supported formats.
    public static var mediaTypes: [String] { ImageDecoder.all.flatMap(\.mediaTypes) }

    /// The file extensions of the supported formats, in lower case, without the dot.
    public static var fileExtensions: [String] { ImageDecoder.all.flatMap(\.fileExtensions) }

    /// Detects the format from the first bytes of a file; `nil` if it is not supported.
    ///
    /// Sixteen bytes are enough. The name of the file does not matter.
    public static func detect(in bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        ImageDecoder.all.first { $0.recognizes(bytes) }?.format
    }

    /// Detects the format from the first bytes of a file; `nil` if it is not supported.
    public static func detect(in bytes: [UInt8]) -> ImageFormat? {
        bytes.withUnsafeBytes { detect(in: $0) }
    }
}
