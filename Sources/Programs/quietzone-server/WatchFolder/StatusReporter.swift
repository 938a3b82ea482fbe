import DropFolder
import Glibc
import ProgramSupport
import ServiceLifecycle

/// Reports the status on one line of a terminal, and to the service manager.
struct StatusReporter: Service {
    let drop: DropFolder
    let manager: ServiceNotifier
    let isTerminal = isatty(STDERR_FILENO) == 1

    func run() async throws {
        guard isTerminal || manager.isHeard else { return }
        await cancelWhenGracefulShutdown {
            var last = ""
            while (try? await Task.sleep(for: .milliseconds(500))) != nil {
                let status = drop.status
                let line = Self.line(status)
                if isTerminal { StatusLine.show(line) }
                if line != last { manager.status(line) }
                last = line
                if !status.isRunning { break }
            }
        }
        if isTerminal { StatusLine.clear() }
        manager.stopping()
    }

    /// The counts as one line.
    static func line(_ status: FolderStatus) -> String {
        var line =
            "\(status.waiting) waiting, \(status.inFlight) in flight, \(status.done) done, \(status.codes.counted("code"))"
        if status.noCode > 0 { line += ", \(status.noCode) without a code" }
        if status.failed > 0 { line += ", \(status.failed) failed" }
        if status.movesPending > 0 { line += ", \(status.movesPending) to be moved" }
        return line
    }
}
