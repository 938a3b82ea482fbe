import ArgumentParser
import Delivery
import Logging
import ProgramSupport
import ScanDevices
import ScanEvents
import ScanOutbox
import ServiceLifecycle
import ServiceSupport

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

    @Option(help: "Log level: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.info

    func run() async throws {
        let (configuration, devices) = try await DeviceSettings.load(common)
        var logger = Logger(label: "scan-devices") { PrintableLog(label: $0) }
        logger.logLevel = logLevel
        try DescriptorCheck.run(needed: 64 + devices.count + configuration.descriptorsNeeded, logger)
        let clients = SharedClients()
        let sinks = try configuration.makeSinks(clients)
        let outbox = try await common.open(configuration, mayCreate: true)
        let metricsFile = metrics.start(logger: logger)
        let store = ScanStore(
            intake: ScanIntake(
                outbox: outbox, station: configuration.station, destinations: configuration.destinations,
                policy: configuration.deduplication),
            logger: logger)
        var options = DeliveryService.Options()
        options.retention = configuration.retention
        options.endsWithDamage = true
        let delivery = DeliveryService(outbox: outbox, destinations: sinks, options: options, logger: logger)
        let reader = DeviceReader(devices, logger: logger) { await store.take($0) }
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
                "devices": "\(devices.map(\.name).joined(separator: ", "))", "outbox": "\(configuration.database)",
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

/// Stores scans, each with the weight of its moment.
actor ScanStore {
    /// How old a weight may be that a scan carries.
    private static let weightAge: Duration = .seconds(10)
    /// Between attempts to store where the outbox refuses, as on a full disk.
    private static let firstPause: Duration = .milliseconds(200)
    private static let longestPause: Duration = .seconds(10)

    private let intake: ScanIntake
    private let logger: Logger
    private var weight: (reading: WeightReading, time: Duration)?

    init(intake: ScanIntake, logger: Logger) {
        self.intake = intake
        self.logger = logger
    }

    /// Takes what has happened; a scan is on the disk when it returns.
    func take(_ event: DeviceEvent) async {
        switch event.kind {
        case .scale(.weight(let reading)): weight = reading.isStable ? (reading, event.time) : nil
        case .scale(.unavailable): weight = nil
        case .scan(let scan): await store(sighting(of: scan, at: event))
        case .connected, .disconnected, .discarded, .unavailable: break
        }
    }

    private func sighting(of scan: DeviceScan, at event: DeviceEvent) -> ScanSighting {
        var details: [String: String]?
        if let weight, event.time - weight.time < Self.weightAge {
            details = ["weight": weight.reading.value, "weightUnit": weight.reading.unit.rawValue]
        }
        return ScanSighting(
            symbols: [ScannedSymbol(scanned: scan.bytes, symbologyIdentifier: scan.symbologyIdentifier)],
            source: ScanSource(kind: .device, name: event.device, details: details))
    }

    /// Stores until it has succeeded: a gun does not scan again by itself.
    private func store(_ sighting: ScanSighting) async {
        var pause = Self.firstPause
        while true {
            do {
                _ = try await intake.accept([sighting])
                return
            } catch {
                logger.error(
                    "A scan could not be stored; trying again",
                    metadata: ["reason": "\(error)", "device": "\(sighting.source.name ?? "")"])
            }
            do { try await Task.sleep(for: pause) } catch {
                logger.critical("A scan was lost at the end of the program, since it could not be stored")
                return
            }
            pause = min(pause * 2, Self.longestPause)
        }
    }
}
