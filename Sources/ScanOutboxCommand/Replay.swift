import ArgumentParser
import Delivery
import FoundationEssentials
import ProgramSupport
import ScanOutbox
import ServiceSupport

/// Makes deliveries due again.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send events again, with the same identifiers and bytes.",
        discussion: """
            One event, those of a time range, all that are dead, or all that are disabled. It only says that they are \
            due: \"scan-outbox run\" delivers them.
            """)

    @OptionGroup var common: OutboxOptions
    @OptionGroup var range: RangeOptions

    @Argument(help: "The identifier of one event.")
    var id: IDArgument?

    @Flag(help: "All events that were given up.")
    var dead = false

    @Flag(help: "All events held back by a disabled destination; see enable.")
    var disabled = false

    @Option(
        help: ArgumentHelp(
            "Send only to this destination, including events that were not for it before; repeatable.",
            valueName: "name"))
    var to: [String] = []

    func validate() throws {
        let ways = [id != nil, range.since != nil || range.until != nil, dead, disabled].filter { $0 }.count
        if ways != 1 {
            throw ValidationError(
                "give exactly one of: an identifier, a time range (--since, --until), --dead, --disabled")
        }
    }

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        let destinations = try to.map { name in
            guard let known = configuration.destinations.first(where: { $0.name == name }) else {
                throw Failure(message: "--to \(name): the configuration has no such destination")
            }
            return known
        }
        let selection: ReplaySelection =
            if let id {
                .event(id.id)
            } else if dead {
                .state(.dead)
            } else if disabled {
                .state(.disabled)
            } else {
                .time(since: range.since?.date ?? .distantPast, until: range.until?.date ?? .distantFuture)
            }
        let outbox = try await common.open(configuration)
        let count = try await outbox.replay(selection, to: destinations.isEmpty ? nil : destinations)
        try outbox.close()
        ScanOutboxProgram.say("\(count.counted("delivery", "deliveries")) due now")
        if let failure = Failure(damageOf: outbox, isNamed: true) { throw failure }
    }
}

/// Lets a destination have events again that had answered 410.
struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Enable a destination again that was disabled.",
        discussion: "Send what came in the meantime with: scan-outbox replay --disabled --to NAME")

    @OptionGroup var common: OutboxOptions

    @Argument(help: "The destination's name.")
    var name: String

    func run() async throws {
        let outbox = try await common.open(common.load("scan-outbox"))
        guard try await outbox.disabledDestinations()[name] != nil else {
            throw Failure(message: "\(name) is not disabled")
        }
        try await outbox.enable(name)
        try outbox.close()
    }
}
