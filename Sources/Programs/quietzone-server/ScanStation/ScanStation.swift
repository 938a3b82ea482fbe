import ArgumentParser
import BarcodeCore
import DecodeWorkers
import Delivery
import Glibc
import Logging
import Metrics
import ProgramSupport
import ScanDevices
import ScanOutbox
import ServiceLifecycle
import StationDevices
import StationServer

struct ScanStation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan-station",
        abstract: "Read codes from a camera and from pictures, store and deliver them, and send them to web pages.",
        discussion: """
            The page is at http://127.0.0.1:6079/ and asks for the token. Neither a configuration nor a camera is \
            required. See docs/reference/station.md for the configuration and the access control.
            """,
        version: "scan-station \(Quietzone.version)",
        subcommands: [AppsCommand.self, Doctor.self])

    @OptionGroup var common: OutboxOptions
    @OptionGroup var options: StationOptions
    @OptionGroup var check: CheckOption

    /// Prepares the process before anything suspends, see ``prepareStreams()``.
    static func prepare() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Workers have a low priority, because a person at the page and the camera cannot wait.
        WorkerMode.runIfAsked(arguments, niceness: 5) { (image, _, path) throws(DecodeError) in
            try PagePicture.write(image, to: path)
        }
        prepareStreams()
    }

    /// Loads the configuration, without the command-line options of the station.
    static func load(
        _ common: OutboxOptions
    ) async throws(ConfigurationError) -> (DeliveryConfiguration, StationConfiguration) {
        try await common.load(
            "scan-station", databaseName: "station.sqlite", keys: StationConfiguration.keys,
            collections: DeviceKeys.collections, own: StationConfiguration.init)
    }

    func run() async throws {
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let (configuration, own) = try await Self.load(common)
        let station = try options.applied(to: own, database: configuration.database)
        if check.isWanted { _ = try station.selection() }
        if try await check.run("scan-station", common, configuration) { return }
        var logger = Logger(label: "scan-station") { PrintableLog(label: $0) }
        logger.logLevel = options.logLevel
        // For the outbox, the camera, the page's connections and uploaded images.
        try DescriptorCheck.run(
            needed: 512 + 8 * station.jobs + station.devices.count + configuration.descriptorsNeeded, logger)
        let commands = StationCommands()
        let clients = SharedClients(commands: commands)
        let sinks = try configuration.makeSinks(clients)
        let outbox = try await common.open(configuration, mayCreate: true)
        let parts = try StationParts(
            station, configuration, outbox: outbox, sinks: sinks, clients: clients, metrics: { registry.text() },
            logger: logger)
        try await parts.scanService.resume()
        ProcessLimits.keepFreedMemory()
        do {
            try await ServiceGroup(configuration: parts.group(commands)).run()
        } catch {
            throw StationFiles.listening(error, address: parts.settings.address, port: parts.settings.port)
        }
        await clients.close()
        try outbox.close()
    }
}
