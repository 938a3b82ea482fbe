internal import BarcodeCore
internal import CImages

/// Decodes the luma of a JPEG with libjpeg-turbo; the chroma of a typical YCbCr image is never transformed.
struct JPEGDecoder {
    /// Returns the most scans for an image size: 500 for a small image, 30 for the largest.
    ///
    /// Encoders write about ten. Each scan takes time in proportion to the image size even if it is empty, and a
    /// decompression bomb has thousands.
    private static func maximumScans(width: Int, height: Int) -> Int {
        max(30, min(500, 4_000_000_000 / (width * height)))
    }

    /// The number of retries for a progressive image without its end.
    private static let maximumRetries = 2

    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer, scale: Int) throws(DecodeError) -> LoadedImage {
        let denominator = [8, 4, 2].first { $0 <= scale } ?? 1
        var handle = try JPEGHandle(bytes)
        var header = try readHeader(handle)
        var status = start(handle, header, denominator)
        // The library loses the coefficients of several scans if a segment between two of them is broken, so the
        // scans before it are decoded alone.
        for _ in 0..<Self.maximumRetries where status == qz_jpeg_corrupt {
            let end = Self.lastMarker(of: bytes, before: handle.position)
            guard let end, end > header.scan_start else { break }
            handle = try JPEGHandle(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
            header = try readHeader(handle)
            status = start(handle, header, denominator)
        }
        try handle.check(status)
        return try readPixels(handle, header, scale: denominator, orientation: EXIFOrientation.read(jpeg: bytes) ?? 1)
    }

    /// Reads the header, and checks the cost of decoding.
    private func readHeader(_ handle: borrowing JPEGHandle) throws(DecodeError) -> qz_jpeg_header {
        var header = qz_jpeg_header()
        try handle.check(qz_jpeg_read_header(handle.decoder, &header))
        try loader.limits.check(width: Int(header.width), height: Int(header.height))
        let needed = Int(header.coefficient_bytes)
        guard needed <= loader.maximumWorkingBytes else {
            throw .needsTooMuch(needed, of: loader.maximumWorkingBytes, for: "a progressive JPEG")
        }
        return header
    }

    private func start(
        _ handle: borrowing JPEGHandle, _ header: qz_jpeg_header, _ denominator: Int
    ) -> qz_jpeg_status {
        let scans = Self.maximumScans(width: Int(header.width), height: Int(header.height))
        // The library also counts its row buffers, which are not a part of the coefficients.
        let (memory, overflow) = loader.maximumWorkingBytes.addingReportingOverflow(64 * 1024 * 1024)
        return qz_jpeg_start(
            handle.decoder, CInt(denominator), CInt(scans), Int64(overflow ? .max : memory))
    }

    private func readPixels(
        _ handle: borrowing JPEGHandle, _ header: qz_jpeg_header, scale: Int, orientation: Int
    ) throws(DecodeError) -> LoadedImage {
        let columns = Int(qz_jpeg_output_width(handle.decoder))
        let rows = Int(qz_jpeg_output_height(handle.decoder))
        let decoder = handle.decoder
        var outcome = qz_jpeg_outcome()
        var status = qz_jpeg_ok
        let image = try LumaImage(width: columns, height: rows) { (pixels) throws(DecodeError) in
            status = qz_jpeg_read_rows(decoder, pixels.baseAddress, columns, Int64(rows))
            outcome = qz_jpeg_get_outcome(decoder)
            guard outcome.whole_rows > 0 else { throw .nothingDecoded(cutOff: outcome.is_cut_off != 0) }
            pixels.whiten(fromRow: Int(outcome.whole_rows), width: columns)
        }
        let wholeRows = Int(outcome.whole_rows)
        let isCutOff = outcome.is_cut_off != 0
        var damage: String?
        if isCutOff {
            damage = LoadedImage.cutOff(after: wholeRows, of: rows)
        } else if status != qz_jpeg_ok || outcome.damage_count > 0 {
            damage = LoadedImage.broken(after: wholeRows, of: rows)
        }
        return LoadedImage(
            image: image, width: Int(header.width), height: Int(header.height), scale: scale, format: .jpeg,
            orientation: orientation, decodedRows: wholeRows,
            isTruncated: isCutOff || status != qz_jpeg_ok, damage: damage)
    }

    /// Returns the offset of the last marker before `end` that begins a segment; `nil` if there is none.
    private static func lastMarker(of bytes: UnsafeRawBufferPointer, before end: Int) -> Int? {
        bytes[..<end].indices.dropLast().last { position in
            // Excludes 0xFF bytes of the data, and restart markers.
            bytes[position] == 0xFF && bytes[position + 1] >= 0xC0 && bytes[position + 1] < 0xFF
                && !(0xD0...0xD7).contains(bytes[position + 1])
        }
    }
}

/// The sole owner of a decoder of the C shim.
private struct JPEGHandle: ~Copyable {
    let decoder: OpaquePointer

    /// The number of bytes that the library has read.
    var position: Int { qz_jpeg_position(decoder) }

    /// Creates a decoder of `bytes`, which must outlive this value.
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        guard let decoder = qz_jpeg_create(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count) else {
            throw .noMemory
        }
        self.decoder = decoder
    }

    deinit {
        qz_jpeg_destroy(decoder)
    }

    /// Throws the error of a call before the first row.
    borrowing func check(_ status: qz_jpeg_status) throws(DecodeError) {
        guard status != qz_jpeg_ok else { return }
        let detail = String(cString: qz_jpeg_message(decoder))
        switch status {
        case qz_jpeg_unsupported:
            throw DecodeError(
                .unsupportedFormat,
                "is a JPEG of an unsupported kind (\(detail)); convert it to PNG with ImageMagick's `convert`")
        case qz_jpeg_memory:
            throw DecodeError(.outOfMemory, "is a JPEG that needs more memory than is available (\(detail))")
        case qz_jpeg_too_large:
            throw DecodeError(.tooLarge, "is a JPEG whose sides are too long (\(detail))")
        case qz_jpeg_too_many_scans:
            throw DecodeError(
                .tooLarge, "is a progressive JPEG with too many scans (\(detail)); it may be hostile")
        default:
            if qz_jpeg_get_outcome(decoder).is_cut_off != 0 { throw .nothingDecoded(cutOff: true) }
            throw DecodeError(.corrupt, "is a JPEG with a broken header (\(detail))")
        }
    }
}
