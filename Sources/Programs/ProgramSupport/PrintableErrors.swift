public import ArgumentParser
internal import BarcodeCore
internal import Glibc

extension ParsableCommand {
    /// Ends the program as ArgumentParser does, by an error or a request for help, with nothing in the message that a
    /// terminal would obey.
    ///
    /// What is wrong with a command line is quoted, and a name that a shell put there for `*` is a stranger's.
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

    /// Writes a text that was asked for, such as the help, and ends the program where that cannot be done.
    private static func writeAnswer(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                // A reader that has seen enough needs no message.
                if errno != EPIPE {
                    let message =
                        "\(_commandName): standard output cannot be written: \(String(cString: strerror(errno)))\n"
                    _ = write(STDERR_FILENO, message, message.utf8.count)
                }
                exit(withError: ExitCode.failure)
            }
        }
    }
}
