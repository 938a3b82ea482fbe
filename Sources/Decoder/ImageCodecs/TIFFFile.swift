internal import BarcodeCore
internal import CImages

/// The sole owner of an open TIFF.
struct TIFFFile: ~Copyable {
    private let library: UnsafePointer<qz_tiff>
    private let source: UnsafeMutablePointer<qz_tiff_source>
    private let file: OpaquePointer

    /// The first error that the library reported; `nil` if there was none.
    var message: String? {
        source.pointee.error_count > 0 ? String.words(source.pointee.message) : nil
    }

    /// Opens `bytes`, which must outlive this value.
    init(_ library: UnsafePointer<qz_tiff>, _ bytes: UnsafeRawBufferPointer, memory: Int) throws(DecodeError) {
        guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { throw .empty }
        let source = UnsafeMutablePointer<qz_tiff_source>.allocate(capacity: 1)
        guard let file = qz_tiff_open(library, source, base, bytes.count, memory) else {
            let words = String.words(source.pointee.message)
            source.deallocate()
            throw TIFFDirectory.isCutOff(bytes) ? .withoutDirectory : .broken("a TIFF", words)
        }
        self.library = library
        self.source = source
        self.file = file
    }

    deinit {
        library.pointee.TIFFClose(file)
        source.deallocate()
    }

    /// The number of pages, as far as the chain of directories can be followed.
    var pages: Int {
        // An error in the chain of directories must not count against the page that is decoded.
        let before = source.pointee
        let pages = Int(library.pointee.TIFFNumberOfDirectories(file))
        source.pointee.error_count = before.error_count
        source.pointee.message = before.message
        return pages
    }

    /// Selects the page to decode, from 1.
    func turn(to page: Int) throws(DecodeError) {
        // A file opens at its first page, so errors of that page are already known.
        if page == 1 && library.pointee.TIFFSetDirectory(file, 0) != 0 { return }
        guard page > 1, library.pointee.TIFFSetDirectory(file, tdir_t(page - 1)) != 0 else {
            throw .broken("a TIFF", "page \(page): \(message ?? "no directory")")
        }
    }

    borrowing func layout() throws(DecodeError) -> qz_tiff_layout {
        var layout = qz_tiff_layout()
        guard qz_tiff_read_layout(library, file, &layout) != 0 else { throw .broken("a TIFF", "no size") }
        return layout
    }

    /// Returns the luma of each index of the color map; `nil` if there is none, or for more than eight bits.
    borrowing func palette(bits: Int) -> [UInt8]? {
        guard (1...8).contains(bits) else { return nil }
        var red: UnsafePointer<UInt16>?
        var green: UnsafePointer<UInt16>?
        var blue: UnsafePointer<UInt16>?
        guard qz_tiff_read_palette(library, file, &red, &green, &blue) != 0, let red, let green, let blue else {
            return nil
        }
        // Some programs write values of eight bits instead of sixteen.
        let isWide = (0..<(1 << bits)).contains { max(red[$0], green[$0], blue[$0]) > 255 }
        let shift: UInt16 = isWide ? 8 : 0
        return (0..<(1 << bits)).map { index in
            LumaConversion.luma(
                red: UInt8(truncatingIfNeeded: red[index] >> shift),
                green: UInt8(truncatingIfNeeded: green[index] >> shift),
                blue: UInt8(truncatingIfNeeded: blue[index] >> shift))
        }
    }

    /// Returns the bytes that decoding needs besides the image.
    ///
    /// - Parameter isConverted: whether the library converts to four bytes per pixel.
    borrowing func workingBytes(_ layout: qz_tiff_layout, isConverted: Bool) -> Int {
        let isTiled = layout.tile_width > 0
        let unit = isTiled ? library.pointee.TIFFTileSize64(file) : library.pointee.TIFFScanlineSize64(file)
        guard isConverted else { return Int(clamping: unit) }
        let rows = isTiled ? layout.tile_height : min(layout.rows_per_strip, layout.height)
        // Both factors are 32-bit numbers.
        let pixels = UInt64(isTiled ? layout.tile_width : layout.width) * UInt64(rows)
        return Int(clamping: pixels > UInt64.max / 8 ? pixels : 4 * pixels)
    }

