import ArgumentParser
import Delivery
import Logging
import ProgramSupport
import ScanOutbox
import ServiceLifecycle
import ServiceSupport

/// Delivers.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deliver until stopped by SIGTERM or Ctrl-C; attempts in progress finish first.")

    @OptionGroup var common: OutboxOptions
    @OptionGroup var source: SourceOptions
    @OptionGroup var metrics: MetricsOptions
    @OptionGroup var check: CheckOption

    /// How often in a row the outbox may fail to say what is due where somebody waits for the end.
    private static let failuresAllowed = 3

    @Flag(help: "Also store the lines of decode-image --json from standard input, like add.")
    var add = false

    @Flag(
        name: [.customLong("once"), .customLong("until-delivered")],
        help: ArgumentHelp(
            "Deliver what is due, and with --add what comes, then exit; for cron.",
            discussion:
                "The exit status is 3 when events are left to retry later, 4 when some were given up."))
    var once = false

    @Option(help: "Log level: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.info

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        let problems =
            configuration.routes.isEmpty ? ["no destination is configured; docs/delivery.md shows a configuration"] : []
        if try await check.run("scan-outbox", common, configuration, problems: problems) { return }
        if let problem = problems.first { throw Failure(message: problem, status: Failure.configuration) }
        var logger = Logger(label: "scan-outbox") { PrintableLog(label: $0) }
        logger.logLevel = logLevel
        // The outbox, the log and what resolves names.
        try DescriptorCheck.run(needed: 64 + configuration.descriptorsNeeded, logger)
        let clients = SharedClients()
        let sinks = try configuration.makeSinks(clients)
        let outbox = try await common.open(configuration, mayCreate: true)
        let metricsFile = metrics.start(logger: logger)

        let intake = add ? source.intake(outbox, configuration) : nil
        var options = DeliveryService.Options()
        options.retention = configuration.retention
        options.endsWithDamage = true
        if once {
            options.stopsWhenIdle = { intake?.isDone ?? true }
            options.endsAfterFailures = Self.failuresAllowed
        }
        let delivery = DeliveryService(outbox: outbox, destinations: sinks, options: options, logger: logger)

        var services = [
            ServiceGroupConfiguration.ServiceConfiguration(
                service: delivery, successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup)
        ]
        if let intake {
            services.append(
                .init(
                    service: UntilShutdown(intake), successTerminationBehavior: .ignore,
                    failureTerminationBehavior: .gracefullyShutdownGroup))
        }
        if let metricsFile {
            services.append(.init(service: metricsFile, successTerminationBehavior: .ignore))
        }
        var group = ServiceGroupConfiguration(services: services, logger: logger)
        // An attempt ends within its timeout; what hangs longer than that is cut off.
        group.maximumGracefulShutdownDuration =
            (configuration.destinations.map(\.timeout).max() ?? .zero) + .seconds(5)
        logger.info(
            "Delivering",
            metadata: [
                "outbox": "\(configuration.database)",
                "destinations": "\(configuration.destinations.map(\.name).joined(separator: ", "))",
            ])
        var fault: (any Error)?
        do {
            try await group.runToEnd(writesOutput: add || configuration.writesStandardOutput)
        } catch {
            fault = error
        }
        await clients.close()
        var left: Failure?
        do { left = once ? try await Failure.undelivered(in: outbox, configuration) : nil } catch {
            fault = fault ?? error
        }
        intake?.summarize()
        do { try outbox.close() } catch { fault = fault ?? error }
        if let fault { throw fault }
        if let failure = Failure(damageOf: outbox) { throw failure }
        if let intake, intake.counts.refused > 0 { throw ExitCode(Failure.general) }
        if let left { throw left }
    }
}
