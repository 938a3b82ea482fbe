internal import CImages
internal import CWebP

/// The versions of the libraries that decode images.
public enum CodecVersions {
    /// The version of libjpeg-turbo at compile time, such as `2.1.5`; the library itself does not report one.
    public static var libjpegTurbo: String { String(cString: qz_jpeg_version()) }

    /// The version of the loaded libpng, such as `1.6.39`.
    public static var libpng: String {
        let number = qz_png_version()
        return "\(number / 10000).\(number / 100 % 100).\(number % 100)"
    }

    /// The version of the loaded libwebp, such as `1.2.4`.
    public static var libwebp: String {
        let number = WebPGetDecoderVersion()
        return "\(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)"
    }

    /// The name and version of each installed library, in a fixed order.
    public static var all: [(library: String, version: String)] {
        libraries.compactMap { library in library.version.map { (library: library.name, version: $0) } }
    }

    /// The names of the libraries that are not installed; their formats are not supported.
    public static var missing: [String] {
        libraries.filter { $0.version == nil }.map(\.name)
    }

    /// The libraries without duplicates, in a fixed order; one may decode several formats.
    public static var libraries: [CodecLibrary] {
        var found: [CodecLibrary] = []
        for library in ImageDecoder.all.compactMap({ $0.library?() })
        where !found.contains(where: { $0.name == library.name }) {
            found.append(library)
        }
        return found
    }
}
