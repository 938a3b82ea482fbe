internal import CImages
internal import CWebP

/// The versions of the libraries that decode pictures.
public enum CodecVersions {
    /// The version of libjpeg-turbo that the program was compiled with, such as `2.1.5`; the library tells none itself.
    public static var libjpegTurbo: String { String(cString: qz_jpeg_version()) }

    /// The version of libpng that is loaded, such as `1.6.39`.
    public static var libpng: String {
        let number = qz_png_version()
        return "\(number / 10000).\(number / 100 % 100).\(number % 100)"
    }

    /// The version of libwebp that is loaded, such as `1.2.4`.
    public static var libwebp: String {
        let number = WebPGetDecoderVersion()
        return "\(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)"
    }

    /// Each library's name and version, in a fixed order; those that are not installed are left out.
    public static var all: [(library: String, version: String)] {
        libraries.compactMap { library in library.version.map { (library: library.name, version: $0) } }
    }

    /// The names of the libraries that are not installed; their formats cannot be read.
    public static var missing: [String] {
        libraries.filter { $0.version == nil }.map(\.name)
    }

    /// Each library once, in a fixed order: one may decode several formats.
    public static var libraries: [CodecLibrary] {
        var found: [CodecLibrary] = []
        for library in ImageDecoder.all.compactMap({ $0.library?() })
        where !found.contains(where: { $0.name == library.name }) {
            found.append(library)
        }
        return found
    }
}
