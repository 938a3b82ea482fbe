import ArgumentParser
import Delivery
import Logging
import ProgramSupport
import ScanDevices
import ScanEvents
import ScanOutbox
import ServiceLifecycle
import StationDevices

/// `scan-devices run`: stores and delivers the scans of devices.
struct RunDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Store and deliver what the configured devices read, until SIGTERM or Ctrl-C.",
        discussion: """
            A scan has the weight that a scale reported at rest within the last ten seconds, as \
            `source.details.weight`.
            """)

    @OptionGroup var common: OutboxOptions
    @OptionGroup var metrics: MetricsOptions
    @OptionGroup var check: CheckOption

    @OptionGroup var simulation: SimulationOptions

    @Option(help: "Log level: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.info

    func run() async throws {
        let (configuration, devices) = try await DeviceSettings.load(common, simulation)
        if try await check.run("scan-devices", common, configuration) { return }
        var logger = Logger(label: "scan-devices") { PrintableLog(label: $0) }
        logger.logLevel = logLevel
        try DescriptorCheck.run(needed: 64 + devices.devices.count + configuration.descriptorsNeeded, logger)
        let session = try await OutboxSession(common, configuration, logger: logger)
        let metricsFile = metrics.start(logger: logger)
        let intake = ScanIntake(
            outbox: session.outbox, station: configuration.station, destinations: configuration.destinations,
            policy: configuration.deduplication, signingKeys: configuration.signingKeys)
        let registry = DeviceRegistry(devices.devices)
        let retry = StorageRetry(logger: logger)
        let reader = DeviceReader(devices.source, logger: logger) { event in
            registry.take(event)
            let submission: ScanSubmission
            switch event.kind {
            case .scan(let scan): submission = registry.submission(of: scan, event)
            case .measurement(let value, let unit):
                submission = registry.submission(ofMeasurement: value, unit: unit, event)
            default: return
            }
            await retry.store(event.device) { _ = try await intake.accept([submission]) }
        }
        let manager = ServiceNotifier()
        // Store all scans before the outbox is closed.
        var services = [
            ServiceGroupConfiguration.ServiceConfiguration.essential(session.delivery()), .essential(reader),
        ]
        if let metricsFile { services.append(.auxiliary(metricsFile)) }
        logger.info(
            "Reading devices",
            metadata: [
                "devices": "\(devices.devices.map(\.name).joined(separator: ", "))",
                "outbox": "\(configuration.database)",
            ])
        manager.ready()
        try await session.run(services, shutdown: .seconds(10)) {
            manager.stopping()
            return nil
        }
    }
}
