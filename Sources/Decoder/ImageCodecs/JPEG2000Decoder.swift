internal import BarcodeCore
internal import CImages

/// Decodes a JPEG 2000, as a file of boxes or as a bare codestream, with OpenJPEG.
///
/// If the codestream has luma and chroma, only the luma is decoded.
struct JPEG2000Decoder {
    /// The Debian and Ubuntu package that contains OpenJPEG.
    static let package = "libopenjp2-7"

    static var library: CodecLibrary {
        CodecLibrary(
            name: "OpenJPEG", version: qz_jpeg2000_load()?.pointee.opj_version().map { String(cString: $0) },
            package: package)
    }

    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LoadedImage {
        guard let library = qz_jpeg2000_load()?.pointee else {
            throw .missingCodec("OpenJPEG", for: "a JPEG 2000", package: Self.package)
        }
        let header = try JPEG2000Header(bytes)
        try loader.limits.check(width: header.width, height: header.height)
        // Before decoding a sample, the library allocates a structure for each component of each tile.
        let structures = header.tiles * (6000 + 1200 * header.components)
        // Each sample takes four bytes. With several tiles, the samples of one tile take as many again.
        let planes = header.hasColorTransform && !header.hasPalette ? 1 : header.components
        let samples = 4 * planes * header.width * header.height
        let needed = structures + (header.tiles > 1 ? samples + samples / header.tiles : samples)
        guard needed <= loader.maximumWorkingBytes else {
            throw .needsTooMuch(needed, of: loader.maximumWorkingBytes, for: "a JPEG 2000")
        }

        let file = try JPEG2000File(library, bytes, isCodestream: header.isCodestream)
        let picture = try file.decode(header)
        let width = Int(picture.width)
        let height = Int(picture.height)
        try loader.limits.check(width: width, height: height)
        let image = try LumaImage(width: width, height: height) { (pixels) throws(DecodeError) in
            try picture.convert(to: pixels)
        }
        let isCutOff = header.isCutOff
        let isDamaged = file.warnings > 0
        return LoadedImage(
            image: image, width: width, height: height, format: .jpeg2000, isTruncated: isCutOff,
            damage: isCutOff
                ? LoadedImage.cutOff(after: height, of: height)
                : isDamaged ? LoadedImage.broken(after: height, of: height) : nil)
    }
}

/// The sole owner of a codec and its input stream.
private struct JPEG2000File: ~Copyable {
    /// The input and the messages of the library.
    private struct Source {
        var bytes: UnsafeRawBufferPointer
        var position = 0
        var warnings = 0
        var message = ""
    }

    private let library: qz_jpeg2000
    private let source: UnsafeMutablePointer<Source>
    private let stream: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let codec: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    var warnings: Int { source.pointee.warnings }

    /// Opens `bytes`, which must outlive this value.
    init(_ library: qz_jpeg2000, _ bytes: UnsafeRawBufferPointer, isCodestream: Bool) throws(DecodeError) {
        guard let stream = library.opj_stream_create(1 << 16, 1) else { throw .noMemory }
        guard let codec = library.opj_create_decompress(isCodestream ? OPJ_CODEC_J2K : OPJ_CODEC_JP2) else {
            library.opj_stream_destroy(stream)
            throw .noMemory
        }
        let source = UnsafeMutablePointer<Source>.allocate(capacity: 1)
        source.initialize(to: Source(bytes: bytes))
        self.library = library
        self.source = source
        self.stream = stream
        self.codec = codec
        connect()
    }

    deinit {
        library.opj_destroy_codec(codec)
        library.opj_stream_destroy(stream)
        source.deinitialize(count: 1)
        source.deallocate()
    }

    private borrowing func connect() {
        library.opj_stream_set_user_data(stream, source, nil)
        library.opj_stream_set_user_data_length(stream, UInt64(source.pointee.bytes.count))
        library.opj_stream_set_read_function(stream) { target, wanted, opaque in
            guard let source = opaque?.assumingMemoryBound(to: Source.self), let target,
                let base = source.pointee.bytes.baseAddress
            else { return -1 }
            let count = min(Int(clamping: wanted), source.pointee.bytes.count - source.pointee.position)
            // The end of the stream is -1, as in C, although the type is unsigned.
            guard count > 0 else { return -1 }
            target.copyMemory(from: base + source.pointee.position, byteCount: count)
            source.pointee.position += count
            return OPJ_SIZE_T(count)
        }
        library.opj_stream_set_skip_function(stream) { count, opaque in
            guard let source = opaque?.assumingMemoryBound(to: Source.self), count >= 0 else { return -1 }
            let left = source.pointee.bytes.count - source.pointee.position
            let skipped = min(Int(count), left)
            guard skipped > 0 || count == 0 else { return -1 }
            source.pointee.position += skipped
            return OPJ_OFF_T(skipped)
        }
        library.opj_stream_set_seek_function(stream) { position, opaque in
            guard let source = opaque?.assumingMemoryBound(to: Source.self), position >= 0,
                Int(position) <= source.pointee.bytes.count
            else { return OPJ_BOOL(OPJ_FALSE) }
            source.pointee.position = Int(position)
            return OPJ_BOOL(OPJ_TRUE)
        }
        _ = library.opj_set_warning_handler(
            codec, { _, opaque in opaque?.assumingMemoryBound(to: Source.self).pointee.warnings += 1 }, source)
        _ = library.opj_set_error_handler(
            codec,
            { message, opaque in
                guard let source = opaque?.assumingMemoryBound(to: Source.self), let message,
                    source.pointee.message.isEmpty
                else { return }
                source.pointee.message = String(
                    decoding: String(cString: message).utf8.prefix { $0 >= 0x20 }, as: UTF8.self)
            }, source)
    }

    borrowing func decode(_ header: JPEG2000Header) throws(DecodeError) -> JPEG2000Picture {
        var parameters = opj_dparameters_t()
        library.opj_set_default_decoder_parameters(&parameters)
        var image: UnsafeMutablePointer<opj_image_t>?
        guard library.opj_setup_decoder(codec, &parameters) != 0,
            // Uses strict mode, which is the default: the other mode, for truncated files, has read beyond its
            // buffers (openjpeg pull request 1534), and not all distributions have the fix.
            library.opj_read_header(stream, codec, &image) != 0, let image
        else {
            if let image { library.opj_image_destroy(image) }
            throw failure(header)
        }
        let picture = JPEG2000Picture(library, image, header)
        if picture.isLumaAlone {
            var first: OPJ_UINT32 = 0
            guard library.opj_set_decoded_components(codec, 1, &first, OPJ_BOOL(OPJ_FALSE)) != 0 else {
                throw failure(header)
            }
        }
        guard library.opj_decode(codec, stream, image) != 0 else { throw failure(header) }
        return picture
    }

    private borrowing func failure(_ header: JPEG2000Header) -> DecodeError {
        header.isCutOff ? .cutOffWhole("a JPEG 2000") : .broken("a JPEG 2000", source.pointee.message)
    }
}
