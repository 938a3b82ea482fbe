import DecodeWorkers
import Delivery
import Logging
import ScanEvents
import ScanOutbox

enum DeliveringEveryScan {
    static func store(_ report: DecodeReport, at path: String) async throws -> (Outbox, [ScanEvent]) {
        let outbox = try Outbox(path: path)
        let records = Destination(name: "records")
        let intake = ScanIntake(outbox: outbox, station: "ward-3", destinations: [records])
        let submission = ScanSubmission(
            report.symbols, image: PixelSize(width: report.width, height: report.height),
            source: ScanSource(kind: .upload, name: report.source))
        let events = try await intake.accept([submission])
        return (outbox, events)
    }

    static func deliver(_ outbox: Outbox, to records: Destination, secret: String) async throws {
        let receiver = try HTTPReceiver(url: "https://receiver.example/scans", secrets: [WebhookSecret(secret)])
        let connections = HTTPConnections()
        let service = DeliveryService(
            outbox: outbox, destinations: [(records, try HTTPCallbackSink(receiver, connections: connections))],
            logger: Logger(label: "delivery"))
        try await service.run()
        await connections.close()
    }

    struct FileSink: Sink {
        let append: @Sendable ([UInt8]) -> Bool

        func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
            append(Array(message.body)) ? .delivered() : .failed("the file could not be written")
        }
    }
}
