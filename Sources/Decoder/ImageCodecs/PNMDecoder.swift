internal import BarcodeCore

/// Decodes the formats of Netpbm, P1 to P6.
struct PNMDecoder {
    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LoadedImage {
        let header = try PNMHeader(bytes)
        let width = header.width
        let height = header.height
        try loader.limits.check(width: width, height: height)

        var rows = Rows(bytes, header)
        var decodedRows = 0
        let image = try LumaImage(width: width, height: height) { (pixels) throws(DecodeError) in
            guard let base = pixels.baseAddress else { return }
            while decodedRows < height, rows.readRow(into: base + decodedRows * width) {
                decodedRows += 1
            }
            guard decodedRows > 0 else { throw .nothingDecoded(cutOff: true) }
            pixels.whiten(fromRow: decodedRows, width: width)
        }
        let isTruncated = decodedRows < height
        return LoadedImage(
            image: image, width: width, height: height, format: .pnm, decodedRows: decodedRows,
            isTruncated: isTruncated,
            damage: isTruncated ? LoadedImage.cutOff(after: decodedRows, of: height) : nil)
    }
}

extension PNMDecoder {
    /// Reads rows as luma.
    private struct Rows {
        private let bytes: UnsafeRawBufferPointer
        private let header: PNMHeader
        /// The brightness of each value, 0 to 255.
        private let levels: [UInt8]
        private var samples: [UInt8]
        private var tokens: PNMTokens
        private var position: Int

        init(_ bytes: UnsafeRawBufferPointer, _ header: PNMHeader) {
            self.bytes = bytes
            self.header = header
            let maximum = header.maximum
            // A set bit of a bitmap is black.
            levels = header.kind.isBitmap ? [255, 0] : (0...maximum).map { UInt8(($0 * 255 + maximum / 2) / maximum) }
            samples = [UInt8](repeating: 0, count: header.width * header.kind.channels)
            tokens = PNMTokens(bytes, from: header.start)
            position = header.start
        }

        /// Reads the next row; false if it is incomplete.
        mutating func readRow(into target: UnsafeMutablePointer<UInt8>) -> Bool {
            guard header.kind.isPlain ? readPlain() : readRaw() else { return false }
            samples.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                LumaConversion.convert(base, channels: header.kind.channels, count: header.width, to: target)
            }
            return true
        }

        private mutating func readPlain() -> Bool {
            for index in samples.indices {
                guard let value = header.kind.isBitmap ? tokens.bit() : tokens.number() else { return false }
                samples[index] = levels[min(value, header.maximum)]
            }
            return true
        }

        private mutating func readRaw() -> Bool {
            let count = samples.count
            let length = header.kind.isBitmap ? (count + 7) / 8 : header.maximum > 255 ? 2 * count : count
            guard let row = bytes.slice(at: position, count: length) else { return false }
            position += length
            if header.kind.isBitmap {
                for index in 0..<count {
                    samples[index] = levels[Int(row[index >> 3] >> UInt8(7 - index & 7)) & 1]
                }
            } else if header.maximum > 255 {
                for index in 0..<count {
                    let value = Int(row[2 * index]) << 8 | Int(row[2 * index + 1])
                    samples[index] = levels[min(value, header.maximum)]
                }
            } else if header.maximum == 255 {
                samples.withUnsafeMutableBytes { $0.copyMemory(from: row) }
            } else {
                for index in 0..<count {
                    samples[index] = levels[min(Int(row[index]), header.maximum)]
                }
            }
            return true
        }
    }
}
