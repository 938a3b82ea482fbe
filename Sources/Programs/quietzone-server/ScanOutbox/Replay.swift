import ArgumentParser
import Delivery
import FoundationEssentials
import ProgramSupport
import ScanEvents
import ScanOutbox

/// `scan-outbox replay`: makes deliveries due again.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send events again, with the same identifiers and bytes.",
        discussion: """
            One event, those of a time range, all dead ones, or all disabled ones. It only marks them as \
            due: \"scan-outbox run\" delivers them.
            """)

    @OptionGroup var common: OutboxOptions
    @OptionGroup var range: RangeOptions

    @Argument(help: "The identifier of one event.")
    var id: IDArgument?

    @Flag(help: "All dead events.")
    var dead = false

    @Flag(help: "All events of disabled destinations; see enable.")
    var disabled = false

    @Option(
        help: ArgumentHelp(
            "Send only to this destination, including events that were not sent to it before; repeatable.",
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
        let paused = try await outbox.pausedDestinations()
        try outbox.close()
        ScanOutboxProgram.say("\(count.counted("delivery", "deliveries")) due now")
        for (name, end) in paused.sorted(by: { $0.key < $1.key }) where to.isEmpty || to.contains(name) {
            ScanOutboxProgram.say(
                "\(name) is paused until \(end.rfc3339), as its receiver asked; \"scan-outbox enable \(name)\" ends "
                    + "the pause"
            )
        }
        if let failure = Failure(damageOf: outbox, isNamed: true) { throw failure }
    }
}

/// `scan-outbox enable`: enables a destination that answered 410, or ends the pause that it has asked for.
struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Enable a disabled destination again, or end its pause.",
        discussion: "Send the events of the meantime with: scan-outbox replay --disabled --to NAME")

    @OptionGroup var common: OutboxOptions

    @Argument(help: "The destination's name.")
    var name: String

    func run() async throws {
        let outbox = try await common.open(common.load("scan-outbox"))
        let (disabled, paused) = (try await outbox.disabledDestinations(), try await outbox.pausedDestinations())
        guard disabled[name] != nil || paused[name] != nil else {
            throw Failure(
                message: "\(name) is neither disabled nor paused; \"scan-outbox status\" lists the destinations")
        }
        try await outbox.enable(name)
        try outbox.close()
    }
}
