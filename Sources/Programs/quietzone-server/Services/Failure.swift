import ArgumentParser
import BarcodeCore
import Delivery
import Glibc
import ProgramSupport
import ScanOutbox

/// An error message for the user, with its exit status.
struct Failure: Error {
    /// A general failure, status 1; the other values are from sysexits.h where it has one.
    static let general: Int32 = 1
    /// A required folder or file does not exist.
    static let noInput: Int32 = 66
    /// Another process has the outbox open.
    static let inUse: Int32 = 75
    /// The configuration is invalid.
    static let configuration: Int32 = 78
    /// Events are pending, and a later run will retry them.
    static let pending: Int32 = 3
    /// Events were given up or their destination is disabled: an operator must look.
    static let undelivered: Int32 = 4
    /// Standard output was closed by its reader; shells show the same status for a program that SIGPIPE ended.
    static let closedOutput: Int32 = 141

    /// Standard output was closed by its reader.
    static let outputClosed = Failure(
        message: "standard output was closed by its reader", status: closedOutput)

    /// The message.
    var message: String
    /// The exit status.
    var status: Int32

    /// The failure to report at the end if damaged rows of the outbox were skipped; `nil` if there were none.
    ///
    /// - Parameter isNamed: true to name the first rows here, because no log has named them.
    init?(damageOf outbox: Outbox, isNamed: Bool = false) {
        let rows = outbox.damagedRows
        if rows.isEmpty { return nil }
        let maximumLines = 20
        var lines = isNamed ? rows.prefix(maximumLines).map(\.description) : []
        if isNamed && rows.count > maximumLines { lines.append("and \(rows.count - maximumLines) more") }
        lines.append(
            "the outbox \(outbox.path) is damaged: \(rows.count) row\(rows.count == 1 ? " was" : "s were") skipped; see "
                + "\"A damaged file\" in docs/how-to/deliver.md")
        self.init(message: lines.joined(separator: "\n"))
    }

    /// Creates a failure, by default with status 1.
    init(message: String, status: Int32 = Failure.general) {
        self.message = message
        self.status = status
    }
}

extension ParsableCommand {
    /// Reports an error on standard error and ends the program.
    static func end(with error: any Error) -> Never {
        switch error {
        case let failure as Failure: end(failure.message, failure.status)
        case let error as OutboxError: end(error.description, error.code == .inUse ? Failure.inUse : Failure.general)
        case let error as ConfigurationError:
            // Without a free descriptor its files cannot be read: they may be right, and a restart may help.
            if let shortage = DescriptorLimit.shortage(of: 1) { end("\(error)\n\(shortage)", Failure.general) }
            end(error.description, Failure.configuration)
        default:
            if exitCode(for: error) == .validationFailure,
                let sentence = unknownCommand(Array(CommandLine.arguments.dropFirst()))
            {
                end(sentence, ExitCode.validationFailure.rawValue)
            }
            endPrintable(with: error)
        }
    }

    /// The message about an unknown command; `nil` if the first word is a command or may be an argument.
    static func unknownCommand(_ arguments: [String]) -> String? {
        let names = configuration.subcommands.map { $0._commandName }
        guard let word = arguments.first, !word.hasPrefix("-"), !names.isEmpty, !names.contains(word), word != "help"
        else { return nil }
        let nearest = names.map { (name: $0, distance: Spelling.distance(word, $0)) }
            .min { $0.distance < $1.distance }
            .flatMap { $0.distance <= 2 && $0.distance < word.count ? $0.name : nil }
        let sentence = "there is no command \"\(word)\""
        if let nearest { return sentence + "; did you mean \"\(nearest)\"?" }
        // Any other word is an argument of the default command.
        return configuration.defaultSubcommand == nil
            ? sentence + "; the commands are \(names.joined(separator: ", "))" : nil
    }

    private static func end(_ message: String, _ status: Int32) -> Never {
        for line in message.split(separator: "\n") { say(String(line)) }
        Glibc.exit(status)
    }

    /// Writes a line to standard error, under the program's name.
    static func say(_ line: String) {
        ErrorStream().write("\(configuration.commandName ?? "quietzone"): \(line.printable)\n")
    }
}
