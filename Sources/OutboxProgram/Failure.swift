public import ArgumentParser
internal import BarcodeCore
internal import CommandErrors
internal import Glibc
internal import ResultDispatch

/// A sentence for the user, and the exit status that goes with it.
public struct Failure: Error {
    /// What could not be done is the status 1; sysexits.h names the others.
    public static let general: Int32 = 1
    /// A folder or a file that must be there is not.
    public static let noInput: Int32 = 66
    /// Another process has the outbox.
    public static let inUse: Int32 = 75
    /// The configuration is wrong.
    public static let configuration: Int32 = 78

    /// The sentence.
    public var message: String
    /// The exit status.
    public var status: Int32

    /// A sentence; the status is 1 unless said otherwise.
    public init(message: String, status: Int32 = Failure.general) {
        self.message = message
        self.status = status
    }
}

extension ParsableCommand {
    /// Says what went wrong on standard error and ends the program.
    public static func end(with error: any Error) -> Never {
        switch error {
        case let failure as Failure: end(failure.message, failure.status)
        case let error as OutboxError: end(error.description, error.code == .inUse ? Failure.inUse : Failure.general)
        case let error as ConfigurationError: end(error.description, Failure.configuration)
        default: endPrintable(with: error)
        }
    }

    private static func end(_ message: String, _ status: Int32) -> Never {
        for line in message.split(separator: "\n") { say(String(line)) }
        Glibc.exit(status)
    }

    /// Writes a line to standard error, under the program's name.
    public static func say(_ line: String) {
        let bytes = Array("\(configuration.commandName ?? "quietzone"): \(line.printable)\n".utf8)
        // Whoever has closed standard error does not want to hear of it.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
