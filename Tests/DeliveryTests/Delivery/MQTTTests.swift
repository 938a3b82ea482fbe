import FoundationEssentials
import Glibc
import ScanEvents
import ScanOutbox
import TestSupport
import Testing

import struct TestSupport.ProgramRunner

@testable import Delivery

/// Delivery to a real broker: mosquitto.
@Suite(.timeLimit(.minutes(10)), .enabled(if: MQTTBroker.isThere, "needs the package mosquitto"))
struct MQTTTests {
    private let destination = Destination(
        name: "broker", timeout: .seconds(120),
        schedule: RetrySchedule(delays: Array(repeating: .milliseconds(100), count: 3000)))

    private func settings(_ broker: MQTTBroker, scheme: String = "mqtt") throws -> MQTTSettings {
        MQTTSettings(broker: try BrokerAddress("\(scheme)://127.0.0.1:\(broker.port)"))
    }

    private func sink(_ settings: MQTTSettings, timeout: Duration = .seconds(120)) throws -> MQTTSink {
        MQTTSink(settings, topic: try MQTTTopic("t/{{id}}"), isRetained: false, timeout: timeout)
    }

    private func message(_ event: ScanEvent = .test()) throws -> OutgoingMessage {
        try OutgoingMessage(event, to: destination)
    }

