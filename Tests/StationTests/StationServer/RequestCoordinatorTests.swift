import BarcodeCore
import BridgeDialects
import Dispatch
import Logging
import ScanEvents
import ScanOutbox
import StationDevices
import Synchronization
import TestSupport
import Testing

@testable import StationServer

/// The answers of requests that outlive the station, or whose timeout comes while their code is written.
@Suite struct RequestCoordinatorTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func coordinator(
        _ box: TestScanService, now: @escaping @Sendable () -> Duration = { .zero }
    ) -> RequestCoordinator {
        RequestCoordinator(
            scanService: box.scanService,
            camera: StationCamera(source: .none, onReading: { _ in }, logger: logger), now: now)
    }

    /// The timeout of a request comes while the code that answers it is written.
    @Test(arguments: ["gun", "typed"]) func aTimeoutAmidAnAnswer(_ way: String) async throws {
        let box = try TestScanService()
        let coordinator = Self.coordinator(box)
        defer { coordinator.close() }
        let bridge = try BridgeRequest(dialect: .promise, id: "request1", message: ["source": "album"])
        let entry = try await coordinator.open(bridge, owner: .origin("http://oa.example"), session: "s")
        let gate = DispatchSemaphore(value: 0)
        let isStalled = Atomic(false)
        let stall = Task {
            try await box.outbox.change { _ in
                isStalled.store(true, ordering: .relaxed)
                gate.wait()
                gate.signal()
            }
        }
        #expect(await eventually { isStalled.load(ordering: .relaxed) })
        let answer = Task {
            if way == "gun" {
                let symbol = ScannedSymbol(symbology: .qrCode, text: "a", bytes: [0x61])
                try await coordinator.take(
                    scanned: ScanSubmission(symbols: [symbol], source: ScanSource(kind: .device)))
            } else {
                _ = try await coordinator.answer(entry.id, typed: "a", isGun: false, for: entry.owner)
            }
        }
        #expect(await eventually { coordinator.state.withLock { $0.typed.contains(entry.id) } })
        // As its timer does.
        #expect(coordinator.end(entry.id, .expired) == nil)
        gate.signal()
        try await stall.value
        try await answer.value
        guard
            case .answered(.symbols(let symbols)) = coordinator.state.withLock({
                $0.registry.entry(entry.id, for: .station)?.state
            })
        else {
            Issue.record("not answered")
            return
        }
        #expect(symbols.map(\.text) == ["a"])
    }

    /// A request that several answers hold times out once the last one has released it.
    @Test func severalAnswers() async throws {
        let time = Mutex(Duration.zero)
        let coordinator = Self.coordinator(try TestScanService()) { time.withLock { $0 } }
        defer { coordinator.close() }
        let bridge = try BridgeRequest(dialect: .promise, id: "request1", message: ["source": "album"])
        let entry = try await coordinator.open(bridge, owner: .origin("http://oa.example"), session: "s")
        func state() -> RequestRegistry.State? {
            coordinator.state.withLock { $0.registry.entry(entry.id, for: .station)?.state }
        }
        coordinator.hold(entry)
        coordinator.hold(entry)
        time.withLock { $0 = entry.deadline }
        #expect(coordinator.end(entry.id, .expired) == nil)
        coordinator.release(entry)
        #expect(state() == .open)
        coordinator.release(entry)
        #expect(state() == .expired)
    }

    /// The timeout of a request comes while its code is written, which then fails.
    @Test func aTimeoutAmidAnAnswerThatCannotBeStored() async throws {
        let box = try TestScanService()
        let time = Mutex(Duration.zero)
        let coordinator = Self.coordinator(box) { time.withLock { $0 } }
        defer { coordinator.close() }
        let bridge = try BridgeRequest(dialect: .promise, id: "request1", message: ["source": "album"])
        let entry = try await coordinator.open(bridge, owner: .origin("http://oa.example"), session: "s")
        func state() -> RequestRegistry.State? {
            coordinator.state.withLock { $0.registry.entry(entry.id, for: .station)?.state }
        }
        func take() async throws {
            let symbol = ScannedSymbol(symbology: .qrCode, text: "a", bytes: [0x61])
            try await coordinator.take(
                scanned: ScanSubmission(symbols: [symbol], source: ScanSource(kind: .device)))
        }
        try box.outbox.close()
        await #expect(throws: (any Error).self) { try await take() }
        #expect(state() == .open)
        time.withLock { $0 = entry.deadline }
        await #expect(throws: (any Error).self) { try await take() }
        #expect(state() == .expired)
    }

    /// The symbols of a picture that were of other kinds than the page asked for answer nothing after a restart either.
    @Test func aPicturesOtherKindsAnswerNothingAfterARestart() async throws {
        let box = try TestScanService()
        let owner = RequestRegistry.Owner.origin("http://oa.example")
        let bridge = try BridgeRequest(
            dialect: .promise, id: "request1", message: ["source": "album", "formats": ["qr_code"]])
        func open() async throws -> RequestRegistry.Entry {
            let coordinator = Self.coordinator(box)
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
