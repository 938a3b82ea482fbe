import ArgumentParser
import Glibc
import ResultDispatch

/// A sentence for the user, and the exit status that goes with it.
struct Failure: Error {
    /// What could not be done is the status 1; sysexits.h names the others.
    static let general: Int32 = 1
    /// Another process has the outbox.
    static let inUse: Int32 = 75
    /// The configuration is wrong.
    static let configuration: Int32 = 78

    var message: String
    var status: Int32 = Failure.general
}

extension ScanOutbox {
    /// Says what went wrong and ends the program.
    static func end(with error: any Error) -> Never {
        switch error {
        case let failure as Failure: end(failure.message, failure.status)
        case let error as OutboxError: end(error.description, error.code == .inUse ? Failure.inUse : Failure.general)
        case let error as ConfigurationError: end(error.description, Failure.configuration)
        default: ScanOutbox.exit(withError: error)
        }
    }

    private static func end(_ message: String, _ status: Int32) -> Never {
        for line in message.split(separator: "\n") { say(String(line)) }
        Glibc.exit(status)
    }

    /// Writes a line to standard error, under the program's name.
    static func say(_ line: String) {
        let bytes = Array("scan-outbox: \(line)\n".utf8)
        // Whoever has closed standard error does not want to hear of it.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
