internal import FoundationEssentials
internal import Subprocess
internal import SystemPackage

/// Runs a command for each event, with the body on its standard input; the exit status 0 is success.
///
/// The command gets the event's identifier in `WEBHOOK_ID`. It is started directly, without a shell.
public struct CommandSink: Sink {
    private let command: [String]
    private let timeout: Duration

    /// A command: the program, a path or a name in `PATH`, and its arguments.
    public init(command: [String], timeout: Duration = Destination.standardTimeout) {
        self.command = command
        self.timeout = timeout
    }

    /// Runs the command once; it is killed when it takes longer than it may.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        guard let program = command.first else { return .failed("no command is configured") }
        let arguments = Array(command.dropFirst())
        let outcome = await withTimeout(timeout) { () -> DeliveryOutcome in
            do {
                // What it prints is not ours to print; what it says on its standard error goes where ours goes.
                let result = try await run(
                    program.contains("/") ? .path(FilePath(program)) : .name(program), arguments: Arguments(arguments),
                    environment: .inherit.updating(["WEBHOOK_ID": message.id]),
                    input: .array([UInt8](message.body)), output: .discarded, error: .currentStandardError)
                switch result.terminationStatus {
                case .exited(0): return .delivered(status: 0)
                case .exited(let status): return .failed("the command ended with status \(status)", status: Int(status))
                case .signaled(let signal): return .failed("the command was ended by signal \(signal)")
                }
            } catch {
                return .failed("the command \(program) could not be run: \(error)")
            }
        }
        return outcome ?? .failed("the command took longer than \(timeout)")
    }
}
