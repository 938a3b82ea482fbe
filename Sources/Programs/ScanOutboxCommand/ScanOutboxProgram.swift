import ArgumentParser
import BarcodeCore
import Delivery
import ProgramSupport
import ServiceSupport

/// `scan-outbox`: manages an outbox and delivers its events.
struct ScanOutboxProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan-outbox",
        abstract: "Store scanned codes and deliver them until they have arrived.",
        discussion: """
            decode-image --json album/*.jpg | scan-outbox add    stores what was read
            scan-outbox run                                      delivers until it is stopped
            scan-outbox list --state dead                        what was given up
            scan-outbox replay --dead                            and sends it again

            A destination of the configuration has one of these types:

            \(destinations)

            Without --config the file $XDG_CONFIG_HOME/quietzone/scan-outbox.yaml is used where it is there, and \
            without a database in it $XDG_STATE_HOME/quietzone/outbox.sqlite. docs/reference/delivery.md tells the rest.
            """,
        version: "scan-outbox \(Quietzone.version)",
        subcommands: [
            Add.self, Run.self, Status.self, List.self, Show.self, Replay.self, Enable.self, Export.self,
            SendTest.self, Verify.self,
        ])

    private static let destinations = DestinationKind.all.map { kind in
        kind.name + String(repeating: " ", count: max(1, 10 - kind.name.utf8.count)) + kind.summary
    }.joined(separator: "\n")

    /// Prepares the process before anything suspends, see ``prepareStreams()``.
    static func prepare() {
        prepareStreams()
    }
}
