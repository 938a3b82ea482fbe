internal import BarcodeCore
internal import FoundationEssentials
internal import Glibc
public import ScanOutbox
internal import Subprocess
internal import SystemPackage

/// Runs a command for each event, with the body on its standard input.
///
/// Exit status 0 is success.
///
/// The command gets the event's identifier in `WEBHOOK_ID`. It is started directly, without a shell.
public struct CommandSink: Sink {
    let command: [String]
    private let timeout: Duration

    /// Creates a sink for a command: the program (a path or a name in `PATH`) and its arguments.
    public init(command: [String], timeout: Duration = Destination.standardTimeout) {
        self.command = command
        self.timeout = timeout
    }

    /// Runs the command once.
    ///
    /// If it exceeds the timeout, it is terminated with all processes that it has started.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        guard let program = command.first else { return .failed("no command is configured") }
        let start: ProcessStart
        do throws(ResourceShortage) { start = try ProcessStart.begin() } catch { return .postponed(error) }
        let arguments = Array(command.dropFirst())
        let outcome = await withTimeout(timeout) { () -> DeliveryOutcome in
            do {
                let input = try Self.file(with: message.body)
                defer { try? input.close() }
                // Its standard output is discarded; its standard error is inherited.
                let result = try await run(
                    program.contains("/") ? .path(FilePath(program)) : .name(program), arguments: Arguments(arguments),
                    environment: .inherit.updating(["WEBHOOK_ID": message.id]), platformOptions: CommandGroup.options,
                    input: .fileDescriptor(input, closeAfterSpawningProcess: false), output: .discarded,
                    error: .currentStandardError
                ) { _ in start.end() }
                CommandGroup.endRest(of: result.processIdentifier)
                switch result.terminationStatus {
                case .exited(0): return .delivered(status: 0)
                case .exited(let status): return .failed("the command ended with status \(status)", status: Int(status))
                case .signaled(let signal): return .failed("the command was killed by signal \(signal)")
                }
            } catch {
                let code = (error as? SubprocessError)?.underlyingError ?? error as? Errno
                if let shortage = code.flatMap({ ResourceShortage(errno: $0.rawValue, startsProcess: true) }) {
                    return .postponed(shortage)
                }
                return .failed(CommandGroup.reason(for: error, command: program))
            }
        }
        return outcome ?? .failed("the command took longer than \(timeout.words)")
    }

    /// A nameless file that holds the bytes, positioned at its beginning.
    ///
    /// A pipe would have to be filled while the command runs, and a command may end successfully without reading
    /// it.
    private static func file(with bytes: Data) throws -> FileDescriptor {
        let folder = FileManager.default.temporaryDirectory.path
        var name = Array("\(folder)/quietzone-event-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        unlink(name)
        let file = FileDescriptor(rawValue: descriptor)
        do {
            // The command gets a copy as its standard input; no other program inherits it.
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw Errno(rawValue: errno) }
            try file.writeAll(bytes)
            try file.seek(offset: 0, from: .start)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }
}

extension DestinationKind {
    /// Runs a program for each event.
    public static let command = DestinationKind(
        name: "command", summary: "runs a program for each event",
        keys: [
            DestinationKey(
                "command",
                "a list of the program and its arguments, started without a shell. It gets the event on standard "
                    + "input and its ID in `WEBHOOK_ID`; exit status 0 is success", form: .list)
        ]
    ) { values in
        let command = values.command("command")
        if command.isEmpty {
            values.report("command", "is missing: the program and its arguments, a list")
            return nil
        }
        return { _, timeout throws(ConfigurationError) in CommandSink(command: command, timeout: timeout) }
    }
}
