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
        if status == .success { exit(withError: error) }
        let message = fullMessage(for: error).printableLines
        if !message.isEmpty {
            let bytes = Array((message + "\n").utf8)
            _ = write(STDERR_FILENO, bytes, bytes.count)
        }
        exit(withError: status)
    }
}
