internal import BarcodeCore
internal import CJPEGShim

/// Decodes a JPEG with libjpeg-turbo, the brightness only: for the usual YCbCr the chroma is never transformed.
struct JPEGDecoder {
    /// The most scans of a progressive picture.
    ///
    /// Encoders write about ten; each can cost as much time as a picture, and bombs have thousands.
    static let maximumScans = 500

    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer, scale: Int) throws(DecodeError) -> LoadedImage {
        guard let handle = JPEGHandle(bytes) else { throw .noMemory }
        var header = qz_jpeg_header()
        try handle.check(qz_jpeg_read_header(handle.decoder, &header))
        let width = Int(header.width)
        let height = Int(header.height)
        try loader.limits.check(width: width, height: height)
        let needed = Int(header.coefficient_bytes)
        guard needed <= loader.maximumWorkingBytes else {
            throw .needsTooMuch(needed, of: loader.maximumWorkingBytes, for: "a progressive JPEG")
        }

        let denominator = [8, 4, 2].first { $0 <= scale } ?? 1
        var reducedWidth: Int64 = 0
        var reducedHeight: Int64 = 0
        // The library counts the buffers of its rows in, which are no part of the coefficients.
        let memory = Int64(loader.maximumWorkingBytes) + 64 * 1024 * 1024
        try handle.check(
            qz_jpeg_start(
                handle.decoder, CInt(denominator), CInt(Self.maximumScans), memory, &reducedWidth, &reducedHeight))

        let columns = Int(reducedWidth)
        let rows = Int(reducedHeight)
        var outcome = qz_jpeg_outcome()
        var status = qz_jpeg_ok
        let image = try LumaImage(width: columns, height: rows) { (pixels) throws(DecodeError) in
            var done: Int64 = 0
            status = qz_jpeg_read_rows(handle.decoder, pixels.baseAddress, columns, reducedHeight, &done)
            outcome = qz_jpeg_get_outcome(handle.decoder)
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
            image: image, width: width, height: height, scale: denominator, format: .jpeg,
            orientation: EXIFOrientation.read(jpeg: bytes) ?? 1, decodedRows: wholeRows,
            isTruncated: isCutOff || status != qz_jpeg_ok, damage: damage)
    }
}

/// Owns a decoder of the shim.
private struct JPEGHandle: ~Copyable {
    let decoder: OpaquePointer

    /// A decoder of `bytes`, which stay in place for as long as it lives; nil when there is no memory for it.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let decoder = qz_jpeg_create(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count) else {
            return nil
        }
        self.decoder = decoder
    }

    deinit {
        qz_jpeg_destroy(decoder)
    }

    /// Throws what a call before the first row failed with.
    borrowing func check(_ status: qz_jpeg_status) throws(DecodeError) {
        guard status != qz_jpeg_ok else { return }
        let detail = String(cString: qz_jpeg_message(decoder))
        switch status {
        case qz_jpeg_unsupported:
            throw DecodeError(
                .unsupportedFormat,
                "is a JPEG of a kind that cannot be read (\(detail)); make it a PNG with `convert` of ImageMagick")
        case qz_jpeg_memory:
            throw DecodeError(.outOfMemory, "is a JPEG that needs more memory than there is (\(detail))")
        case qz_jpeg_too_large:
            throw DecodeError(.tooLarge, "is a JPEG whose sides are too long (\(detail))")
        case qz_jpeg_too_many_scans:
            throw DecodeError(
                .tooLarge, "is a progressive JPEG of more than \(JPEGDecoder.maximumScans) scans, as no camera makes")
        default:
            if qz_jpeg_get_outcome(decoder).is_cut_off != 0 { throw .nothingDecoded(cutOff: true) }
            throw DecodeError(.corrupt, "is a JPEG with a broken header (\(detail))")
        }
    }
}
