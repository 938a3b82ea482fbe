internal import BarcodeCore
internal import CImages

/// Decodes a page of a TIFF with libtiff.
///
/// Rows are converted to luma as the library decompresses them. The library itself converts separate color planes,
/// CIE L*a*b*, LogLuv, and YCbCr outside of a JPEG to four bytes per pixel, strip by strip or tile by tile.
struct TIFFDecoder {
    /// The Debian and Ubuntu package that contains libtiff.
    static let package = "libtiff6"

    static var library: CodecLibrary {
        // The text is "LIBTIFF, Version 4.5.0" and lines about its authors.
        let words = qz_tiff_load()?.pointee.TIFFGetVersion().map { String(cString: $0) }
        let line = words?.split(separator: "\n").first
        return CodecLibrary(
            name: "libtiff", version: line?.split(separator: " ").last.map { String($0) },
            package: package)
    }

    /// Indicates whether the first bytes are those of a TIFF or BigTIFF, in either byte order.
    static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]]
            .contains { bytes.hasBytes($0) }
    }

    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LoadedImage {
        guard let library = qz_tiff_load() else {
            throw .missingCodec("libtiff", for: "a TIFF", package: Self.package)
        }
        let file = try TIFFFile(library, bytes, memory: loader.maximumWorkingBytes)
        let pages = file.pages
        guard loader.page >= 1, loader.page <= max(1, pages) else { throw .noSuchPage(loader.page, of: pages) }
        try file.turn(to: loader.page)
        let layout = try file.layout()
        let width = Int(layout.width)
        let height = Int(layout.height)
        try loader.limits.check(width: width, height: height)
        guard library.pointee.TIFFIsCODECConfigured(layout.compression) != 0 else {
            throw unsupported("compression \(layout.compression)")
        }
        let row = TIFFRow(layout, palette: file.palette(bits: Int(layout.bits)))
        let needed = file.workingBytes(layout, isConverted: row == nil)
        guard needed <= loader.maximumWorkingBytes else {
            throw .needsTooMuch(needed, of: loader.maximumWorkingBytes, for: "a TIFF")
        }

        var decodedRows = 0
        let image = try LumaImage(width: width, height: height) { (pixels) throws(DecodeError) in
            if let row {
                decodedRows =
                    layout.tile_width > 0
                    ? file.readTiles(layout, row, into: pixels) : file.readRows(layout, row, into: pixels)
            } else {
                decodedRows = file.readColors(layout, into: pixels)
            }
            guard decodedRows > 0 else {
                if row == nil, let message = file.message { throw unsupported(message) }
                throw .nothingDecoded(cutOff: false)
            }
            pixels.whiten(fromRow: decodedRows, width: width)
        }
        let isDamaged = decodedRows < height || file.message != nil
        var picture = LoadedImage(
            image: image, width: width, height: height, format: .tiff, orientation: Int(layout.orientation),
            decodedRows: decodedRows, isTruncated: isDamaged,
            damage: isDamaged ? LoadedImage.broken(after: decodedRows, of: height) : nil)
        picture.page = loader.page
        picture.pages = max(1, pages)
        return picture
    }

    /// Returns the number of pages of a TIFF; `nil` for any other file.
    func pages(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> Int? {
        guard Self.begins(bytes), let library = qz_tiff_load() else { return nil }
        return try TIFFFile(library, bytes, memory: loader.maximumWorkingBytes).pages
    }

    private func unsupported(_ detail: String) -> DecodeError {
        DecodeError(
            .unsupportedFormat,
            "is a TIFF of an unsupported kind (\(detail)); convert it to PNG with ImageMagick's `convert`")
    }
}