    /// The broker is killed during delivery, and while it does not answer: every event is published, with at most one
    /// repetition for each time that the broker went away before its acknowledgment.
    @Test(arguments: [5, 4] as [Int32])
    func aBrokerThatIsKilled(_ version: Int32) async throws {
        let broker = try await MQTTBroker(folder: TemporaryFolder())
        let box = try TestOutbox()
        var settings = try settings(broker)
        settings.version = version
        let service = DeliveryService(
            outbox: box.outbox, destinations: [(destination, try sink(settings))], logger: .silent)
        let run = Task { try await service.run() }
        var events: [ScanEvent] = []
        func store(_ count: Int) async throws {
            let new = (0..<count).map { ScanEvent.test("\($0)") }
            events += new
            try await box.outbox.store(new, for: [destination])
        }
        func areDelivered() async throws -> Bool {
            try await box.outbox.status().destinations[destination.name]?.counts[.pending, default: 0] ?? 0 == 0
        }
        try await store(60)
        #expect(try await eventually(areDelivered))
        let first = Set(events.map { "t/\($0.id)" })
        // The broker stops answering, then it is killed.
        broker.signal(SIGSTOP)
        try await store(40)
        broker.kill()
        #expect(try await !areDelivered())
        try await broker.start()
        #expect(try await eventually(areDelivered))
        // In the middle of the flow.
        for _ in 0..<2 {
            let before = broker.published.count
            try await store(150)
            #expect(await eventually { broker.published.count > before + 20 })
            broker.kill()
            try await broker.start()
        }
        #expect(try await eventually(areDelivered))
        run.cancel()
        _ = try? await run.value
        let published = broker.published
        #expect(Set(published.keys) == Set(events.map { "t/\($0.id)" }))
        #expect(published.filter { first.contains($0.key) }.values.allSatisfy { $0 == 1 })
        #expect(
            published.values.reduce(0) { $0 + $1 - 1 } <= 3 * destination.concurrency, "\(published.values.max() ?? 0)")
    }

    /// The broker ends the connection over a message that is too large for it: that one is given up, and no other waits
    /// for it.
    @Test func aMessageThatTheBrokerHangsUpOn() async throws {
        let broker = try await MQTTBroker("allow_anonymous true\nmax_packet_size 2000", folder: TemporaryFolder())
        let box = try TestOutbox()
        var settings = try settings(broker)
        // Version 5 tells the limit.
        settings.version = 4
        let destination = Destination(
            name: "broker", timeout: .seconds(120), schedule: RetrySchedule(delays: [.milliseconds(100)]))
        let service = DeliveryService(
            outbox: box.outbox, destinations: [(destination, try sink(settings))], logger: .silent)
        let run = Task { try await service.run() }
        let large = ScanEvent.test(String(repeating: "x", count: 3000))
        try await box.outbox.store([large] + (0..<20).map { .test("\($0)") }, for: [destination])
        #expect(
            try await eventually {
                try await box.outbox.status().destinations["broker"]?.counts == [.delivered: 20, .dead: 1]
            })
        #expect(try await box.outbox.state(large.id) == .dead)
        run.cancel()
        _ = try? await run.value
    }

    @Test func aLateAcknowledgmentCounts() async throws {
        let broker = try await MQTTBroker(folder: TemporaryFolder())
        let sink = try sink(try settings(broker), timeout: .milliseconds(200))
        let event = ScanEvent.test()
        #expect(try await eventually { await sink.deliver(try message()) == .delivered() })
        broker.signal(SIGSTOP)
        let outcome = await sink.deliver(try message(event))
        #expect(outcome.kind == .failed)
        #expect(outcome.reason?.hasPrefix("the broker did not acknowledge it within") == true, "\(outcome)")
        broker.signal(SIGCONT)
        #expect(try await eventually { await sink.deliver(try message(event)) == .delivered() })
        #expect(broker.published["t/\(event.id)"] == 1)
        await sink.close()
    }

    @Test(arguments: [(5, "p5"), (4, "p2")] as [(Int32, String)])
    func theStationIsKnown(_ version: Int32, _ protocolInLog: String) async throws {
        let broker = try await MQTTBroker(folder: TemporaryFolder())
        var settings = try settings(broker)
        settings.version = version
        settings.clientID = "ward-3"
        settings.stateTopic = "ward/state"
        let discovery = HomeAssistantDiscovery(
            station: "ward-3", topic: "ward/scans", stateTopic: "ward/state", path: ".data")
        settings.announcements = [discovery.message(for: .sensor), discovery.removal(of: .tag)]
        let sink = try sink(settings)
        await sink.open()
        #expect(await eventually { broker.log.contains("m3, 'ward/state', ... (6 bytes)") })
        await sink.close()
        #expect(await eventually { broker.log.contains("m4, 'ward/state', ... (7 bytes)") })
        let log = broker.log
        #expect(log.contains("as ward-3 (\(protocolInLog), c1, k30)"), "\(log)")
        #expect(log.contains("Will message specified (7 bytes) (r1, q1)"), "\(log)")
        #expect(log.contains("(d0, q1, r1, m1, 'homeassistant/sensor/quietzone_ward_3_last_scan/config'"), "\(log)")
        #expect(
            log.contains("(d0, q1, r1, m2, 'homeassistant/tag/quietzone_ward_3_tag/config', ... (0 bytes)"), "\(log)")
        #expect(log.contains("(d0, q1, r1, m3, 'ward/state', ... (6 bytes))"), "\(log)")
        #expect(await eventually { broker.log.contains("Received DISCONNECT from ward-3") })
    }

    /// Commands are received, over new connections too, but never retained messages of the broker.
    @Test(arguments: [5, 4] as [Int32])
    func commands(_ version: Int32) async throws {
        let broker = try await MQTTBroker(folder: TemporaryFolder())
        func says(_ payload: String, isRetained: Bool = false) async throws {
            let other = MQTTConnection(try self.settings(broker))
            let outcome = await other.publish(
                MQTTMessage(
                    id: UUID().uuidString, topic: "ward/do", payload: Array(payload.utf8), mediaType: "text/plain",
                    isRetained: isRetained), timeout: .seconds(120))
            #expect(outcome == .delivered(), "\(payload)")
            await other.close()
        }
        try await says("mode trigger", isRetained: true)
        let commands = StationCommands()
        var heard = commands.stream.makeAsyncIterator()
        var settings = try self.settings(broker)
        settings.version = version
        settings.commands = MQTTSettings.Commands(topic: "ward/do") { commands.take($0) }
        let sink = try self.sink(settings)
        await sink.open()
        #expect(await eventually { broker.log.contains("Sending SUBACK") })
        try await says("trigger")
        #expect(await heard.next() == .trigger)
        for (text, command) in [
            ("mode continuous", StationCommand.mode(isContinuous: true)),
            ("MODE trigger\n", .mode(isContinuous: false)),
            ("open the door", .unknown("open the door")),
        ] {
            try await says(text)
            #expect(await heard.next() == command)
        }
        broker.kill()
        try await broker.start()
        #expect(await eventually { broker.log.occurrences(of: "Sending SUBACK") == 2 })
        try await says("trigger")
        #expect(await heard.next() == .trigger)
        await sink.close()
    }

    /// If the program handles no commands, they are an error of the configuration.
    @Test func aProgramWithoutCommands() async throws {
        let folder = try TemporaryFolder()
        let configuration = try await DeliveryConfiguration.load(
            path: folder.file(
                "c.yaml", "destinations:\n  a:\n    type: mqtt\n    broker: mqtt://b\n    commands: a/do\n"),
            schema: ConfigurationSchema(variablePrefix: "SCAN_OUTBOX"), environment: [:], defaultDatabase: "/default"
        ) { _ in }.0
        let error = #expect(throws: ConfigurationError.self) { try configuration.makeSinks(SharedClients()) }
        #expect(
            error?.description.contains("only scan-station takes commands") == true, "\(String(describing: error))")
        #expect(try configuration.makeSinks(SharedClients(commands: StationCommands())).count == 1)
    }

    @Test func usersAndPasswords() async throws {
        let folder = try TemporaryFolder()
        let users = try folder.file("users", "")
        _ = try await ProgramRunner(executable: "/usr/bin/mosquitto_passwd")(["-b", users, "gun", "right"])
        let broker = try await MQTTBroker("allow_anonymous false\npassword_file \(users)", folder: folder)
        for (password, reason) in [("right", nil), ("wrong", "Not authorized")] as [(String, String?)] {
            var settings = try settings(broker)
            (settings.user, settings.password) = ("gun", password)
            try await expect(settings, fails: reason)
        }
    }

    /// Retries until a message is delivered, or fails with the expected reason.
    private func expect(_ settings: MQTTSettings, fails reason: String?) async throws {
        let sink = try sink(settings, timeout: .seconds(2))
        let message = try message()
        var outcomes: Set<String> = []
        let isAsMeant = await eventually {
            let outcome = await sink.deliver(message)
            outcomes.insert("\(outcome)")
            return reason.map { outcome.reason?.contains($0) == true } ?? (outcome.kind == .delivered)
        }
        #expect(isAsMeant, "\(outcomes)")
        await sink.close()
    }

    @Test func encryption() async throws {
        let folder = try TemporaryFolder()
        let made = try await ProgramRunner(
            executable: ProgramRunner.packageFolder + "Tests/ProgramTests/OutboxProgram/Support/make-certificates"
        )([
            folder.path
        ])
        #expect(made.ending == .exit(0), "\(made.messages)")
        let broker = try await MQTTBroker(
            """
            allow_anonymous true
            cafile \(folder["ca.pem"])
            certfile \(folder["server.pem"])
            keyfile \(folder["server.key"])
            require_certificate true
            """, folder: folder)
        for (authority, part) in [
            ("ca.pem", nil), ("twin-ca.pem", "set certificateAuthorities to the file of its authority"),
        ] as [(String, String?)] {
            var settings = try settings(broker, scheme: "mqtts")
            settings.certificateAuthorities = folder[authority]
            (settings.clientCertificate, settings.clientKey) = (folder["server.pem"], folder["server.key"])
            try await expect(settings, fails: part)
        }
    }

    @Test func noBroker() async throws {
        try await expect(
            MQTTSettings(broker: try BrokerAddress("mqtt://127.0.0.1:9")),
            fails:
                "no connection to the broker mqtt://127.0.0.1:9: Connection refused; check that the broker is running")
        try await expect(
            MQTTSettings(broker: try BrokerAddress("mqtt://nowhere.invalid")),
            fails: "the name nowhere.invalid was not found")
    }
}

