import BarcodeDecoding
import BridgeDialects
import DecodeWorkers
import Delivery
import FrameDecoding
import Logging
import ScanEvents
import ScanOutbox
import SymbolContent
import SystemPackage

/// The examples in doc comments of public types.
enum DocComments {
    static func barcodeDecoder(path: String) throws {
        for symbol in try BarcodeDecoder().decode(contentsOf: path) {
            print(symbol.symbology, symbol.text)
        }
    }

    static func joinedMessages(pages: [LumaImage]) throws {
        let symbols = try pages.flatMap { try BarcodeDecoder().decode($0) }
        for message in JoinedMessage.join(symbols) {
            print(message.text ?? "parts \(message.missing) of a message are missing")
        }
    }

    static func workerPool() async {
        let pool = WorkerPool(
            settings: WorkerPool.Settings(executable: "/usr/bin/decode-image", arguments: ["--worker"], workers: 2),
            logger: Logger(label: "decoding"))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            let report = await pool.decode(WorkerRequest(path: PictureName("upload.jpg")))
            print(report.symbols.map(\.text))
            pool.finish()
        }
    }

    static func message() throws {
        let message = try GS1Message.parse(bracketed: "(01)09501101530003(10)ABC123")
        print(message["10"] ?? "no batch", try message.link())
    }

    static func content(_ text: String) {
        let message = ContentMessage(
            text: text, bytes: Array(text.utf8), isGS1: false, symbology: "qr_code", currentYear: 2026)
        if let content = SymbolContent.parse(message) {
            for field in content.fields { print(field.label ?? field.name, field.meaning ?? field.value) }
        }
    }

    static func camera() async throws {
        let camera = try Camera(request: CaptureRequest(size: PixelSize(width: 1920, height: 1080)))
        for await frame in camera.frames {
            print(frame.sequence, frame.image.width, frame.image.height)
        }
    }

    static func liveDecoder() async throws {
        let camera = try Camera()
        let decoder = LiveDecoder(FrameDecoder())
        for await frame in camera.frames {
            for symbol in try await decoder.decode(frame).reading.newSymbols { print(symbol.text) }
        }
    }

    static func outbox() throws -> Outbox {
        let outbox = try Outbox(path: "outbox.sqlite")
        return outbox
    }

    static func intake(_ outbox: Outbox, _ submission: ScanSubmission) async throws {
        let intake = ScanIntake(outbox: outbox, station: "ward-3", destinations: [Destination(name: "records")])
        let events = try await intake.accept([submission])
        print(events.count)
    }

    static func service(
        _ outbox: Outbox, _ records: Destination, _ receiver: HTTPReceiver, _ connections: HTTPConnections
    ) async throws {
        let service = DeliveryService(
            outbox: outbox, destinations: [(records, try HTTPCallbackSink(receiver, connections: connections))],
            logger: Logger(label: "delivery"))
        try await service.run()
    }

    static func request(_ message: String, _ symbol: Symbol) throws {
        let request = try BridgeRequest(dialect: .hospital, id: "1", message: Array(message.utf8))
        // Read a code with request.symbologies, for at most request.timeout. Then call the functions of the page:
        for call in request.calls(for: .symbols([BridgeSymbol(symbol)])) { print(call.script) }
    }
}
