import ArgumentParser
import Delivery
import Logging
import ProgramSupport
import ScanDevices
import ServiceLifecycle
import StationDevices

/// `scan-devices watch`: prints the scans of devices.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what the configured devices read, one JSON object per line, and store nothing.")

    @OptionGroup var common: OutboxOptions

    @Option(help: "Log level: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.warning

    @OptionGroup var simulation: SimulationOptions

    func run() async throws {
        let (_, devices) = try await DeviceSettings.load(common, simulation, readsDestinations: false)
        var logger = Logger(label: "scan-devices") { PrintableLog(label: $0) }
        logger.logLevel = logLevel
        let reader = DeviceReader(devices.source, logger: logger) { event in
            // The reader of the lines determines their rate.
            try await Output.writeLine(try DeviceLine(event).line())
        }
        let group = ServiceGroupConfiguration(
            services: [.init(service: reader, successTerminationBehavior: .gracefullyShutdownGroup)], logger: logger)
        try await group.runToEnd(writesOutput: true)
    }
}

/// The option for a file to play back instead of devices.
struct SimulationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Play a file of JSON lines instead of devices; see docs/how-to/devices.md.", valueName: "file"))
    var simulate: String?
}

/// Loads the configuration of this program.
enum DeviceSettings {
    /// Loads the configuration and its devices, at least one.
    ///
    /// - Parameter readsDestinations: `false` for a command that delivers nothing.
    static func load(
        _ common: OutboxOptions, _ simulation: SimulationOptions, readsDestinations: Bool = true
    ) async throws -> (DeliveryConfiguration, DeviceSelection) {
        let (configuration, devices) = try await common.load(
            "scan-devices", databaseName: "devices.sqlite", collections: DeviceKeys.collections,
            readsDestinations: readsDestinations, own: DeviceKeys.read)
        let selection: DeviceSelection
        do throws(DeviceSelection.FileError) {
            selection = try DeviceSelection(devices, simulation: simulation.simulate)
        } catch {
            throw Failure(message: error.description, status: Failure.configuration)
        }
        if selection.devices.isEmpty {
            throw Failure(
                message: "no device is configured: add one under `devices:`; `scan-devices list` shows what is "
                    + "connected, and docs/how-to/devices.md has an example", status: Failure.configuration)
        }
        return (configuration, selection)
    }
}
