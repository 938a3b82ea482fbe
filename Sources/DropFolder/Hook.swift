internal import ResultDispatch
internal import Subprocess
internal import SystemPackage

/// A command of the user's that runs for one file.
struct Hook: Sendable {
    /// The program, a path or a name in `PATH`, and its arguments; the file's path comes behind them.
    var command: [String]
    /// How long it may take.
    var timeout: Duration

    /// Runs the command, without a shell; when it takes longer than it may, it is ended with all that it has started.
    ///
    /// - Parameters:
    ///   - file: the absolute path of the file, the last argument and `QUIETZONE_FILE`.
    ///   - variables: more variables of the environment.
    /// - Returns: what went wrong, a clause for people; nil where it ended with status 0.
    func run(_ file: [UInt8], _ variables: [Environment.Key: String] = [:]) async -> String? {
        guard let program = command.first else { return nil }
        // An argument is bytes with a NUL behind them; a path that is no UTF-8 cannot be handed over as a text.
        let arguments = (command.dropFirst().map { Array($0.utf8) } + [file]).map { $0 + [0] }
        var environment: [Environment.Key: String] = ["QUIETZONE_FILE": String(decoding: file, as: UTF8.self)]
        environment.merge(variables) { $1 }
        return await withTaskGroup(of: String?.self) { [environment] group in
            group.addTask {
                do {
                    let result = try await Subprocess.run(
                        program.contains("/") ? .path(FilePath(program)) : .name(program),
                        arguments: Arguments(arguments),
                        environment: .inherit.updating(environment.mapValues { Optional($0) }),
                        platformOptions: CommandGroup.options, input: .none, output: .discarded,
                        error: .currentStandardError)
                    CommandGroup.endRest(of: result.processIdentifier)
                    switch result.terminationStatus {
                    case .exited(0): return nil
                    case .exited(let status): return "the command \(program) ended with status \(status)"
                    case .signaled(let signal): return "the command \(program) was ended by signal \(signal)"
                    }
                } catch {
                    return "the command \(program) could not be run: \(error)"
                }
            }
            group.addTask { [timeout] in
                do { try await Task.sleep(for: timeout) } catch { return nil }
                return "the command \(program) took longer than \(timeout)"
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
