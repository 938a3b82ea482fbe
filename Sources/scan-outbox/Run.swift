import ArgumentParser
import Logging
import OutboxProgram
import ResultDispatch
import ServiceLifecycle
import UnixSignals

/// Delivers.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deliver until stopped by SIGTERM or Ctrl-C; attempts that are under way end first.")

    @OptionGroup var common: OutboxOptions
    @OptionGroup var source: SourceOptions
    @OptionGroup var metrics: MetricsOptions

    @Flag(help: "Store the lines of decode-image --json from standard input meanwhile, as add does.")
    var add = false

    @Flag(help: "End once nothing is due any more, and standard input has ended with --add.")
    var untilDelivered = false

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning, error, critical.", valueName: "level"))
    var logLevel = "info"

    func validate() throws {
        if Logger.Level(rawValue: logLevel) == nil {
            throw ValidationError(
                "--log-level \(logLevel): it is trace, debug, info, notice, warning, error or critical")
        }
    }

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        if configuration.routes.isEmpty {
            throw Failure(
                message: "no destination is configured; docs/delivery.md shows a configuration",
                status: Failure.configuration)
        }
        let level = Logger.Level(rawValue: logLevel) ?? .info
        var logger = Logger(label: "scan-outbox") { PrintableLog(label: $0) }
        logger.logLevel = level
        // The outbox, the log and what resolves names.
        try DescriptorCheck.run(needed: 64 + configuration.descriptorsNeeded, logger)
        let connections = HTTPConnections()
        let sinks = try configuration.makeSinks(connections)
        let outbox = try await common.open(configuration, mayCreate: true)
        let metricsFile = metrics.start(logger: logger)

        let intake = add ? source.intake(outbox, configuration) : nil
        var options = DeliveryService.Options()
        options.retention = configuration.retention
        if untilDelivered { options.stopsWhenIdle = { intake?.isDone ?? true } }
        let delivery = DeliveryService(outbox: outbox, destinations: sinks, options: options, logger: logger)

        var services = [
            ServiceGroupConfiguration.ServiceConfiguration(
                service: delivery, successTerminationBehavior: .gracefullyShutdownGroup)
        ]
        if let intake {
            services.append(.init(service: intake, successTerminationBehavior: .ignore))
        }
        if let metricsFile {
            services.append(.init(service: metricsFile, successTerminationBehavior: .ignore))
        }
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // An attempt ends within its timeout; what hangs longer than that is cut off.
        group.maximumGracefulShutdownDuration =
            (configuration.destinations.map(\.timeout).max() ?? .zero) + .seconds(5)
        logger.info(
            "Delivering",
            metadata: [
                "outbox": "\(configuration.database)",
                "destinations": "\(configuration.destinations.map(\.name).joined(separator: ", "))",
            ])
        try await ServiceGroup(configuration: group).run()
        await connections.close()
        try outbox.close()
        intake?.summarise()
        if let intake, intake.counts.refused > 0 { throw ExitCode(Failure.general) }
    }
}
