public import ArgumentParser
import BarcodeCore
import DecodeReports
import Delivery
public import DropFolder
import Glibc
import Logging
import ProgramSupport
import ScanEvents
import ScanOutbox

extension AfterPolicy: ExpressibleByArgument {}
extension DuplicatePolicy: ExpressibleByArgument {}
extension WatchMode: ExpressibleByArgument {}

/// The options for watching a folder.
struct WatchOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of pictures to read at the same time. (default: the number of processors)", valueName: "number"),
        transform: NumberArgument.whole(1...256))
    var jobs: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long a file must be unchanged before it is read. (default: 0.5)", valueName: "seconds"),
        transform: NumberArgument.decimal(0...86_400))
    var settle: Double?

    @Option(help: "How to notice changes: auto, inotify or poll. (default: auto)")
    var watch: WatchMode?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Polling interval when inotify is unavailable. (default: 2)", valueName: "seconds"),
        transform: NumberArgument.decimal(0.05...86_400))
    var poll: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Rescan the whole folder this often even with inotify. (default: 300)", valueName: "seconds"),
        transform: NumberArgument.decimal(0.1...86_400))
    var rescan: Double?

    @Option(
        help: ArgumentHelp(
            "The folder for done/, no-code/ and failed/. (default: the watched folder)", valueName: "folder"))
    var to: String?

    @Option(help: "What to do with a file after it was read: move, leave or delete. (default: move)")
    var after: AfterPolicy?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Remove subfolders that stay empty this long after their last file was moved. (default: never)",
            valueName: "seconds"),
        transform: NumberArgument.decimal(0...86_400))
    var removeEmpty: Double?

    @Flag(help: "Write the result next to each file that was read, as NAME.json.")
    var sidecar = false

    @Option(help: "What to do with a file whose content was read before: again or skip. (default: again)")
    var duplicates: DuplicatePolicy?

    @Flag(help: "Process the current files, then exit.")
    var once = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Time limit for one picture. (default: 30)", valueName: "seconds"),
        transform: NumberArgument.decimal(0.1...86_400))
    var timeout: Double?

    @Option(help: "How thoroughly to search a picture: fast, normal or thorough. (default: normal)")
    var effort: DecodeOptions.Effort?

    @OptionGroup var formats: SymbologyOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Largest picture, in megapixels. (default: 200)", valueName: "number"),
        transform: NumberArgument.decimal(0.001...4_000))
    var maxMegapixels = 200.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Largest file, in megabytes. (default: 256)", valueName: "number"),
        transform: NumberArgument.decimal(0.001...100_000))
    var maxFileMegabytes = 256.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Memory limit of a worker, in MiB. (default: 2048)", valueName: "number"),
        transform: NumberArgument.whole(16...1_000_000))
    var workerMegabytes = 2048

    @Option(help: "Log level: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.info

    /// Loads the configuration, overridden by the options.
    func load(
        _ common: OutboxOptions, inbox: WatchedFolderPath
    ) async throws -> (DeliveryConfiguration, DropFolderSettings, timeout: Duration) {
        var (configuration, (settings, configuredTimeout)) = try await common.load(
            "watch-folder", databaseName: inbox.databaseName, keys: FolderKeys.keys,
            collections: FolderKeys.collections
        ) { values in
            var read = FolderKeys.read(&values, folder: inbox.path)
            if values.text("folder.jobs") == nil { read.settings.jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
            return read
        }
        // A first run needs only a folder.
        if configuration.routes.isEmpty {
            var destination = Destination(name: "stdout")
            destination.form = .event
            configuration.routes = [.standardOutput(destination)]
        }
        if let settle { settings.settle = .microseconds(Int64(settle * 1_000_000)) }
        if let poll { settings.poll = .microseconds(Int64(poll * 1_000_000)) }
        if let rescan { settings.rescan = .microseconds(Int64(rescan * 1_000_000)) }
        if let removeEmpty { settings.removeEmpty = .microseconds(Int64(removeEmpty * 1_000_000)) }
        settings.name = inbox.name.bytes
        if let watch { settings.watch = watch }
        if let after { settings.after = after }
        if let duplicates { settings.duplicates = duplicates }
        if sidecar { settings.writesSidecars = true }
        if let to = to ?? settings.destination.map({ String(decoding: $0, as: UTF8.self) }) {
            settings.destination = try WatchedFolderPath(to, isWatched: false).path
        }
        settings.once = once
        if let jobs { settings.jobs = jobs }
        if let effort { settings.decoding.effort = effort }
        if let symbologies = formats.symbologies { settings.decoding.symbologies = symbologies }
        settings.limits.maximumPixels = Int(maxMegapixels * 1e6)
        settings.limits.maximumFileBytes = Int(maxFileMegabytes * 1048576)
        let seconds = timeout ?? configuredTimeout ?? 30
        return (configuration, settings, .milliseconds(Int64(seconds * 1000)))
    }
}
