import BarcodeCore
import BridgeDialects
import Logging
import ScanEvents
import ScanOutbox
import StationDevices
import Testing

@testable import StationServer

/// The answers of requests that outlive the station.
@Suite struct RequestCoordinatorTests {
    /// The symbols of a picture that were of other kinds than the page asked for answer nothing after a restart either.
    @Test func aPicturesOtherKindsAnswerNothingAfterARestart() async throws {
        let box = try TestScanService()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let owner = RequestRegistry.Owner.origin("http://oa.example")
        let bridge = try BridgeRequest(
            dialect: .promise, id: "request1", message: ["source": "album", "formats": ["qr_code"]])
        func open() async throws -> RequestRegistry.Entry {
            let coordinator = RequestCoordinator(
                scanService: box.scanService,
                camera: StationCamera(source: .none, onReading: { _ in }, logger: logger), now: { .zero })
            defer { coordinator.close() }
            return try await coordinator.open(bridge, owner: owner, session: "s")
        }
        func store(_ symbology: Symbology, _ text: String, for entry: RequestRegistry.Entry) async throws {
            let symbol = ScannedSymbol(symbology: symbology, text: text, bytes: Array(text.utf8))
            let source = ScanSource(kind: .upload, details: ScanService.details(of: entry))
            _ = try await box.scanService.store(
                [ScanSubmission(symbols: [symbol], source: source)], request: entry.id)
        }
        let entry = try await open()
        try await store(.code128, "other", for: entry)
        #expect(try await open().state == .open)
        try await store(.qrCode, "wanted", for: entry)
        guard case .answered(.symbols(let symbols)) = try await open().state else {
            Issue.record("not answered")
            return
        }
        #expect(symbols.map(\.text) == ["wanted"])
    }
}
