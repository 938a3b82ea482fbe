internal import BarcodeCore

extension ImageFormat {
    /// JPEG: baseline, progressive or arithmetic, 8 bits a sample.
    public static let jpeg = ImageFormat(rawValue: "jpeg")
    /// PNG of every color type and depth; of an animated one the first frame.
    public static let png = ImageFormat(rawValue: "png")
    /// WebP, lossy or lossless; of an animated one the first frame.
    public static let webp = ImageFormat(rawValue: "webp")
    /// The portable bitmap, graymap and pixmap of Netpbm, plain or raw: P1 to P6.
    public static let pnm = ImageFormat(rawValue: "pnm")
    /// HEIC and other HEIF pictures; the primary picture of the file.
    public static let heic = ImageFormat(rawValue: "heic")
    /// AVIF; the primary picture of the file.
    public static let avif = ImageFormat(rawValue: "avif")
    /// TIFF of all usual compressions and depths, page by page.
    public static let tiff = ImageFormat(rawValue: "tiff")
    /// GIF; of an animated one the first frame that shows anything, and those behind it where that one has no symbol.
    public static let gif = ImageFormat(rawValue: "gif")
    /// The bitmap of Windows, with a color table, masks or run lengths.
    public static let bmp = ImageFormat(rawValue: "bmp")
    /// JPEG 2000, in boxes or as a bare codestream.
    public static let jpeg2000 = ImageFormat(rawValue: "jpeg2000")
    /// JPEG XL; of an animated one the first frame.
    public static let jpegXL = ImageFormat(rawValue: "jpegxl")
    /// PDF, page by page; rendered by a program of Poppler.
    public static let pdf = ImageFormat(rawValue: "pdf")
}

/// One format of pictures and how it is decoded: a row of ``ImageDecoder/all``.
///
/// Whoever asks what can be read, what a file is or which library reads it asks the table.
struct ImageDecoder: Sendable {
    /// The format.
    let format: ImageFormat
    /// Its name for people, such as `JPEG`.
    let title: String
    /// How the names of its files end, in lower case, without the dot.
    let fileExtensions: [String]
    /// Its media types, as desktops know them (shared-mime-info), the first one that of IANA where there is one.
    let mediaTypes: [String]
    /// Whether it has pages, of which ``ImageLoader/page`` says which is meant.
    var isDocument = false
    /// The library that decodes it, and its version unless it is not installed; nil for what is decoded here.
    var library: (@Sendable () -> CodecLibrary)?
    /// Whether the first bytes of a file are the mark of the format; sixteen are enough.
    let recognizes: @Sendable (UnsafeRawBufferPointer) -> Bool
    /// Decodes the bytes of a file, reduced by `scale` where that saves work.
    let decode:
        @Sendable (_ loader: ImageLoader, _ bytes: UnsafeRawBufferPointer, _ scale: Int) throws(DecodeError) ->
            LoadedImage

    /// All formats that can be read, in the order in which messages name them.
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
    /// The formats that can be read, in the order in which messages name them.
    public static var all: [ImageFormat] { ImageDecoder.all.map(\.format) }

    /// Whether files of the format have pages.
    public var isDocument: Bool { ImageDecoder.all.contains { $0.format == self && $0.isDocument } }

    /// The formats that can be read as a list for people: `JPEG, PNG, WebP and PNM`.
    public static var titles: String { titles(of: ImageDecoder.all) }

    static func titles(of decoders: [ImageDecoder]) -> String {
        let titles = decoders.map(\.title)
        guard let last = titles.last, titles.count > 1 else { return titles.first ?? "nothing" }
        return titles.dropLast().joined(separator: ", ") + " and " + last
    }

    /// The media types of these formats.
    public static var mediaTypes: [String] { ImageDecoder.all.flatMap(\.mediaTypes) }

    /// How the names of files in these formats end, in lower case, without the dot.
    public static var fileExtensions: [String] { ImageDecoder.all.flatMap(\.fileExtensions) }

    /// The format that the first bytes of a file are the mark of, nil where it is none that can be read.
    ///
    /// Sixteen bytes are enough. A file's name plays no part.
    public static func detect(in bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        ImageDecoder.all.first { $0.recognizes(bytes) }?.format
    }

    /// The format that the first bytes of a file are the mark of, nil where it is none that can be read.
    public static func detect(in bytes: [UInt8]) -> ImageFormat? {
        bytes.withUnsafeBytes { detect(in: $0) }
    }
}