    /// Decodes row by row, and returns the number of decoded rows.
    borrowing func readRows(
        _ layout: qz_tiff_layout, _ row: TIFFRow, into pixels: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        let width = Int(layout.width)
        let length = Int(clamping: library.pointee.TIFFScanlineSize64(file))
        guard length >= row.bytes(width), let base = pixels.baseAddress else { return 0 }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        defer { buffer.deallocate() }
        for y in 0..<Int(layout.height) {
            guard library.pointee.TIFFReadScanline(file, buffer.baseAddress, UInt32(y), 0) >= 0 else { return y }
            row.convert(UnsafeRawBufferPointer(buffer), to: base + y * width, count: width)
        }
        return Int(layout.height)
    }

    /// Decodes tile by tile, and returns the number of decoded rows.
    borrowing func readTiles(
        _ layout: qz_tiff_layout, _ row: TIFFRow, into pixels: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        let (width, height) = (Int(layout.width), Int(layout.height))
        let (tileWidth, tileHeight) = (Int(layout.tile_width), Int(layout.tile_height))
        let length = Int(clamping: library.pointee.TIFFTileSize64(file))
        let rowLength = Int(clamping: library.pointee.TIFFTileRowSize64(file))
        guard tileWidth > 0, tileHeight > 0, rowLength >= row.bytes(tileWidth), length / tileHeight >= rowLength,
            let base = pixels.baseAddress
        else { return 0 }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        defer { buffer.deallocate() }
        for top in stride(from: 0, to: height, by: tileHeight) {
            for left in stride(from: 0, to: width, by: tileWidth) {
                let tile = library.pointee.TIFFComputeTile(file, UInt32(left), UInt32(top), 0, 0)
                guard library.pointee.TIFFReadEncodedTile(file, tile, buffer.baseAddress, tmsize_t(length)) == length
                else {
                    return top
                }
                for y in 0..<min(tileHeight, height - top) {
                    let source = UnsafeRawBufferPointer(rebasing: buffer[(y * rowLength)..<((y + 1) * rowLength)])
                    row.convert(
                        source, to: base + (top + y) * width + left, count: min(tileWidth, width - left))
                }
            }
        }
        return height
    }

    /// Decodes strips or tiles that the library converts to colors, and returns the number of decoded rows.
    borrowing func readColors(
        _ layout: qz_tiff_layout, into pixels: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        let (width, height) = (Int(layout.width), Int(layout.height))
        let isTiled = layout.tile_width > 0
        let across = isTiled ? Int(layout.tile_width) : width
        let down = isTiled ? Int(layout.tile_height) : Int(min(layout.rows_per_strip, layout.height))
        guard across > 0, down > 0, let base = pixels.baseAddress else { return 0 }
        qz_tiff_forget_orientation(library, file)
        let raster = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: across * down)
        raster.initialize(repeating: 0)
        defer { raster.deallocate() }
        for top in stride(from: 0, to: height, by: down) {
            for left in stride(from: 0, to: width, by: across) {
                let status =
                    isTiled
                    ? library.pointee.TIFFReadRGBATileExt(file, UInt32(left), UInt32(top), raster.baseAddress, 1)
                    : library.pointee.TIFFReadRGBAStripExt(file, UInt32(top), raster.baseAddress, 1)
                guard status != 0 else { return top }
                let rows = min(down, height - top)
                // Rows are stored bottom-up; the last strip only has its own rows, a tile always has all of them.
                let last = isTiled ? down - 1 : rows - 1
                for y in 0..<rows {
                    let source = UnsafeRawBufferPointer(
                        rebasing: UnsafeRawBufferPointer(raster)[(4 * (last - y) * across)...])
                    guard let start = source.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return top }
                    LumaConversion.convertPremultiplied(
                        start, channels: 4, count: min(across, width - left), to: base + (top + y) * width + left)
                }
            }
        }
        return height
    }
}
