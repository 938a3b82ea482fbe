import ArgumentParser
import Delivery
import Logging
import ProgramSupport
import ScanDevices
import ScanEvents
import ScanOutbox
import ServiceLifecycle
import ServiceSupport
import StationDevices

/// Stores and delivers what devices read.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Store and deliver what the configured devices read, until SIGTERM or Ctrl-C.",
        discussion: """
            A scan carries the last weight of a scale that was at rest within the last ten seconds, as \
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
        let clients = SharedClients()
        let sinks = try configuration.makeSinks(clients)
        let outbox = try await common.open(configuration, mayCreate: true)
        let metricsFile = metrics.start(logger: logger)
        let intake = ScanIntake(
            outbox: outbox, station: configuration.station, destinations: configuration.destinations,
            policy: configuration.deduplication)
        let registry = DeviceRegistry(devices.devices)
        let persistence = Persistence(logger: logger)
        var options = DeliveryService.Options()
        options.retention = configuration.retention
        options.endsWithDamage = true
        let delivery = DeliveryService(outbox: outbox, destinations: sinks, options: options, logger: logger)
        let reader = DeviceReader(devices.source, logger: logger) { event in
            registry.take(event)
            let sighting: ScanSighting
            switch event.kind {
            case .scan(let scan): sighting = registry.sighting(of: scan, event)
            case .measurement(let value, let unit):
                sighting = registry.sighting(ofMeasurement: value, unit: unit, event)
            default: return
            }
            await persistence.store(event.device) { _ = try await intake.accept([sighting]) }
        }
        let manager = ServiceNotifier()
        // They are stopped from the last to the first: what was scanned is stored before the outbox is closed.
        var group = ServiceGroupConfiguration(
            services: [
                .init(
                    service: delivery, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup),
                .init(
                    service: reader, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup),
            ], logger: logger)
        if let metricsFile { group.services.append(.init(service: metricsFile, successTerminationBehavior: .ignore)) }
        group.maximumGracefulShutdownDuration =
            (configuration.destinations.map(\.timeout).max() ?? .zero) + .seconds(10)
        logger.info(
            "Reading devices",
            metadata: [
                "devices": "\(devices.devices.map(\.name).joined(separator: ", "))",
                "outbox": "\(configuration.database)",
            ])
        manager.ready()
        var fault: (any Error)?
        do {
            try await group.runToEnd(writesOutput: configuration.writesStandardOutput)
        } catch {
            fault = error
        }
        manager.stopping()
        await clients.close()
        do { try outbox.close() } catch { fault = fault ?? error }
        if let fault { throw fault }
        if let failure = Failure(damageOf: outbox) { throw failure }
    }
}
