import BarcodeCore
import Glibc

/// Standard output, written at once and in full.
enum StandardOutput {
    /// Writes all the bytes.
    ///
    /// A reader that went away ends this program as it ends any other in a pipe: by SIGPIPE.
    /// - Throws: ``DecodeError`` when the output cannot be written, for example because the disk is full.
    static func write(_ bytes: [UInt8]) throws(DecodeError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                StopSignals.resend(SIGPIPE)
            } else if errno != EINTR {
                throw DecodeError(
                    .unreadable, "cannot be written: \(ErrorNumber.text); the answers from here on are lost",
                    subject: "standard output")
            }
        }
    }
}

/// Messages for people, on standard error.
struct Messages: Sendable {
    /// Whether to keep silent.
    let isQuiet: Bool
    /// Where messages go: standard error as it was when the program started.
    let descriptor: Int32

    init(isQuiet: Bool, descriptor: Int32 = STDERR_FILENO) {
        self.isQuiet = isQuiet
        self.descriptor = descriptor
    }

    /// Writes one message, a line.
    func write(_ message: String) {
        guard !isQuiet else { return }
        let line = Array("decode-image: \(message.printable)\n".utf8)
        _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
