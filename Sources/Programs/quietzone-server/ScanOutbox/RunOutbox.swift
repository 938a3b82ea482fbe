import ArgumentParser
import Delivery
import Logging
import ProgramSupport
import ScanOutbox
import ServiceLifecycle

/// `scan-outbox run`: delivers events until it is told to stop.
struct RunOutbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Deliver until stopped by SIGTERM or Ctrl-C; attempts in progress finish first.")

    @OptionGroup var common: OutboxOptions
    @OptionGroup var source: SourceOptions
    @OptionGroup var metrics: MetricsOptions
    @OptionGroup var check: CheckOption

    /// The allowed number of consecutive failures of the outbox if the caller waits for the end.
    private static let failuresAllowed = 3

    @Flag(help: "Also store the lines of decode-image --json from standard input, like add.")
    var add = false

    @Flag(
        name: [.customLong("once"), .customLong("until-delivered")],
        help: ArgumentHelp(
            "Deliver due events, and with --add new ones, then exit; for cron.",
            discussion:
                "The exit status is 3 if events are left to retry later, 4 if some were given up."))
    var once = false

    @Option(help: "Log level: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.info

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        let problems =
            configuration.routes.isEmpty
            ? ["no destination is configured; docs/how-to/deliver.md shows a configuration"] : []
        if try await check.run("scan-outbox", common, configuration, problems: problems) { return }
        if let problem = problems.first { throw Failure(message: problem, status: Failure.configuration) }
        var logger = Logger(label: "scan-outbox") { PrintableLog(label: $0) }
        logger.logLevel = logLevel
        // For the outbox, the log and name resolution.
        try DescriptorCheck.run(needed: 64 + configuration.descriptorsNeeded, logger)
        let session = try await OutboxSession(common, configuration, logger: logger)
        let metricsFile = metrics.start(logger: logger)
        let intake = add ? source.intake(session.outbox, configuration) : nil
        let delivery = session.delivery { options in
            guard once else { return }
            options.stopsWhenIdle = { intake?.isDone ?? true }
            options.endsAfterFailures = Self.failuresAllowed
        }
        var services = [ServiceGroupConfiguration.ServiceConfiguration.essential(delivery)]
        if let intake { services.append(.finite(intake)) }
        if let metricsFile { services.append(.auxiliary(metricsFile)) }
        logger.info(
            "Delivering",
            metadata: [
                "outbox": "\(configuration.database)",
                "destinations": "\(configuration.destinations.map(\.name).joined(separator: ", "))",
            ])
        try await session.run(
            services, shutdown: .seconds(5), writesOutput: add || configuration.writesStandardOutput
        ) {
            defer { intake?.summarize() }
            let left = once ? try await Failure.undelivered(in: session.outbox, configuration) : nil
            return intake.map { $0.counts.refused > 0 } ?? false ? ExitCode(Failure.general) : left
        }
    }
}
