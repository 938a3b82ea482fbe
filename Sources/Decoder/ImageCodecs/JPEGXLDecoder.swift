internal import BarcodeCore
internal import CImages

/// Decodes a JPEG XL with libjxl; of an animation, the first frame.
///
/// Pixels arrive in parts of rows, which are converted to luma at once, so that no color image is needed besides
/// the library's own.
struct JPEGXLDecoder {
    /// The most bytes per pixel that the library uses: three channels of 32 bits, and a copy during filtering.
    private static let workingBytes = 16

    static var library: CodecLibrary {
        let version = qz_jpegxl_load().map { $0.pointee.JxlDecoderVersion() }
        return CodecLibrary(
            name: "libjxl", version: version.map { "\($0 / 1_000_000).\($0 / 1000 % 1000).\($0 % 1000)" },
            package: package)
    }

    /// The Debian and Ubuntu package that contains libjxl.
    static var package: String { "libjxl" + String(cString: qz_jpegxl_built_version()) }

    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LoadedImage {
        guard let library = qz_jpegxl_load()?.pointee else {
            throw .missingCodec("libjxl", for: "a JPEG XL", package: Self.package)
        }
        let decoder = try JPEGXLHandle(library, bytes)
        let info = try decoder.readInfo()
        let width = Int(info.xsize)
        let height = Int(info.ysize)
        try loader.limits.check(width: width, height: height)
        let needed = width * height * Self.workingBytes
        guard needed <= loader.maximumWorkingBytes else {
            throw .needsTooMuch(needed, of: loader.maximumWorkingBytes, for: "a JPEG XL")
        }

        var damage: String?
        let image = try LumaImage(width: width, height: height) { (pixels) throws(DecodeError) in
            pixels.update(repeating: 255)
            let isWhole = try decoder.readPixels(
                into: pixels, width: width, height: height, channels: info.num_color_channels == 1 ? 2 : 4,
                isPremultiplied: info.alpha_premultiplied != 0)
            if !isWhole { damage = LoadedImage.cutOff(after: height, of: height) }
        }
        let orientation = Int(info.orientation.rawValue)
        return LoadedImage(
            image: image, width: width, height: height, format: .jpegXL,
            orientation: (1...8).contains(orientation) ? orientation : 1, isTruncated: damage != nil, damage: damage)
    }
}

/// The sole owner of a decoder of libjxl.
private struct JPEGXLHandle: ~Copyable {
    /// The destination of the decoded parts of rows.
    private struct Target {
        var pixels: UnsafeMutableBufferPointer<UInt8>
        var width, height: Int
        var channels: Int
        var isPremultiplied: Bool
    }

    private let library: qz_jpegxl
    private let decoder: OpaquePointer

    /// Creates a decoder of `bytes`, which must outlive this value.
    init(_ library: qz_jpegxl, _ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        guard let decoder = library.JxlDecoderCreate(nil) else { throw .noMemory }
        let events = CInt(JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_FULL_IMAGE.rawValue)
        guard library.JxlDecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS,
            library.JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) == JXL_DEC_SUCCESS,
            library.JxlDecoderSetInput(
                decoder, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count) == JXL_DEC_SUCCESS
        else {
            library.JxlDecoderDestroy(decoder)
            throw DecodeError(
                .unreadable,
                "is a JPEG XL, and this program does not support the system's version of libjxl")
        }
        library.JxlDecoderCloseInput(decoder)
        self.library = library
        self.decoder = decoder
    }

    deinit {
        library.JxlDecoderDestroy(decoder)
    }

    func readInfo() throws(DecodeError) -> JxlBasicInfo {
        let status = library.JxlDecoderProcessInput(decoder)
        if status == JXL_DEC_NEED_MORE_INPUT { throw .nothingDecoded(cutOff: true) }
        var info = JxlBasicInfo()
        guard status == JXL_DEC_BASIC_INFO, library.JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else {
            throw .broken("a JPEG XL", "its header")
        }
        return info
    }

    /// Decodes the first frame; false if it is incomplete.
    func readPixels(
        into pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int, channels: Int, isPremultiplied: Bool
    ) throws(DecodeError) -> Bool {
        var target = Target(
            pixels: pixels, width: width, height: height, channels: channels, isPremultiplied: isPremultiplied)
        let result = withUnsafeMutablePointer(to: &target) { target in
            Result { () throws(DecodeError) in try run(target) }
        }
        return try result.get()
    }

    /// Runs the decoder, which keeps the address of `target` and must not run after this.
    private func run(_ target: UnsafeMutablePointer<Target>) throws(DecodeError) -> Bool {
        while true {
            switch library.JxlDecoderProcessInput(decoder) {
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                var format = JxlPixelFormat(
                    num_channels: UInt32(target.pointee.channels), data_type: JXL_TYPE_UINT8,
                    endianness: JXL_NATIVE_ENDIAN, align: 0)
                let status = library.JxlDecoderSetImageOutCallback(
                    decoder, &format, { Self.take($0, x: $1, y: $2, count: $3, piece: $4) }, target)
                guard status == JXL_DEC_SUCCESS else { throw .broken("a JPEG XL", "its channels") }
            case JXL_DEC_FULL_IMAGE, JXL_DEC_SUCCESS:
                return true
            case JXL_DEC_NEED_MORE_INPUT:
                guard library.JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS else {
                    throw .nothingDecoded(cutOff: true)
                }
                return false
            default:
                throw .broken("a JPEG XL", "its pixels")
            }
        }
    }

    /// Converts gray or RGB pixels with alpha to luma; the library calls it on the thread that runs the decoder.
    private static func take(
        _ opaque: UnsafeMutableRawPointer?, x: Int, y: Int, count: Int, piece: UnsafeRawPointer?
    ) {
        guard let target = opaque?.assumingMemoryBound(to: Target.self).pointee, let piece,
            x >= 0, y >= 0, count >= 0, y < target.height, x <= target.width, count <= target.width - x,
            let base = target.pixels.baseAddress
        else { return }
        let source = piece.assumingMemoryBound(to: UInt8.self)
        let row = base + (y * target.width + x)
        guard target.isPremultiplied else {
            return LumaConversion.convert(source, channels: target.channels, count: count, to: row)
        }
        LumaConversion.convertPremultiplied(source, channels: target.channels, count: count, to: row)
    }
}
