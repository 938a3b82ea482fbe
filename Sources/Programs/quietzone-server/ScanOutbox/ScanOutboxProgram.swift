import ArgumentParser
import BarcodeCore
import Delivery
import ProgramSupport

/// `scan-outbox`: manages an outbox and delivers its events.
struct ScanOutboxProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan-outbox",
        abstract: "Store scanned codes and deliver them reliably.",
        discussion: """
            decode-image --json *.jpg | scan-outbox add  stores the decoded symbols
            scan-outbox run                              delivers until stopped
            scan-outbox list --state dead                the events that were given up
            scan-outbox replay --dead                    sends them again

            A destination of the configuration has one of these types:

            \(destinations)

            Without --config the file $XDG_CONFIG_HOME/quietzone/scan-outbox.yaml is used if it exists, and \
            without a database in it $XDG_STATE_HOME/quietzone/outbox.sqlite. See docs/reference/delivery.md.
            """,
        version: "scan-outbox \(Quietzone.version)",
        subcommands: [
            Add.self, RunOutbox.self, ShowOutboxStatus.self, ListEvents.self, Show.self, Replay.self, Enable.self,
            Export.self,
            SendTest.self, Verify.self,
        ])

    private static let destinations = DestinationKind.all.map { kind in
        kind.name + String(repeating: " ", count: max(1, 12 - kind.name.utf8.count)) + kind.summary
    }.joined(separator: "\n")

    /// Prepares the process before anything suspends, see ``prepareStreams()``.
    static func prepare() {
        prepareStreams()
    }
}
