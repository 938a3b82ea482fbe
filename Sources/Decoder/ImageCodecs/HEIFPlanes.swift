internal import BarcodeCore
internal import CImages

/// The sole owner of an image that libheif decoded; its planes are converted to luma row by row.
struct HEIFPlanes: ~Copyable {
    /// A plane of rows with samples of at most 16 bits.
    private struct Plane {
        var start: UnsafePointer<UInt8>
        var bytesPerRow: Int
        /// The bits per sample; above eight, each takes two bytes.
        var bits: Int

        @inline(__always)
        func level(x: Int, y: Int) -> UInt8 {
            let row = start + y * bytesPerRow
            guard bits > 8 else { return bits == 8 ? row[x] : UInt8(clamping: Int(row[x]) * 255 / ((1 << bits) - 1)) }
            let sample = UnsafeRawPointer(row).loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self)
            return UInt8(clamping: Int(sample) >> (bits - 8))
        }
    }

    let width, height: Int
    /// Indicates whether the codec had to conceal errors.
    let hasWarnings: Bool
    private let library: qz_heif
    private let image: OpaquePointer
    /// Y, or green, blue and red.
    private let colors: [Plane]
    private let alpha: Plane?
    private let isPremultiplied: Bool
    private let isVideoRange: Bool

    /// Takes ownership of `image`, which was decoded from `picture`.
    init(
        _ library: qz_heif, _ kind: String, _ image: OpaquePointer, of picture: OpaquePointer
    ) throws(DecodeError) {
        let profile = Self.profile(library, image, of: picture)
        // The matrix coefficient 0 means that Y, Cb and Cr are green, blue and red.
        let isRGB = library.heif_image_get_colorspace(image) == heif_colorspace_RGB
        let isIdentity = profile?.matrix == heif_matrix_coefficients_RGB_GBR
        let channels: [heif_channel] =
            isRGB
            ? [heif_channel_G, heif_channel_B, heif_channel_R]
            : isIdentity && library.heif_image_has_channel(image, heif_channel_Cb) != 0
                ? [heif_channel_Y, heif_channel_Cb, heif_channel_Cr] : [heif_channel_Y]
        let colors = channels.compactMap { Self.plane(library, image, $0, like: channels[0]) }
        guard colors.count == channels.count else {
            library.heif_image_release(image)
            throw DecodeError(.unsupportedFormat, "is \(kind) of an unsupported kind (its color planes)")
        }
        width = Int(library.heif_image_get_width(image, channels[0]))
        height = Int(library.heif_image_get_height(image, channels[0]))
        hasWarnings = library.heif_image_get_decoding_warnings(image, 0, nil, 0) > 0
        alpha = Self.plane(library, image, heif_channel_Alpha, like: channels[0])
        isPremultiplied = library.heif_image_handle_is_premultiplied_alpha(picture) != 0
        // The library converts to red, green and blue in full range.
        isVideoRange = !isRGB && profile?.isVideoRange ?? false
        self.colors = colors
        self.library = library
        self.image = image
    }

    deinit {
        library.heif_image_release(image)
    }

    /// Converts a row of ``width`` pixels to luma.
    borrowing func convertRow(_ y: Int, to target: UnsafeMutablePointer<UInt8>) {
        let first = colors[0]
        if colors.count == 3, colors.allSatisfy({ $0.bits == 8 }) {
            let green = first.start + y * first.bytesPerRow
            let blue = colors[1].start + y * colors[1].bytesPerRow
            let red = colors[2].start + y * colors[2].bytesPerRow
            for x in 0..<width { target[x] = LumaConversion.luma(red: red[x], green: green[x], blue: blue[x]) }
        } else if colors.count == 3 {
            for x in 0..<width {
                target[x] = LumaConversion.luma(
                    red: colors[2].level(x: x, y: y), green: first.level(x: x, y: y), blue: colors[1].level(x: x, y: y))
            }
        } else if first.bits == 8 {
            target.update(from: first.start + y * first.bytesPerRow, count: width)
        } else {
            for x in 0..<width { target[x] = first.level(x: x, y: y) }
        }
        if isVideoRange {
            LumaConversion.fromVideoRange.withUnsafeBufferPointer { table in
                for x in 0..<width { target[x] = table[Int(target[x])] }
            }
        }
        guard let alpha else { return }
        for x in 0..<width {
            let opacity = alpha.level(x: x, y: y)
            target[x] =
                isPremultiplied
                ? LumaConversion.overWhite(premultiplied: target[x], alpha: opacity)
                : LumaConversion.overWhite(target[x], alpha: opacity)
        }
    }

    /// Returns a plane of the same size as the first one; `nil` if there is none.
    private static func plane(
        _ library: qz_heif, _ image: OpaquePointer, _ channel: heif_channel, like first: heif_channel
    ) -> Plane? {
        guard library.heif_image_has_channel(image, channel) != 0,
            library.heif_image_get_width(image, channel) == library.heif_image_get_width(image, first),
            library.heif_image_get_height(image, channel) == library.heif_image_get_height(image, first)
        else { return nil }
        let bits = Int(library.heif_image_get_bits_per_pixel_range(image, channel))
        var bytesPerRow: CInt = 0
        guard (1...16).contains(bits), let start = library.heif_image_get_plane_readonly(image, channel, &bytesPerRow),
            Int(bytesPerRow) >= Int(library.heif_image_get_width(image, channel)) * (bits > 8 ? 2 : 1)
        else { return nil }
        return Plane(start: start, bytesPerRow: Int(bytesPerRow), bits: bits)
    }

    /// Returns the color profile of the image, or else of the file; `nil` if neither has one.
    private static func profile(
        _ library: qz_heif, _ image: OpaquePointer, of picture: OpaquePointer
    ) -> (matrix: heif_matrix_coefficients, isVideoRange: Bool)? {
        var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
        if library.heif_image_get_nclx_color_profile(image, &profile).code != heif_error_Ok {
            profile = nil
            _ = library.heif_image_handle_get_nclx_color_profile(picture, &profile)
        }
        guard let profile else { return nil }
        defer { library.heif_nclx_color_profile_free(profile) }
        return (profile.pointee.matrix_coefficients, profile.pointee.full_range_flag == 0)
    }
}
