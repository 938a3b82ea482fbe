import BarcodeCore
import DecodeWorkers
import ImageCodecs
import Symbols

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
        \(sandbox)
        """ : "decode-image \(Quietzone.version)"

    /// The protections of processes that decode several pictures.
    private static var sandbox: String {
        let parts = (Sandbox.filtersSystemCalls ? ["seccomp"] : []) + (Sandbox.restrictsFiles ? ["Landlock"] : [])
        return parts.isEmpty ? "no sandbox: neither seccomp nor Landlock" : "sandbox: " + parts.joined(separator: ", ")
    }

    private static var codecs: [String] {
        CodecVersions.all.map { "\($0.library) \($0.version)" } + CodecVersions.missing.map { "\($0) is not installed" }
    }
}
