import BarcodeCore
import ImageCodecs
import ZBarReader

/// The output of `--version`.
enum Versions {
    ///
    /// The parser takes it at every start; the codecs are loaded to be asked, which is only done where it is printed.
    static let text =
        CommandLine.arguments.contains("--version")
        ? """
        decode-image \(Quietzone.version)
        zbar \(ZBarReader.libraryVersion)
        \(codecs.joined(separator: "\n"))
        """ : "decode-image \(Quietzone.version)"

    private static var codecs: [String] {
        CodecVersions.all.map { "\($0.library) \($0.version)" } + CodecVersions.missing.map { "\($0) is not installed" }
    }
}
