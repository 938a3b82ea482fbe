import FoundationEssentials
import ScanDevices
import ScanEvents
import ScanOutbox
import TestSupport
import Testing

@testable import Delivery

/// The conditions for typing a code; KeyPlanTests and `scripts/test-vm keyboard` test the keys.
@Suite struct KeyboardSinkTests {
    private let control = TypingControl()

    private func sink(_ lines: String = "", _ clients: SharedClients = SharedClients()) async throws -> any Sink {
        let folder = try TemporaryFolder()
        let configuration = try await DeliveryConfiguration.load(
            path: folder.file("c.yaml", "destinations:\n  wedge:\n    type: keyboard\n\(lines)"),
            schema: ConfigurationSchema(variablePrefix: "SCAN_OUTBOX"), environment: [:], defaultDatabase: "/default"
        ) { _ in }.0
        #expect(configuration.destinations[0].concurrency == 1)
        return try configuration.makeSinks(clients)[0].1
    }

    /// Returns the outcome for an event created `seconds` before the sink.
    private func outcome(
        _ settings: KeyboardSink.Settings, before seconds: Double = 0, details: [String: String]? = nil
    ) async throws -> DeliveryOutcome {
        let sink = KeyboardSink(settings, control: control, timeout: .seconds(60), path: "/nowhere/uinput")
        var event = ScanEvent.test(at: Date().addingTimeInterval(-seconds))
        event.source.details = details
        let outcome = await sink.deliver(try OutgoingMessage(event, to: Destination(name: "wedge")))
        await sink.close()
        return outcome
    }

    private var settings: KeyboardSink.Settings {
        get throws { KeyboardSink.Settings(plan: KeyPlan(.us), text: try TextTemplate("{{symbol.text}}")) }
    }

    @Test func onlyWhenArmed() async throws {
        #expect(try await outcome(settings).kind == .skipped)
        control.isArmed = true
        // The attempt is made, but /nowhere/uinput does not exist.
        let tried = try await outcome(settings)
        #expect(tried.kind == .failed)
        #expect(tried.reason?.contains("modprobe uinput") == true, "\(tried)")
        control.focus(true, page: "a")
        #expect(try await outcome(settings) == .skipped("the station's own page has the focus"))
        // A failed attempt counts neither as typed nor as held.
        let status = control.status
        #expect([status.disarmed, status.focused, status.typed] == [1, 1, 0])
    }

    /// The same control holds texts that pages request; they are not counted, because the page gets the result.
    @Test func whatAPageAsksFor() async throws {
        let sink = KeyboardSink(try settings, control: control, timeout: .seconds(60), path: "/nowhere/uinput")
        #expect(await control.type("a") == .noKeyboard)
        control.attach()
        #expect(await control.type("a") == .noKeyboard)
        sink.attachForPages()
        #expect(await control.type("a") == .held(.disarmed))
        control.isArmed = true
        control.focus(true, page: "a")
        #expect(await control.type("a") == .held(.focused))
        control.focus(false, page: "a")
        guard case .refused(let why) = await control.type("a") else {
            Issue.record("there is no /nowhere/uinput")
            return
        }
        #expect(why.contains("modprobe uinput"), "\(why)")
        #expect(control.status == TypingControl.Status(keyboards: 2, isArmed: true))
        await sink.close()
    }

    /// Only a keyboard with the setting types for pages, and only one with the setting is armed from the start.
    @Test func keyboardsOfAConfiguration() async throws {
        for (lines, isArmed, typing) in [
            ("", false, TypingControl.TypingOutcome.noKeyboard), ("    forPages: true\n", false, .held(.disarmed)),
            ("    armed: true\n", true, .noKeyboard),
        ] {
            let clients = SharedClients()
            let sink = try await sink(lines, clients)
            #expect(clients.typingControl.status == TypingControl.Status(keyboards: 1, isArmed: isArmed))
            #expect(await clients.typingControl.type("a") == typing)
            await sink.close()
        }
    }

    @Test func neverLate() async throws {
        control.isArmed = true
        var settings = try settings
        // Within the maximum age, but before the start of this sink; then too old.
        for (seconds, maximum) in [(100.0, Duration.seconds(3600)), (11, .seconds(10)), (1e9, .seconds(10))] {
            settings.maximumAge = maximum
            let old = try await outcome(settings, before: seconds)
            #expect(old.kind == .refused)
            #expect(old.reason?.contains("longer than maximumAgeSeconds") == true, "\(old)")
        }
        // A clock that was set back a little, and one that was wrong at the start.
        #expect(try await outcome(settings, before: -0.5).kind == .failed)
        #expect(try await outcome(settings, before: -3600).kind == .refused)
    }

    @Test func theAnswerToAPageIsNotTyped() async throws {
        control.isArmed = true
        #expect(
            try await outcome(settings, details: ["request": "r-1"]) == .skipped("a page has received it as its answer")
        )
    }

    @Test func aFieldThatIsMissing() async throws {
        control.isArmed = true
        var settings = try settings
        settings.text = try TextTemplate("{{content.gs1.gtin}}")
        #expect(try await outcome(settings).kind == .refused)
    }

    @Test func keys() async throws {
        _ = try await sink(
            """
                armed: true
                layout: de
                text: "{{content.gs1.gtin}}\\t{{content.gs1.10}}"
                controls: type
                prefixKeys: [f2]
                suffixKeys: none
                groupSeparator: "|"
                missingCharacters: refuse
                keyDelayMilliseconds: 0
                maximumAgeSeconds: 30
            """)
    }

    /// A setting of the destination, and the message about it.
    @Test(
        arguments: [
            ("layout: dvorak", "layout: \"dvorak\" is not a layout; the layouts are us, gb, de"),
            ("text: '{{symbol.txt}}'", "text: the template has the field \"symbol.txt\""),
            (
                "text: \"a\\n{{symbol.text}}\"",
                "text: a part of it cannot be typed: it contains the control character U+000A"
            ),
            ("suffixKeys: [return]", "suffixKeys: \"return\" is not a key; the keys are down, end, enter, escape"),
            ("groupSeparator: F25", "groupSeparator: \"F25\" is not ctrl-], a key such as f8"),
            ("controls: drop", "controls: \"drop\" is not refuse, space or type"),
            ("keyDelayMilliseconds: -1", "keyDelayMilliseconds: \"-1\" is not a whole number from 0 to 1000"),
            ("template: '\"x\"'", "template: does not apply to the type keyboard; set text instead"),
        ])
    func faults(_ line: String, _ sentence: String) async throws {
        let error = await #expect(throws: ConfigurationError.self) { try await sink("    \(line)\n") }
        #expect(error?.description.contains("destinations.wedge." + sentence) == true, "\(error?.description ?? "")")
    }
}
