import BarcodeCore
import FoundationEssentials
import Logging
import ScanEvents
import ScanOutbox
import SymbolContent

@testable import StationServer

/// A temporary folder that is deleted with this object.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = "/tmp/quietzone-bridge-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(_ name: String) -> String { "\(path)/\(name)" }

    func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: self[name]))
        return self[name]
    }
}

/// A scan service with an outbox in a folder of its own.
struct TestScanService {
    let folder: TestFolder
    let outbox: Outbox
    let scanService: ScanService

    init(policy: DeduplicationPolicy = .none, signingKeys: SigningKeys? = nil) throws {
        folder = try TestFolder()
        outbox = try Outbox(path: folder["outbox.sqlite"])
        scanService = try ScanService(
            outbox: outbox, station: "test", destinations: [], policy: policy, signingKeys: signingKeys,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Stores symbols with these texts, each in a transaction of its own.
    func store(_ texts: [String]) async throws -> [EventID] {
        var ids: [EventID] = []
        for text in texts {
            let symbol = ScannedSymbol(symbology: .qrCode, text: text, bytes: Array(text.utf8))
            let submission = ScanSubmission(symbols: [symbol], source: ScanSource(kind: .upload))
            ids += try await scanService.store([submission], request: nil).map(\.id)
        }
        return ids
    }
}
