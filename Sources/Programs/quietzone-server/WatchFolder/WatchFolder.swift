import ArgumentParser
import BarcodeCore
import ProgramSupport

/// `watch-folder`: watches a folder, shows its status, and runs its own workers.
struct WatchFolder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch-folder",
        abstract: "Read the codes in every picture that arrives in a folder, and move the picture.",
        discussion: """
            watch-folder inbox                     prints each code as JSON, moves files
            watch-folder inbox --once              reads the current files, then exits
            watch-folder inbox --config ward.yaml  delivers to the destinations in the file
            watch-folder status inbox              the status of a running watcher

            Files go to done/, no-code/ and failed/ in the folder, by date. Without --config the file \
            $XDG_CONFIG_HOME/quietzone/watch-folder.yaml is used if it exists. See docs/reference/watch-folder.md.
            """,
        version: "watch-folder \(Quietzone.version)",
        subcommands: [RunWatchFolder.self, ShowFolderStatus.self],
        defaultSubcommand: RunWatchFolder.self)

    /// Prepares the process before anything suspends, see ``prepareStreams()``.
    static func prepare() {
        WorkerMode.runIfAsked(Array(CommandLine.arguments.dropFirst()))
        prepareStreams()
        DescriptorLimit.raise()
    }
}
