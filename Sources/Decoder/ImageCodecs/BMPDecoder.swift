internal import BarcodeCore

/// Decodes a Windows bitmap of 1 to 32 bits per pixel, with a color table, bit masks or run-length encoding.
///
/// No library is used: the existing ones return four bytes per pixel and nothing of a truncated file, and the
/// format is only a header and rows.
struct BMPDecoder {
    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LoadedImage {
        let header = try BMPHeader(bytes)
        let width = header.width
        let height = header.height
        try loader.limits.check(width: width, height: height)

        var decodedRows = 0
        let image = try LumaImage(width: width, height: height) { (pixels) throws(DecodeError) in
            switch header.compression {
            case .runLengths: decodedRows = BMPRunLengths(bytes, header).decode(into: pixels)
            case .none, .masks: decodedRows = Self.readRows(bytes, header, into: pixels)
            }
            guard decodedRows > 0 else { throw .nothingDecoded(cutOff: true) }
        }
        let isCutOff = decodedRows < height
        // Rows are stored bottom-up, so the missing ones are at the top.
        return LoadedImage(
            image: image, width: width, height: height, format: .bmp,
            decodedRows: header.isBottomUp ? height : decodedRows, isTruncated: isCutOff,
            damage: isCutOff ? LoadedImage.cutOff(after: decodedRows, of: height) : nil)
    }

    /// Decodes the complete rows and returns their number; the others become white.
    private static func readRows(
        _ bytes: UnsafeRawBufferPointer, _ header: BMPHeader, into pixels: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        let width = header.width
        let stride = (width * header.bits + 31) / 32 * 4
        let row = BMPRow(header)
        for y in 0..<header.height {
            let line = header.isBottomUp ? header.height - 1 - y : y
            let target = UnsafeMutableBufferPointer(rebasing: pixels[(line * width)..<((line + 1) * width)])
            guard let source = bytes.slice(at: header.start + y * stride, count: (width * header.bits + 7) / 8) else {
                let missing = header.isBottomUp ? 0..<((line + 1) * width) : (line * width)..<pixels.count
                pixels[missing].update(repeating: 255)
                return y
            }
            row.convert(source, to: target)
        }
        return header.height
    }
}

/// Converts a row of pixels to luma.
private struct BMPRow {
    private let bits: Int
    /// The brightness of each index, for at most 8 bits per pixel.
    private let levels: [UInt8]
    private let red, green, blue: BMPHeader.Channel

    init(_ header: BMPHeader) {
        bits = header.bits
        levels = header.levels
        (red, green, blue) = header.channels
    }

    /// Converts as many pixels as `target` has room for; `source` must hold them.
    func convert(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableBufferPointer<UInt8>) {
        switch bits {
        case 8:
            for x in target.indices { target[x] = levels[Int(source[x])] }
        case 24:
            for x in target.indices {
                let pixel = 3 * x
                target[x] = LumaConversion.luma(red: source[pixel + 2], green: source[pixel + 1], blue: source[pixel])
            }
        case 16, 32:
            for x in target.indices {
                let value =
                    bits == 16
                    ? UInt32(source.littleEndian16(at: 2 * x) ?? 0) : UInt32(source.littleEndian32(at: 4 * x) ?? 0)
                target[x] = LumaConversion.luma(
                    red: red.level(of: value), green: green.level(of: value), blue: blue.level(of: value))
            }
        default:
            let mask = UInt8((1 << bits) - 1)
            for x in target.indices {
                let bit = x * bits
                target[x] = levels[Int(source[bit >> 3] >> UInt8(8 - bits - bit & 7) & mask)]
            }
        }
    }
}

/// Decodes a run-length encoded bitmap of 4 or 8 bits per pixel.
///
/// Source: Microsoft, "Bitmap Compression". Pairs of a count and an index. After a count of 0: the end of the row
/// (0), the end of the image (1), an offset (2), or a number of literal indices.
private struct BMPRunLengths {
    private let bytes: UnsafeRawBufferPointer
    private let header: BMPHeader

    init(_ bytes: UnsafeRawBufferPointer, _ header: BMPHeader) {
        self.bytes = bytes
        self.header = header
    }

    /// Returns the number of rows begun before the data ended; pixels without a run get index 0.
    func decode(into pixels: UnsafeMutableBufferPointer<UInt8>) -> Int {
        pixels.update(repeating: header.levels[0])
        var x = 0
        var y = 0
        var position = header.start

        func put(_ index: UInt8) {
            guard x < header.width, y < header.height else { return }
            let line = header.isBottomUp ? header.height - 1 - y : y
            pixels[line * header.width + x] = header.levels[Int(index)]
            x += 1
        }
        func half(_ pair: UInt8, _ place: Int) -> UInt8 { place & 1 == 0 ? pair >> 4 : pair & 15 }

        while y < header.height, let pair = bytes.slice(at: position, count: 2) {
            position += 2
            let count = Int(pair[0])
            if count > 0 {
                for place in 0..<count { put(header.bits == 8 ? pair[1] : half(pair[1], place)) }
                continue
            }
            switch pair[1] {
            case 0:
                x = 0
                y += 1
            case 1:
                return header.height
            case 2:
                guard let step = bytes.slice(at: position, count: 2) else { return y }
                x += Int(step[0])
                y += Int(step[1])
                position += 2
            default:
                let literal = Int(pair[1])
                let length = header.bits == 8 ? literal : (literal + 1) / 2
                guard let indices = bytes.slice(at: position, count: length) else { return y }
                for place in 0..<literal {
                    put(header.bits == 8 ? indices[place] : half(indices[place >> 1], place))
                }
                position += length + length & 1
            }
        }
        return min(y, header.height)
    }
}
