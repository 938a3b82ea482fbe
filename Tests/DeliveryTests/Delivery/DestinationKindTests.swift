import Delivery
import FoundationEssentials
import Logging
import ScanEvents
import ScanOutbox
import Synchronization
import TestSupport
import Testing

/// A board that shows messages: a destination that only this test knows.
private final class BoardSink: Sink {
    private let shown = Mutex<[String]>([])
    let line: Int

    init(line: Int) { self.line = line }

    var texts: [String] { shown.withLock { $0 } }

    func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        shown.withLock { $0.append("\(line): " + String(decoding: message.body, as: UTF8.self)) }
        return .delivered()
    }
}

/// Kinds of destination that another module defines.
@Suite(.timeLimit(.minutes(10))) struct DestinationKindTests {
    private static let board = DestinationKind(
        name: "board", summary: "shows each event on a board",
        keys: [
            DestinationKey(
                "line", "the line that it is shown in, 1 to 4", fallback: "1")
        ]
    ) { values in
        let line = values.whole("line", 1...4) ?? 1
        return { _, _ throws(ConfigurationError) in BoardSink(line: line) }
    }

    private static let names = DestinationKind.all.map(\.name).joined(separator: ", ") + " or board"

    private func load(_ text: String) async throws -> DeliveryConfiguration {
        let folder = try TemporaryFolder()
        return try await DeliveryConfiguration.load(
            path: folder.file("c.yaml", text),
            schema: ConfigurationSchema(variablePrefix: "SCAN_OUTBOX", kinds: DestinationKind.all + [Self.board]),
            environment: [:], defaultDatabase: "/default"
        ) { _ in }.0
    }

    @Test func aKindFromOutsideDelivers() async throws {
        let configuration = try await load(
            "destinations:\n  hall:\n    type: board\n    line: 3\n    template: '\"{{symbol.text}}\"'\n")
        let sinks = try configuration.makeSinks(SharedClients())
        let box = try TestOutbox()
        let event = ScanEvent.test("ORDER-17")
        try await box.outbox.store([OutboxEntry(event, for: configuration.destinations)])
        var options = DeliveryService.Options()
        options.stopsWhenIdle = { true }
        try await DeliveryService(
            outbox: box.outbox, destinations: sinks, options: options,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ).run()
        #expect((sinks[0].1 as? BoardSink)?.texts == ["3: \"ORDER-17\""])
        #expect(try await box.outbox.state(event.id) == .delivered)
    }

    /// The settings below `hall:`, and the message about them.
    @Test(
        arguments: [
            ("type: board\n    line: 5", "line: \"5\" is not a whole number from 1 to 4"),
            ("type: stdout\n    line: 3", "line: does not apply to the type stdout; it belongs to board"),
            ("type: board\n    url: http://h", "url: does not apply to the type board; it belongs to http"),
            ("type: bord", "type: \"bord\" is not \(Self.names)"),
            ("line: 3", "type: is missing; it is \(Self.names)"),
        ])
    func faults(_ lines: String, _ sentence: String) async throws {
        let error = await #expect(throws: ConfigurationError.self) {
            try await load("destinations:\n  hall:\n    \(lines)\n")
        }
        #expect(error?.description.hasSuffix("destinations.hall." + sentence) == true, "\(error?.description ?? "")")
    }
}
