public import ArgumentParser
internal import BarcodeCore
internal import Glibc

extension ParsableCommand {
    /// Ends the program as ArgumentParser does, by an error or a request for help, without control characters in
    /// the message.
    ///
    /// The message quotes the command line, which may contain untrusted file names that a shell inserted for `*`.
    /// Only the start of a program calls this, because libraries never end the process.
    public static func endPrintable(with error: any Error) -> Never {
        let status = exitCode(for: error)
        let message = fullMessage(for: error)
        if status == .success {
            if !message.isEmpty { writeAnswer(message + "\n") }
            exit(withError: status)
        }
        if !message.isEmpty {
            let bytes = Array((message.printableLines + "\n").utf8)
            _ = write(STDERR_FILENO, bytes, bytes.count)
        }
        exit(withError: status)
    }

    /// Writes requested text, such as the help, and ends the program if that fails.
    private static func writeAnswer(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                // A reader that has closed the pipe has seen enough and needs no message.
                if errno != EPIPE {
                    let message =
                        "\(_commandName): cannot write to standard output: \(String(cString: strerror(errno)))\n"
                    _ = write(STDERR_FILENO, message, message.utf8.count)
                }
                exit(withError: ExitCode.failure)
            }
        }
    }
}
