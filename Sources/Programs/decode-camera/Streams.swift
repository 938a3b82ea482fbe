import BarcodeCore
import Glibc
import ProgramSupport

/// An error that the output of the program could not be written.
struct OutputError: Error {
    var reason: String
}

/// Unbuffered standard streams, because a code should be available at once.
enum Streams {
    /// Writes a text to standard output; on a terminal, without control characters.
    static func write(_ text: String) throws(OutputError) {
        try write(Array((isatty(STDOUT_FILENO) == 1 ? text.printableLines : text).utf8))
    }

    /// Writes bytes to standard output.
    ///
    /// If the reader is gone, SIGPIPE ends this program, as it ends any other in a pipeline.
    static func write(_ bytes: [UInt8]) throws(OutputError) {
        let number = bytes.withUnsafeBytes { $0.write(to: STDOUT_FILENO) }
        if number == EPIPE { StopSignals.resend(SIGPIPE) }
        if number != 0 { throw OutputError(reason: String(cString: strerror(number))) }
    }

    /// Writes a message to standard error and ignores a failure.
    static func say(_ message: String) {
        _ = Array("decode-camera: \(message.printable)\n".utf8).withUnsafeBytes { $0.write(to: STDERR_FILENO) }
    }

    /// Overwrites a file.
    static func write(_ bytes: [UInt8], toFile path: String) throws(OutputError) {
        do throws(OutputFile.Fault) {
            try OutputFile.write(bytes, to: Array(path.utf8))
        } catch {
            throw OutputError(reason: error.description)
        }
    }
}
