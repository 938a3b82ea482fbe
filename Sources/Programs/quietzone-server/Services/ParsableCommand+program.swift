import ArgumentParser
import Glibc
import ProgramSupport

extension ParsableCommand {
    /// Makes the standard streams safe to use.
    ///
    /// Every program must call this first.
    ///
    /// Unlike ``runProgram()`` it does not suspend. The first suspension creates the threads of the runtime, whose
    /// descriptors would take the numbers of closed streams.
    static func prepareStreams() {
        StandardStreams.reserve()
        // A closed pipe causes an error where it is written to.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Runs the program with this root command, from its arguments to its exit status.
    ///
    /// - Parameter arguments: the arguments without the program's name; `nil` for those of this process.
    static func runProgram(_ arguments: [String]? = nil) async {
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }
}