/// Settings that need no broker.
@Suite struct MQTTSettingsTests {
    @Test(
        arguments: [
            ("mqtt://broker", "mqtt://broker:1883"), ("mqtts://broker/", "mqtts://broker:8883"),
            ("MQTT://10.0.0.1:1884", "mqtt://10.0.0.1:1884"), ("mqtts://[::1]:9", "mqtts://[::1]:9"),
            ("mqtt://[fe80::1]", "mqtt://[fe80::1]:1883"),
        ])
    func addresses(_ text: String, _ expected: String) throws {
        #expect(try BrokerAddress(text).description == expected)
    }

    @Test(
        arguments: [
            "broker", "http://broker", "mqtt://", "mqtt://user:secret@broker", "mqtt://broker:0", "mqtt://broker:99999",
            "mqtt://broker:x", "mqtt://broker/path", "mqtt://[::1", "mqtt://a b", "://x",
        ])
    func noAddresses(_ text: String) {
        let error = #expect(throws: ConfigurationError.self) { try BrokerAddress(text) }
        #expect(error?.description.contains("secret") == false)
    }

    @Test(
        arguments: [
            ("scans/{{station}}/{{symbol.format}}", "scans/ward-3/ean_13"), ("a", "a"),
            ("x/{{symbol.text}}/y", "x/a_b_c_d/y"), ("{{symbol.addOn}}", nil),
        ] as [(String, String?)])
    func topics(_ template: String, _ expected: String?) throws {
        #expect(try MQTTTopic(template).name(for: .test("a/b+c#d")) == expected)
        // The separator of a GS1 message, and other characters that brokers reject.
        #expect(try MQTTTopic(template).name(for: .test("a\u{1D}b\u{7F}c\u{FFFE}d")) == expected)
    }

