internal import Glibc
package import Subprocess
internal import SystemPackage

/// A user's command and all processes that it starts: a process group of its own, which is terminated as a whole.
package enum CommandGroup {
    /// The time between SIGTERM and SIGKILL.
    private static let grace: Duration = .seconds(2)

    /// The options to start a command with: if its task is canceled, the group gets SIGTERM, and SIGKILL after the
    /// grace.
    package static var options: PlatformOptions {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [.send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: grace)]
        return options
    }

    /// The reason why a command could not be started, as a clause.
    package static func reason(for error: any Error, command program: String) -> String {
        let error = error as? SubprocessError
        if error?.code == .executableNotFound { return "there is no program \"\(program)\" that this user can run" }
        let cause = error?.underlyingError.map { ": \($0)" } ?? ""
        return "the command \(program) could not be started\(cause)"
    }

    /// Kills the processes that a command has left behind, if its task was canceled.
    ///
    /// Call it with the command when it has ended.
    ///
    /// The head of the group may have ended on SIGTERM, and others of the group not. If the command ended by
    /// itself, they are left alone.
    package static func endRest(of command: ProcessIdentifier) {
        if Task.isCancelled { kill(-command.value, SIGKILL) }
    }
}
