import ArgumentParser
import BarcodeCore
import Delivery
import FoundationEssentials
import ProgramSupport
import ScanEvents
import ScanOutbox

/// `scan-outbox send-test`: sends a test event to destinations.
struct SendTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-test",
        abstract: "Send a test event to a destination, or to all, and show the answer.",
        discussion:
            "It is sent once, regardless of filters. The outbox does not store it, but a file, a table or a broker "
            + "does."
    )

    @OptionGroup var common: OutboxOptions

    @Argument(help: "The destination's name; all without one.")
    var name: String?

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        let clients = SharedClients(commands: StationCommands())
        let sinks = try configuration.makeSinks(clients).filter { name == nil || $0.0.name == name }
        if sinks.isEmpty {
            throw Failure(
                message: name.map { "the configuration has no destination \($0)" } ?? "no destination is configured",
                status: Failure.configuration)
        }
        let event = ScanEvent(
            station: configuration.station, source: ScanSource(kind: .device, name: "scan-outbox send-test"),
            symbol: ScannedSymbol(symbology: .qrCode, text: "Quietzone test", bytes: Array("Quietzone test".utf8)))
        var failed = false
        for (destination, sink) in sinks {
            let outcome = await sink.deliver(try OutgoingMessage(event, to: destination))
            await sink.close()
            let status = outcome.status.map { ", status \($0)" } ?? ""
            ScanOutboxProgram.say(
                outcome.kind == .delivered
                    ? "\(destination.name): delivered\(status)"
                    // The reason includes the status.
                    : "\(destination.name): not delivered: \(outcome.reason ?? "unknown reason")")
            failed = failed || outcome.kind != .delivered
        }
        await clients.close()
        if failed { throw ExitCode(Failure.general) }
    }
}

/// `scan-outbox verify`: checks the whole outbox.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the whole outbox: the database, and that each event can be read.")

    @OptionGroup var common: OutboxOptions

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        let outbox = try await common.open(configuration)
        let faults = try await outbox.verify()
        for fault in faults { try Output.write(fault + "\n") }
        if !faults.isEmpty {
            throw Failure(
                message: "the outbox \(configuration.database) is damaged; see \"A damaged file\" in "
                    + "docs/how-to/deliver.md")
        }
        try Output.write("in order: \(try await outbox.status().events.counted("event"))\n")
    }
}