    @Test func codesCannotNameTopicsOfTheBroker() throws {
        #expect(try MQTTTopic("{{symbol.text}}/{{station}}").name(for: .test("$SYS")) == "_SYS/ward-3")
        let marked = try MQTTTopic("{{symbol.text}}").name(for: .test("$\u{338}SYS"))
        #expect(marked == "_\u{338}SYS")
        #expect(try MQTTTopic("x/{{symbol.text}}").name(for: .test("$SYS")) == "x/$SYS")
    }

    @Test(arguments: ["", "a/+/b", "#", "$SYS/x", "$\u{338}SYS", "{{symbol.nothing}}", "{{station"])
    func noTopics(_ text: String) { #expect(throws: ConfigurationError.self) { try MQTTTopic(text) } }

    @Test(
        arguments: [
            ("trigger", .trigger), (" Trigger\n", .trigger), ("mode  continuous", .mode(isContinuous: true)),
            ("mode trigger", .mode(isContinuous: false)), ("", .unknown("")), ("mode", .unknown("mode")),
            ("trigger now", .unknown("trigger now")),
            ("trigger" + String(repeating: " ", count: 58), .unknown("trigger" + String(repeating: " ", count: 57))),
        ] as [(String, StationCommand)])
    func commandWords(_ text: String, _ command: StationCommand) {
        #expect(StationCommand(Array(text.utf8)) == command)
    }

    @Test(arguments: [(0, false), (2, false), (0x80, true), (0x87, true)] as [(Int32, Bool)])
    func subscriptions(_ code: Int32, _ isRefused: Bool) {
        let refusal = StationCommand.refused("the broker refused the subscription to ward/do: words")
        #expect(MQTTThread.refusal(code, "words", topic: "ward/do") == (isRefused ? refusal : nil))
    }

    /// A message over which each connection ends does not take others with it.
    @Test func aMessageThatEndsConnections() async throws {
        let queue = MQTTQueue()
        let (added, adding) = AsyncStream.makeStream(of: Void.self)
        var additions = added.makeAsyncIterator()
        var tasks: [Task<DeliveryOutcome, Never>] = []
        for id in ["bad", "b", "c"] {
            let message = MQTTMessage(id: id, topic: "t", payload: [], mediaType: "text/plain", isRetained: false)
            tasks.append(Task { await queue.publish(message) { adding.yield() } })
            _ = await additions.next()
        }
        func send() -> [String] {
            var sent: [String] = []
            while let entry = queue.next() {
                sent.append(entry.message.id)
                queue.sent(entry, as: Int32(sent.count))
            }
            return sent
        }
        #expect(send() == ["bad", "b", "c"])
        for _ in 0..<2 {
            queue.disconnected("lost")
            try #require(send() == ["bad"])
        }
        queue.disconnected("lost")
        let outcome = await tasks[0].value
        // With a status, so that the failure says nothing about the broker.
        #expect(outcome.kind == .failed && outcome.status == 0x80, "\(outcome)")
        for (task, id) in zip(tasks.dropFirst(), ["b", "c"]) {
            #expect(send() == [id])
            queue.answered(1, .delivered())
            #expect(await task.value == .delivered())
        }
    }

    /// Commands beyond the capacity of the queue are dropped.
    @Test func commandsAreBounded() async {
        let commands = StationCommands()
        for number in 0..<100 { commands.take(.unknown("\(number)")) }
        var heard = commands.stream.makeAsyncIterator()
        for number in 0..<8 { #expect(await heard.next() == .unknown("\(number)")) }
        commands.take(.trigger)
        #expect(await heard.next() == .trigger)
    }

    @Test(
        arguments: [
            (0, .delivered), (0x10, .delivered), (0x87, .failed), (0x90, .refused), (0x97, .throttled),
            (0x99, .refused), (0x80, .failed),
        ] as [(Int32, DeliveryOutcome.Kind)])
    func acknowledgments(_ code: Int32, _ kind: DeliveryOutcome.Kind) {
        #expect(MQTTThread.outcome(code, "words").kind == kind)
    }
}
