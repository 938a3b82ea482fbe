import BarcodeCore
import ImageCodecs
import ZBarReader

/// What `--version` prints.
enum Versions {
    static let text = """
        decode-image \(Quietzone.version)
        zbar \(ZBarReader.libraryVersion)
        \(CodecVersions.all.map { "\($0.library) \($0.version)" }.joined(separator: "\n"))
        """
}
