import ArgumentParser
import Delivery
import ProgramSupport
import ScanEvents
import ScanOutbox

/// The options for the source of scans and its deduplication.
struct SourceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The kind of source: \(ScanSource.Kind.names).", valueName: "kind"))
    var source = "file"

    @Option(help: ArgumentHelp("Deduplication policy: none, window or until-gone.", valueName: "policy"))
    var deduplicate: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Deduplication window in seconds, for the policy window. (default: 5)", valueName: "seconds"),
        transform: NumberArgument.decimal(0.001...86_400))
    var window = 5.0

    @Flag(help: "Store the picture's name as the evidence of its events.")
    var evidence = false

    func validate() throws {
        if !ScanSource.Kind.all.map(\.rawValue).contains(source) {
            throw ValidationError("--source \(source): it must be \(ScanSource.Kind.names)")
        }
        if let deduplicate, DeduplicationPolicy(name: deduplicate, seconds: 1) == nil {
            throw ValidationError("--deduplicate \(deduplicate): it must be none, window or until-gone")
        }
    }

    /// Creates the intake for these options.
    func intake(_ outbox: Outbox, _ configuration: DeliveryConfiguration) -> ReportIntake {
        let policy = deduplicate.flatMap { DeduplicationPolicy(name: $0, seconds: window) }
        return ReportIntake(
            intake: ScanIntake(
                outbox: outbox, station: configuration.station, destinations: configuration.destinations,
                policy: policy ?? configuration.deduplication, signingKeys: configuration.signingKeys),
            kind: ScanSource.Kind(rawValue: source), namesEvidence: evidence)
    }
}

/// `scan-outbox add`: stores the reports of `decode-image --json`.
struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Store the lines of decode-image --json, from standard input.",
        discussion: """
            Writes the identifier of each event once it is on the disk, one per line. An event for no destination is \
            stored too, for list and export.
            """)

    @OptionGroup var common: OutboxOptions
    @OptionGroup var source: SourceOptions

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        let outbox = try await common.open(configuration, mayCreate: true)
        let intake = source.intake(outbox, configuration)
        try await intake.readAll()
        try await outbox.withholdPersonal(configuration.retention)
        try outbox.close()
        intake.summarize()
        if configuration.routes.isEmpty && intake.counts.stored > 0 {
            ScanOutboxProgram.say(
                "no destination is configured: the events stay in \(configuration.database), for list and export")
        }
        if intake.counts.refused > 0 { throw ExitCode(Failure.general) }
    }
}
