internal import Glibc
package import Subprocess

/// A command of the user's and all that it has started: a process group of its own, which is ended as a whole.
package enum CommandGroup {
    /// How long what is told to end may take for it before it is killed.
    private static let grace: Duration = .seconds(2)

    /// What a command is started with: when its task is cancelled, the group gets SIGTERM, and after the grace SIGKILL.
    package static var options: PlatformOptions {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [.send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: grace)]
        return options
    }

    /// To be called with the command when it has ended: kills what it has started and left behind, where its task was
    /// cancelled.
    ///
    /// The head of the group may have ended when it was told to, and others of the group not. Of a command that ended by
    /// itself they are left alone.
    package static func endRest(of command: ProcessIdentifier) {
        if Task.isCancelled { kill(-command.value, SIGKILL) }
    }
}
