internal import BarcodeCore
internal import CImages

/// Decodes a PNG with libpng, row by row, so that a whole color image is never in memory.
struct PNGDecoder {
    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LoadedImage {
        guard let handle = PNGHandle(bytes) else { throw .noMemory }
        var header = qz_png_header()
        try handle.check(qz_png_read_header(handle.reader, &header))
        let width = Int(header.width)
        let height = Int(header.height)
        try loader.limits.check(width: width, height: height)
        let isWhole = PNGChunks(bytes).contains { $0.name == "IEND" }
        var layout = qz_png_layout()
        try handle.check(qz_png_start(handle.reader, isWhole ? 0 : 1, &layout))

        var rows = PNGRows(reader: handle.reader, layout: layout, width: width)
        var decodedRows = 0
        let image = try LumaImage(width: width, height: height) { (pixels) throws(DecodeError) in
            if header.is_interlaced != 0 {
                decodedRows = Adam7(width: width, height: height).decode(&rows, into: pixels)
            } else {
                decodedRows = Self.decodeRows(&rows, width: width, height: height, into: pixels)
            }
            guard rows.status != qz_png_memory else { throw .noMemory }
            guard decodedRows > 0 else { throw .nothingDecoded(cutOff: rows.status == qz_png_cut_off) }
            pixels.whiten(fromRow: decodedRows, width: width)
        }
        var damage: String?
        switch rows.status {
        case qz_png_ok:
            if qz_png_has_wrong_sum(handle.reader) != 0 {
                damage = "is damaged: the checksum of its pixels is wrong"
            } else if !isWhole {
                damage = LoadedImage.cutOff(after: height, of: height)
            }
        case qz_png_cut_off:
            damage = LoadedImage.cutOff(after: decodedRows, of: height)
        default:
            damage = LoadedImage.broken(after: decodedRows, of: height)
        }
        return LoadedImage(
            image: image, width: width, height: height, format: .png,
            orientation: EXIFOrientation.read(png: bytes) ?? 1, decodedRows: decodedRows,
            isTruncated: damage != nil, damage: damage)
    }

    private static func decodeRows(
        _ rows: inout PNGRows, width: Int, height: Int, into pixels: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        guard let base = pixels.baseAddress else { return 0 }
        for y in 0..<height {
            guard rows.readRow(count: width, into: base + y * width) else { return y }
        }
        return height
    }
}

/// Reads rows as luma.
struct PNGRows: ~Copyable {
    private let reader: OpaquePointer
    private let channels: Int
    /// The luma of each palette index; `nil` if pixels are not indices.
    private let palette: [UInt8]?
    private let row: UnsafeMutableBufferPointer<UInt8>
    /// The result of the last row.
    private(set) var status = qz_png_ok

    init(reader: OpaquePointer, layout: qz_png_layout, width: Int) {
        self.reader = reader
        channels = Int(layout.channels)
        palette = layout.is_indexed != 0 ? Self.lumaPalette(layout) : nil
        row = .allocate(capacity: max(layout.row_bytes, width))
    }

    deinit {
        row.deallocate()
    }

    /// Reads `count` pixels of the next row; false if that fails.
    ///
    /// `target` has room for a row of full width.
    mutating func readRow(count: Int, into target: UnsafeMutablePointer<UInt8>) -> Bool {
        // Plain gray needs no conversion and is read in place.
        if channels == 1, palette == nil {
            status = qz_png_read_row(reader, target)
            return status == qz_png_ok
        }
        status = qz_png_read_row(reader, row.baseAddress)
        guard status == qz_png_ok, let source = row.baseAddress else { return false }
        if let palette {
            palette.withUnsafeBufferPointer { palette in
                for x in 0..<count { target[x] = palette[Int(source[x])] }
            }
        } else {
            LumaConversion.convert(source, channels: channels, count: count, to: target)
        }
        return true
    }

    private static func lumaPalette(_ layout: qz_png_layout) -> [UInt8] {
        var entries = layout.palette
        return withUnsafeBytes(of: &entries) { entries in
            (0..<256).map { index in
                let luma = LumaConversion.luma(
                    red: entries[4 * index], green: entries[4 * index + 1], blue: entries[4 * index + 2])
                return LumaConversion.overWhite(luma, alpha: entries[4 * index + 3])
            }
        }
    }
}

/// The sole owner of a reader of the C shim.
private struct PNGHandle: ~Copyable {
    let reader: OpaquePointer

    /// Creates a reader of `bytes`, which must outlive this value; `nil` if there is not enough memory.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let reader = qz_png_create(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count) else {
            return nil
        }
        self.reader = reader
    }

    deinit {
        qz_png_destroy(reader)
    }

    /// Throws the error of a call before the first row.
    borrowing func check(_ status: qz_png_status) throws(DecodeError) {
        switch status {
        case qz_png_ok: return
        case qz_png_cut_off: throw .nothingDecoded(cutOff: true)
        case qz_png_memory: throw .noMemory
        default:
            let detail = String(cString: qz_png_message(reader))
            throw DecodeError(.corrupt, "is a PNG with a broken header (\(detail))")
        }
    }
}
