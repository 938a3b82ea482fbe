internal import BarcodeCore
internal import CImages

/// Converts the samples of a TIFF row to luma.
struct TIFFRow {
    private enum Colors {
        /// One sample, mapped by a table of 256 luma values; more than eight bits are reduced to eight.
        case table([UInt8])
        case rgb
        case cmyk
    }

    /// The most samples per pixel that are supported.
    private static let maximumSamples = 64

    private let colors: Colors
    private let bits: Int
    private let samples: Int
    /// The index of the alpha sample; `nil` if there is none.
    private let alpha: Int?
    private let isPremultiplied: Bool

    /// Creates the conversion of a page; `nil` if the library has to convert it.
    init?(_ layout: qz_tiff_layout, palette: [UInt8]?) {
        bits = Int(layout.bits)
        samples = Int(layout.samples)
        guard (1...16).contains(bits), (1...Self.maximumSamples).contains(samples),
            layout.sample_format == SAMPLEFORMAT_UINT || layout.sample_format == SAMPLEFORMAT_VOID,
            layout.is_planar == 0 || samples == 1, layout.compression != COMPRESSION_OJPEG
        else { return nil }
        let count: Int
        switch CInt(layout.photometric) {
        case PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_MASK:
            let levels = Self.levels(bits: bits)
            colors = .table(CInt(layout.photometric) == PHOTOMETRIC_MINISWHITE ? levels.map { 255 - $0 } : levels)
            count = 1
        case PHOTOMETRIC_PALETTE:
            guard bits <= 8, let table = palette else { return nil }
            colors = .table(table + [UInt8](repeating: 0, count: 256 - table.count))
            count = 1
        case PHOTOMETRIC_RGB:
            colors = .rgb
            count = 3
        case PHOTOMETRIC_SEPARATED where layout.ink_set == INKSET_CMYK:
            colors = .cmyk
            count = 4
        default:
            return nil
        }
        guard samples >= count else { return nil }
        let extra = CInt(layout.extra_sample)
        let hasAlpha = samples > count && (extra == EXTRASAMPLE_ASSOCALPHA || extra == EXTRASAMPLE_UNASSALPHA)
        alpha = hasAlpha ? count : nil
        isPremultiplied = extra == EXTRASAMPLE_ASSOCALPHA
    }

    /// Returns the luma of samples with this many bits; above eight bits, of their upper eight.
    private static func levels(bits: Int) -> [UInt8] {
        let largest = (1 << min(bits, 8)) - 1
        return (0...255).map { UInt8(clamping: $0 * 255 / largest) }
    }

    /// Returns the size of `count` pixels in bytes.
    func bytes(_ count: Int) -> Int { (count * samples * bits + 7) / 8 }

    /// Converts `count` pixels; `source` must have enough bytes.
    func convert(_ source: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>, count: Int) {
        if case .table(let table) = colors, samples == 1, bits <= 8 {
            table.withUnsafeBufferPointer { convert(source, by: $0, to: target, count: count) }
            return
        }
        for x in 0..<count {
            let first = x * samples
            var level: UInt8
            switch colors {
            case .table(let table):
                level = table[Int(sample(source, first, isIndex: true))]
            case .rgb:
                level = LumaConversion.luma(
                    red: sample(source, first), green: sample(source, first + 1), blue: sample(source, first + 2))
            case .cmyk:
                let light = LumaConversion.luma(
                    red: 255 - sample(source, first), green: 255 - sample(source, first + 1),
                    blue: 255 - sample(source, first + 2))
                level = UInt8((UInt32(light) * UInt32(255 - sample(source, first + 3)) + 127) / 255)
            }
            if let alpha {
                let opacity = sample(source, first + alpha)
                level =
                    isPremultiplied
                    ? LumaConversion.overWhite(premultiplied: level, alpha: opacity)
                    : LumaConversion.overWhite(level, alpha: opacity)
            }
            target[x] = level
        }
    }

    /// Converts pixels of one sample of at most eight bits.
    private func convert(
        _ source: UnsafeRawBufferPointer, by table: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        switch bits {
        case 8:
            for x in 0..<count { target[x] = table[Int(source[x])] }
        case 1:
            let (clear, set) = (table[0], table[1])
            for x in 0..<count { target[x] = source[x >> 3] & (0x80 >> UInt8(x & 7)) == 0 ? clear : set }
        default:
            for x in 0..<count { target[x] = table[Int(sample(source, x, isIndex: true))] }
        }
    }

    /// Returns a sample as eight bits: scaled to 0...255, or unchanged if it is an index.
    @inline(__always)
    private func sample(_ source: UnsafeRawBufferPointer, _ index: Int, isIndex: Bool = false) -> UInt8 {
        switch bits {
        case 8:
            return source[index]
        case 16:
            // The library returns samples in native byte order.
            return UInt8(source.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self) >> 8)
        default:
            var value = 0
            for bit in (index * bits)..<((index + 1) * bits) {
                value = value << 1 | Int(source[bit >> 3] >> UInt8(7 - bit & 7) & 1)
            }
            if bits > 8 { return UInt8(value >> (bits - 8)) }
            return UInt8(isIndex ? value : value * 255 / ((1 << bits) - 1))
        }
    }
}
