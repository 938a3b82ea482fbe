internal import BarcodeCore
internal import CWebP

/// Decodes a WebP with libwebp; of an animated WebP, the first frame on white.
///
/// The library is asked for Y, U and V, of which Y is kept. A lossy image is stored as YUV. From a lossless one,
/// the library makes it row by row, so that there is no color image besides its own.
struct WebPDecoder {
    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LoadedImage {
        let container = try WebPContainer(bytes)
        try loader.limits.check(width: container.width, height: container.height)
        let frame = container.frame
        let needed = frame.workingBytes
        guard needed <= loader.maximumWorkingBytes else {
            throw .needsTooMuch(needed, of: loader.maximumWorkingBytes, for: "a WebP")
        }

        var result = WebPFrameDecoder.Result(rows: 0, status: VP8_STATUS_OK)
        let width = container.width
        let image = try LumaImage(width: width, height: container.height) { (pixels) throws(DecodeError) in
            if frame.width < width || frame.height < container.height {
                pixels.update(repeating: 255)
            }
            let target = UnsafeMutableBufferPointer(rebasing: pixels[(frame.y * width + frame.x)...])
            result = try WebPFrameDecoder(frame: frame).decode(into: target, bytesPerRow: width)
            guard result.rows > 0 else {
                throw .nothingDecoded(cutOff: result.status == VP8_STATUS_SUSPENDED)
            }
            for row in result.rows..<frame.height {
                target[(row * width)..<(row * width + frame.width)].update(repeating: 255)
            }
        }
        let decodedRows = result.rows == frame.height ? container.height : frame.y + result.rows
        var damage: String?
        if result.status == VP8_STATUS_SUSPENDED || result.status == VP8_STATUS_OK && container.isCutOff {
            damage = LoadedImage.cutOff(after: decodedRows, of: container.height)
        } else if result.status != VP8_STATUS_OK {
            damage = LoadedImage.broken(after: decodedRows, of: container.height)
        }
        return LoadedImage(
            image: image, width: width, height: container.height, format: .webp,
            orientation: container.orientation ?? 1, decodedRows: decodedRows,
            isTruncated: damage != nil, damage: damage)
    }
}

/// Decodes one frame into a part of an image.
struct WebPFrameDecoder {
    struct Result {
        /// The number of decoded rows.
        var rows: Int
        var status: VP8StatusCode
    }

    let frame: WebPContainer.Frame

    /// Decodes into rows that are `bytesPerRow` bytes apart, as far as the data go.
    func decode(into target: UnsafeMutableBufferPointer<UInt8>, bytesPerRow: Int) throws(DecodeError) -> Result {
        let chromaStride = (frame.width + 1) / 2
        let chromaBytes = chromaStride * ((frame.height + 1) / 2)
        let alphaBytes = frame.hasAlpha ? frame.width * frame.height : 0
        let planes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2 * chromaBytes + alphaBytes)
        defer { planes.deallocate() }
        guard let base = planes.baseAddress else { throw .noMemory }

        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else {
            throw DecodeError(
                .unreadable,
                "is a WebP, and this program does not support the system's version of libwebp")
        }
        config.output.colorspace = frame.hasAlpha ? MODE_YUVA : MODE_YUV
        config.output.is_external_memory = 1
        config.output.u.YUVA.y = target.baseAddress
        config.output.u.YUVA.y_stride = CInt(bytesPerRow)
        config.output.u.YUVA.y_size = target.count
        config.output.u.YUVA.u = base
        config.output.u.YUVA.u_stride = CInt(chromaStride)
        config.output.u.YUVA.u_size = chromaBytes
        config.output.u.YUVA.v = base + chromaBytes
        config.output.u.YUVA.v_stride = CInt(chromaStride)
        config.output.u.YUVA.v_size = chromaBytes
        if frame.hasAlpha {
            config.output.u.YUVA.a = base + 2 * chromaBytes
            config.output.u.YUVA.a_stride = CInt(frame.width)
            config.output.u.YUVA.a_size = alphaBytes
        }
        let result = try Self.run(&config, frame.data)
        let alpha = frame.hasAlpha ? UnsafePointer(base + 2 * chromaBytes) : nil
        finish(target, bytesPerRow: bytesPerRow, rows: result.rows, alpha: alpha)
        return result
    }

    /// Runs the library's decoder, which keeps the address of `config` and ends before this returns.
    private static func run(
        _ config: inout WebPDecoderConfig, _ data: UnsafeRawBufferPointer
    ) throws(DecodeError) -> Result {
        let result: Result? = withUnsafeMutablePointer(to: &config) { config in
            // Only the incremental decoder keeps the rows of a truncated file.
            guard let decoder = WebPIDecode(nil, 0, config) else { return nil }
            defer { WebPIDelete(decoder) }
            let status = WebPIUpdate(decoder, data.assumingMemoryBound(to: UInt8.self).baseAddress, data.count)
            var lastRow: CInt = 0
            let known = WebPIDecodedArea(decoder, nil, nil, nil, &lastRow)
            return Result(rows: known == nil ? 0 : Int(lastRow), status: status)
        }
        guard let result, result.status != VP8_STATUS_OUT_OF_MEMORY else { throw .noMemory }
        return result
    }

    /// Expands the video range of the values to 0...255, and blends them over white.
    private func finish(
        _ target: UnsafeMutableBufferPointer<UInt8>, bytesPerRow: Int, rows: Int, alpha: UnsafePointer<UInt8>?
    ) {
        guard let base = target.baseAddress else { return }
        LumaConversion.fromVideoRange.withUnsafeBufferPointer { table in
            for y in 0..<rows {
                let row = base + y * bytesPerRow
                if let alpha {
                    let opacity = alpha + y * frame.width
                    for x in 0..<frame.width {
                        row[x] = LumaConversion.overWhite(table[Int(row[x])], alpha: opacity[x])
                    }
                } else {
                    for x in 0..<frame.width { row[x] = table[Int(row[x])] }
                }
            }
        }
    }
}
