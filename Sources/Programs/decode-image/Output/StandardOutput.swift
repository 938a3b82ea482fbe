import BarcodeCore
import Glibc
import ProgramSupport

/// Unbuffered standard output.
enum StandardOutput {
    /// Writes all the bytes.
    ///
    /// If the reader is gone, SIGPIPE ends this program, as it ends any other in a pipeline.
    ///
    /// - Throws: ``DecodeError`` if the output cannot be written, for example because the disk is full.
    static func write(_ bytes: [UInt8]) throws(DecodeError) {
        let number = bytes.withUnsafeBytes { $0.write(to: STDOUT_FILENO) }
        if number == 0 { return }
        if number == EPIPE { StopSignals.resend(SIGPIPE) }
        throw DecodeError(
            .unreadable, "cannot be written: \(String(cString: strerror(number))); the answers from here on are lost",
            subject: "standard output")
    }
}

/// Messages for people, on standard error.
struct Messages: Sendable {
    /// Indicates whether messages are suppressed.
    let isQuiet: Bool
    /// The descriptor for messages: the original standard error of the program.
    let descriptor: Int32

    init(isQuiet: Bool, descriptor: Int32 = STDERR_FILENO) {
        self.isQuiet = isQuiet
        self.descriptor = descriptor
    }

    /// Writes one message as a line.
    func write(_ message: String) {
        guard !isQuiet else { return }
        let line = Array("decode-image: \(message.printable)\n".utf8)
        _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
