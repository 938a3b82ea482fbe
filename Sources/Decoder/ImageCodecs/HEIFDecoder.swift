internal import BarcodeCore
internal import CImages

/// Decodes the primary image of a HEIC or an AVIF with libheif, as it is stored: not rotated, mirrored or cropped.
///
/// The library is asked not to convert colors. Versions from 1.18 on then return the codec's own planes, of which Y
/// is used. Older ones return planes of red, green and blue; asking them for YCbCr would convert those back.
struct HEIFDecoder {
    /// The Debian and Ubuntu package that contains libheif.
    static let package = "libheif1"

    static var library: CodecLibrary {
        CodecLibrary(
            name: "libheif", version: qz_heif_load()?.pointee.heif_get_version().map { String(cString: $0) },
            package: package)
    }

    /// Indicates whether the first bytes name a HEIF brand other than AVIF's own.
    static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.hasText("ftyp", at: 4)
            && ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1"].contains {
                bytes.hasText($0, at: 8)
            }
    }

    /// Indicates whether the compatible brands name AVIF, since a container of another brand may hold AV1 too.
    static func holdsAV1(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let brands = bytes.slice(at: 8, count: max(0, min(bytes.bigEndian32(at: 0) ?? 0, 256) - 8))
        return brands.map { brands in
            stride(from: 0, to: brands.count, by: 4).contains { offset in
                brands.hasText("avif", at: offset) || brands.hasText("avis", at: offset)
            }
        } ?? false
    }

    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LoadedImage {
        let format: ImageFormat = Self.holdsAV1(bytes) ? .avif : .heic
        let kind = format == .avif ? "an AVIF" : "a HEIC"
        guard let library = qz_heif_load()?.pointee else {
            throw .missingCodec("libheif", for: kind, package: Self.package)
        }
        if let fault = HEIFReferences.fault(of: bytes) { throw .broken(kind, fault) }
        let file = try HEIFFile(library, kind, bytes)
        try loader.limits.check(width: file.width, height: file.height)
        // The codec's planes, with the usual chroma at a quarter of the size, and three planes of the library.
        let needed = 5 * file.width * file.height * (file.bits > 8 ? 2 : 1)
        guard needed <= loader.maximumWorkingBytes else {
            throw .needsTooMuch(needed, of: loader.maximumWorkingBytes, for: kind)
        }

        let planes = try file.decode()
        // The codec's own size counts, since the container may say another one.
        try loader.limits.check(width: planes.width, height: planes.height)
        let image = try LumaImage(width: planes.width, height: planes.height) { (pixels) throws(DecodeError) in
            guard let base = pixels.baseAddress else { return }
            for y in 0..<planes.height { planes.convertRow(y, to: base + y * planes.width) }
        }
        return LoadedImage(
            image: image, width: planes.width, height: planes.height, format: format,
            orientation: HEIFProperties.orientation(of: bytes) ?? 1,
            isTruncated: planes.hasWarnings, damage: planes.hasWarnings ? "is damaged" : nil)
    }
}

/// The sole owner of an open file of libheif and its primary image.
private struct HEIFFile: ~Copyable {
    private let library: qz_heif
    private let kind: String
    private let context: OpaquePointer
    private let picture: OpaquePointer

    var width: Int { Int(library.heif_image_handle_get_ispe_width(picture)) }
    var height: Int { Int(library.heif_image_handle_get_ispe_height(picture)) }
    var bits: Int { Int(library.heif_image_handle_get_luma_bits_per_pixel(picture)) }

    /// Opens `bytes`, which must outlive this value.
    init(_ library: qz_heif, _ kind: String, _ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        guard let context = library.heif_context_alloc() else { throw .noMemory }
        var picture: OpaquePointer?
        do throws(DecodeError) {
            try Self.check(
                library.heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil), kind)
            try Self.check(library.heif_context_get_primary_image_handle(context, &picture), kind)
            guard picture != nil else { throw .broken(kind, "no primary picture") }
        } catch {
            library.heif_context_free(context)
            throw error
        }
        guard let picture else { throw .noMemory }
        self.library = library
        self.kind = kind
        self.context = context
        self.picture = picture
    }

    deinit {
        library.heif_image_handle_release(picture)
        library.heif_context_free(context)
    }

    func decode() throws(DecodeError) -> HEIFPlanes {
        guard let options = library.heif_decoding_options_alloc() else { throw .noMemory }
        defer { library.heif_decoding_options_free(options) }
        options.pointee.ignore_transformations = 1
        var image: OpaquePointer?
        try Self.check(
            library.heif_decode_image(picture, &image, heif_colorspace_undefined, heif_chroma_undefined, options), kind)
        guard let image else { throw .noMemory }
        return try HEIFPlanes(library, kind, image, of: picture)
    }

    private static func check(_ error: heif_error, _ kind: String) throws(DecodeError) {
        guard error.code != heif_error_Ok else { return }
        let detail = error.message.map { String(cString: $0) } ?? ""
        switch (error.code, error.subcode) {
        case (heif_error_Unsupported_feature, heif_suberror_Unsupported_codec),
            (heif_error_Plugin_loading_error, _):
            throw .missingCodec(
                "its decoder", for: kind,
                package: kind == "an AVIF" ? "libheif-plugin-dav1d" : "libheif-plugin-libde265")
        case (heif_error_Unsupported_feature, _), (heif_error_Unsupported_filetype, _):
            throw DecodeError(.unsupportedFormat, "is \(kind) of an unsupported kind (\(detail))")
        case (heif_error_Memory_allocation_error, heif_suberror_Security_limit_exceeded),
            (heif_error_Invalid_input, heif_suberror_Security_limit_exceeded):
            throw DecodeError(.tooLarge, "is \(kind) that exceeds the limits of libheif (\(detail))")
        case (heif_error_Memory_allocation_error, _):
            throw .noMemory
        case (heif_error_Invalid_input, heif_suberror_End_of_data):
            throw .cutOffWhole(kind)
        default:
            throw .broken(kind, detail)
        }
    }
}
