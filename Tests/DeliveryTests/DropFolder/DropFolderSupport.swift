import BarcodeCore
import DecodeReports
import DecodeWorkers
import Foundation
import Logging
import ScanEvents
import Synchronization

@testable import DropFolder
@testable import ScanOutbox

/// A temporary folder that is deleted with this object.
final class DropTestFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quietzone-drop-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let resolved = realpath(folder.path, nil) else { throw CocoaError(.fileNoSuchFile) }
        defer { free(resolved) }
        path = String(cString: resolved)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var bytes: [UInt8] { Array(path.utf8) }

    func handle() throws -> FolderHandle { try FolderHandle(path: bytes) }

    /// Writes a file, and creates its folders.
    func write(_ name: String, _ text: String) throws {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }

    func data(_ name: String) -> Data? { FileManager.default.contents(atPath: path + "/" + name) }

    /// Returns the files below a folder, relative to this one, sorted.
    func files(_ below: String = "") -> [String] {
        let all = FileManager.default.enumerator(atPath: path + "/" + below)?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            var isFolder: ObjCBool = false
            let whole = path + "/" + below + (below.isEmpty ? "" : "/") + name
            return FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    func identity(_ name: String) throws -> FileIdentity {
        let path = RelativePath(name)
        guard let identity = try handle().folder(path.folder).identity(of: path.name) else {
            throw CocoaError(.fileReadUnknown)
        }
        return identity
    }

    /// Returns a journal row for a file, as if it had been decoded.
    func record(
        _ name: String, _ outcome: FileOutcome = .done, note: String? = nil, time: Date = Date(timeIntervalSince1970: 0)
    ) throws -> FileRecord {
        let identity = try identity(name)
        let hash = try WatchedFile(handle(), RelativePath(name)).hash(until: StopFlag())
        return FileRecord(
            folder: bytes, path: Array(name.utf8), hash: hash, identity: identity, time: time, outcome: outcome,
            note: note.map { Data($0.utf8) })
    }
}

extension FileIdentity {
    /// Returns the identity of a file after `number` changes.
    static func version(_ number: Int64) -> FileIdentity {
        FileIdentity(device: 1, inode: 2, size: 100 + number, modified: number)
    }
}

let silentLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Replaces the workers: the content of a file determines its report.
///
/// `document A nothing B` has three pages, two with a code. `code A` has the code A, `nothing` has none. `crash`,
/// `hang` and `refused` fail as their names say.
final class FakeReader: Sendable {
    private let asked = Mutex<[String]>([])

    /// The names of the decoded files, in order.
    var readings: [String] { asked.withLock { $0 } }

    func decode(_ request: WorkerRequest) -> DecodeReport {
        asked.withLock { $0.append(request.name.display) }
        var report = DecodeReport(source: request.name)
        report.width = 10
        report.height = 10
        let data = FileManager.default.contents(atPath: request.path.display) ?? Data()
        let words = String(decoding: data, as: UTF8.self).split(separator: " ").map(String.init)
        switch words.first {
        case "code":
            report.symbols = [Self.symbol(words[1])]
        case "document":
            // Each word describes a page: a code, or a failure.
            let pages = words.dropFirst()
            (report.page, report.pages) = (request.page.number, pages.count)
            let word = words[request.page.number]
            if word == "refused" { report.error = DecodeError(.tooLarge, "is too large") }
            if word == "crash" { report.error = DecodeError(.readerCrashed, "crashed") }
            if report.error == nil, word != "nothing" { report.symbols = [Self.symbol(word)] }
        case "crash": report.error = DecodeError(.readerCrashed, "crashed")
        case "hang": report.error = DecodeError(.timedOut, "took too long")
        case "refused": report.error = DecodeError(.unsupportedFormat, "is no picture")
        default: break
        }
        return report
    }

    private static func symbol(_ text: String) -> Symbol {
        let corner = Point(x: 1, y: 1)
        return Symbol(
            symbology: .qrCode, symbologyIdentifier: "]Q1", bytes: Array(text.utf8), text: text,
            charset: Charset(name: "UTF-8", source: .init(rawValue: "declared")), addOn: nil,
            corners: Quadrilateral(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner),
            orientation: nil, isInverted: false, structuredAppend: nil)
    }
}

/// A watcher that makes one pass, with an outbox.
struct SinglePass {
    let inbox: DropTestFolder
    let outbox: Outbox
    let reader = FakeReader()
    var settings: DropFolderSettings

    init(_ inbox: DropTestFolder, database: DropTestFolder) throws {
        self.inbox = inbox
        outbox = try Outbox(path: database.path + "/outbox.sqlite")
        settings = DropFolderSettings(folder: inbox.bytes)
        settings.once = true
        settings.settle = .zero
        settings.watch = .poll
        settings.jobs = 2
    }

    /// The processor for a single file of the folder.
    var processor: FileProcessor {
        FileProcessor(
            settings: settings, intake: ScanIntake(outbox: outbox, station: "test", destinations: []),
            journal: journal,
            archiver: FileArchiver(destination: settings.folder, noteTarget: { _, _ in }),
            decode: { [reader] in reader.decode($0) }, logger: silentLogger)
    }

    /// Runs to completion and returns the counts.
    @discardableResult
    func run(ready: @escaping @Sendable () -> Void = {}) async throws -> FolderStatus {
        let intake = ScanIntake(outbox: outbox, station: "test", destinations: [])
        let reader = reader
        let drop = DropFolder(
            settings, intake: intake, outbox: outbox, logger: silentLogger, health: HealthReporter(ready: ready)
        ) { reader.decode($0) }
        try await drop.run()
        return drop.status
    }

    /// The journal of the outbox.
    var journal: FileJournal { FileJournal(outbox) }

    /// Adds a journal row without events, as if the file had been decoded.
    func enter(_ record: FileRecord) async throws {
        try await journal.prepare()
        _ = try await journal.enter(record, [])
    }

    /// Returns the texts of the events, sorted.
    func texts() async throws -> [String] {
        try await outbox.history(HistoryQuery(limit: 1000)).map(\.event.symbol.text).sorted()
    }
}

extension FileJournal {
    /// Adds a file and its events in a transaction of their own.
    func enter(
        _ record: FileRecord, _ entries: [OutboxEntry], duplicates: DuplicatePolicy = .again, isUnread: Bool = false
    ) async throws -> FileReceipt {
        try await outbox.change { try enter(record, entries, duplicates: duplicates, isUnread: isUnread, in: &$0) }
    }
}
