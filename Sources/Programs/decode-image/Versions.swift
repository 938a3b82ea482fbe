import BarcodeCore
import ImageCodecs
import ZBarReader

/// The output of `--version`.
enum Versions {
    /// The version of the program, followed by those of its libraries if it is printed.
    ///
    /// The parser needs the text at every start, but the codecs are loaded for their versions only with
    /// `--version`.
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
