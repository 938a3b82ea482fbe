import BarcodeCore
import ImageCodecs
import ZBarReader

/// What `--version` prints.
enum Versions {
    static let text = """
        decode-image \(Quietzone.version)
        zbar \(ZBarReader.libraryVersion)
        \(codecs.joined(separator: "\n"))
        """

    private static var codecs: [String] {
        CodecVersions.all.map { "\($0.library) \($0.version)" } + CodecVersions.missing.map { "\($0) is not installed" }
    }
}
