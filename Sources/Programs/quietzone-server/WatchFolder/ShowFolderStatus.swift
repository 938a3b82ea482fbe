import ArgumentParser
import BarcodeCore
import DecodeReports
import DecodeWorkers
import Delivery
import DropFolder
import Glibc
import ProgramSupport
import ScanOutbox

/// `watch-folder status`: shows the status of a running watcher.
struct ShowFolderStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the status of a watched folder.")

    @Argument(help: "The folder.", completion: .directory)
    var inbox: String

    @OptionGroup var common: OutboxOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        let folder = try WatchedFolderPath(inbox)
        let configuration = try await common.load(
            "watch-folder", databaseName: folder.databaseName, keys: FolderKeys.keys,
            collections: FolderKeys.collections
        ) { _ in }.0
        guard let report = StatusSocket.ask(database: configuration.database) else {
            throw Failure(
                message: "no watcher runs for \(folder.name.display) with the outbox \(configuration.database); "
                    + "give the same --config and --database as the watcher")
        }
        if json { return try Output.write(try JSONLine.encode(report)) }
        try Output.write(Self.lines(report).map { $0 + "\n" }.joined())
    }

    /// The report as text for people.
    static func lines(_ report: WatchReport) -> [String] {
        let files = report.files
        var rows = [
            ("folder", report.folder), ("process", "\(report.process)"), ("noticing", files.watching),
            ("waiting", "\(files.waiting)"), ("in flight", "\(files.inFlight)"),
            ("done", "\(files.done), \(files.codes.counted("code"))"), ("no code", "\(files.noCode)"),
            ("failed", "\(files.failed)"), ("duplicates", "\(files.duplicates)"),
            ("to be moved", "\(files.movesPending)" + (files.moveError.map { ", \($0)" } ?? "")),
        ]
        if let oldest = files.oldestWaitingSeconds { rows[3].1 += ", the oldest for \(Int(oldest)) s" }
        if files.nonRegularFiles > 0 {
            rows.append(("passed over", "\(files.nonRegularFiles.counted("entry", "entries")), not regular files"))
        }
        if let error = files.lastError { rows.append(("last error", error)) }
        for (name, counts) in report.destinations.sorted(by: { $0.key < $1.key }) {
            var text = "\(counts.delivered) delivered, \(counts.pending) pending"
            if counts.dead > 0 { text += ", \(counts.dead) given up" }
            if counts.disabled > 0 { text += ", \(counts.disabled) disabled" }
            rows.append(("to \(name)", text))
        }
        let width = rows.map(\.0.printable.count).max() ?? 0
        return rows.map { name, text in
            name.printable + String(repeating: " ", count: max(0, width - name.printable.count) + 2) + text.printable
        }
    }
}
