public import ArgumentParser
internal import BarcodeCore
internal import Delivery
internal import Glibc
internal import ProgramSupport
public import ScanOutbox

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
    /// Events are pending that a later run tries again.
    public static let pending: Int32 = 3
    /// Events were given up, or their destination is disabled: somebody has to look.
    public static let undelivered: Int32 = 4
    /// Nobody reads standard output any more: as shells show a program that a closed pipe ended.
    public static let closedOutput: Int32 = 141

    /// Nobody reads standard output any more.
    public static let outputClosed = Failure(
        message: "standard output was closed by its reader", status: closedOutput)

    /// The sentence.
    public var message: String
    /// The exit status.
    public var status: Int32

    /// What is said at the end where rows of the outbox were left out; nil where none was.
    ///
    /// - Parameter isNamed: whether the first rows are named here, because no log has named them.
    public init?(damageOf outbox: Outbox, isNamed: Bool = false) {
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
        default:
            if exitCode(for: error) == .validationFailure,
                let sentence = unknownCommand(Array(CommandLine.arguments.dropFirst()))
            {
                end(sentence, ExitCode.validationFailure.rawValue)
            }
            endPrintable(with: error)
        }
    }

    /// What is said of a first word that is none of the commands; nil where it is one, or may be an argument.
    static func unknownCommand(_ arguments: [String]) -> String? {
        let names = configuration.subcommands.map { $0._commandName }
        guard let word = arguments.first, !word.hasPrefix("-"), !names.isEmpty, !names.contains(word), word != "help"
        else { return nil }
        let nearest = names.map { (name: $0, distance: Spelling.distance(word, $0)) }
            .min { $0.distance < $1.distance }
            .flatMap { $0.distance <= 2 && $0.distance < word.count ? $0.name : nil }
        let sentence = "there is no command \"\(word)\""
        if let nearest { return sentence + "; did you mean \"\(nearest)\"?" }
        // Another word is an argument of the command that may be left out.
        return configuration.defaultSubcommand == nil
            ? sentence + "; the commands are \(names.joined(separator: ", "))" : nil
    }

    private static func end(_ message: String, _ status: Int32) -> Never {
        for line in message.split(separator: "\n") { say(String(line)) }
        Glibc.exit(status)
    }

    /// Writes a line to standard error, under the program's name.
    public static func say(_ line: String) {
        ErrorStream().write("\(configuration.commandName ?? "quietzone"): \(line.printable)\n")
    }
}
