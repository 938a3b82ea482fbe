import BarcodeCore
import FoundationEssentials
import ScanEvents
import ScanOutbox
import TestSupport
import Testing

@testable import Delivery

/// Valid configurations, and the messages for invalid ones.
@Suite struct ConfigurationTests {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func load(
        _ text: String?, environment: [String: String] = [:], overrides: [String: String] = [:], folder: TemporaryFolder
    ) async throws -> DeliveryConfiguration {
        try await DeliveryConfiguration.load(
            path: try text.map { try folder.file("c.yaml", $0) },
            schema: ConfigurationSchema(variablePrefix: "SCAN_OUTBOX"), overrides: overrides, environment: environment,
            defaultDatabase: "/default"
        ) { _ in }.0
    }

    /// A program's own keys are next to those of the outbox, and are checked like them.
    @Test func ownKeys() async throws {
        let schema = ConfigurationSchema(
            variablePrefix: "CORNER_SHOP", keys: ["server.port": .scalar], collections: ["rules": ["match": .list]])
        let folder = try TemporaryFolder()
        func load(_ text: String, _ environment: [String: String] = [:]) async throws -> [String: String] {
            try await DeliveryConfiguration.load(
                path: folder.file("c.yaml", text), schema: schema, environment: environment, defaultDatabase: "/default"
            ) { values in
                var found = ["port": values.text("server.port") ?? ""]
                for name in values.names(of: "rules") {
                    found[name] = values.list("rules.\(name).match").joined(separator: "|")
                }
                return found
            }.1
        }
        let text = "server:\n  port: 6079\nrules:\n  z:\n    match: [a, b]\n  a:\n    match: c\n"
        #expect(try await load(text) == ["port": "6079", "z": "a|b", "a": "c"])
        #expect(try await load(text, ["CORNER_SHOP_SERVER_PORT": "1"])["port"] == "1")
        await #expect(
            throws: ConfigurationError("\(folder.path)/c.yaml:2: unknown key \"server.prot\"; the keys are port")
        ) { try await load("server:\n  prot: 6079\n") }
    }

    @Test func withoutAFile() async throws {
        let configuration = try await load(nil, folder: TemporaryFolder())
        #expect(configuration.database == "/default")
        #expect(configuration.station == "default")
        #expect(configuration.retention == .standard)
        #expect(configuration.deduplication == .none)
        #expect(configuration.routes.isEmpty)
    }

    @Test func everyKey() async throws {
        let folder = try TemporaryFolder()
        let secrets = try folder.file(
            "secret", "\(Self.secret)\nwhsec_\(Data(repeating: 1, count: 24).base64EncodedString())\n")
        let authorities = try folder.file("ca.pem", TestCertificate.pem)
        let configuration = try await load(
            """
            database: /var/lib/outbox.sqlite
            station: ward-3
            keep:
              days: 7.5
              events: 5000
            deduplication:
              policy: window
              seconds: 2.5
            destinations:
              his:
                type: http
                url: https://his.example/scans
                form: envelope
                secretFile: \(secrets)
                certificateAuthorities: \(authorities)
                address: 10.0.0.7
                allowPrivateAddress: true
                formats: [ean_13, qr_code]
                sources: camera
                textMatches: "^[0-9]+$"
                content: true
                contentMatches: [gs1.10, "gtin.gtin=^0950"]
                parts: false
                concurrency: 3
                timeoutSeconds: 4.5
                retryAfterSeconds: [1, 2.5]
              lines:
                type: stdout
                template: '{"code": "{{symbol.text}}"}'
              program:
                type: command
                command: [logger, -t, scans]
            """, folder: folder)
        #expect(configuration.database == "/var/lib/outbox.sqlite")
        #expect(configuration.station == "ward-3")
        #expect(configuration.retention == Retention(age: .seconds(648_000), count: 5000))
        #expect(configuration.deduplication == .window(.milliseconds(2500)))
        #expect(configuration.destinations.map(\.name) == ["his", "lines", "program"])
        let sinks = try configuration.makeSinks(SharedClients())
        let his = configuration.destinations[0]
        #expect(his.form == .envelope)
        #expect(his.filter.symbologies == [.ean13, .qrCode])
        #expect(his.filter.sources == [.camera])
        #expect(his.filter.pattern?.occurs(in: "123") == true)
        #expect(his.filter.pattern?.occurs(in: "a123") == false)
        #expect(his.includesContent && !configuration.destinations[1].includesContent)
        #expect(his.filter.content.count == 2)
        #expect(configuration.destinations.map(\.filter.acceptsParts) == [false, true, true])
        #expect((his.concurrency, his.timeout) == (3, .milliseconds(4500)))
        #expect(his.schedule.delays == [.seconds(1), .milliseconds(2500)])
        let receiver = try #require(sinks[0].1 as? HTTPCallbackSink).receiver
        #expect(receiver.url == "https://his.example/scans")
        #expect(receiver.secrets.count == 2)
        #expect(receiver.address == "10.0.0.7")
        #expect(receiver.allowsPrivateAddress)
        #expect(receiver.certificateAuthorities == authorities)
        #expect(configuration.destinations[1].form == .template(try BodyTemplate("{\"code\": \"{{symbol.text}}\"}")))
        #expect(sinks[1].1 is StandardOutputSink)
        #expect((sinks[2].1 as? CommandSink)?.command == ["logger", "-t", "scans"])
    }

    @Test func theCommandLineGoesBeforeTheEnvironmentBeforeTheFile() async throws {
        let text = """
            station: file
            destinations:
              the-his:
                type: http
                url: http://file
                secretEnvironment: HIS_SECRET
            """
        let environment = [
            "SCAN_OUTBOX_STATION": "environment", "HIS_SECRET": Self.secret,
            "SCAN_OUTBOX_DESTINATIONS_THE_HIS_URL": "http://environment",
            "SCAN_OUTBOX_DESTINATIONS_THE_HIS_RETRY_AFTER_SECONDS": "1,2", "SCAN_OUTBOX_KEEP_DAYS": "2",
        ]
        let configuration = try await load(
            text, environment: environment, overrides: ["station": "command line"], folder: TemporaryFolder())
        #expect(configuration.station == "command line")
        #expect(configuration.retention.age == .seconds(172_800))
        #expect(configuration.destinations[0].schedule.delays == [.seconds(1), .seconds(2)])
        let sinks = try configuration.makeSinks(SharedClients())
        let receiver = try #require(sinks[0].1 as? HTTPCallbackSink).receiver
        #expect(receiver.url == "http://environment")
        #expect(receiver.secrets == [try WebhookSecret(Self.secret)])
    }

    @Test(
        arguments: [
            // The file and its faults, one line each.
            ("staton: x\n", ["c.yaml:1: unknown key \"staton\"; the keys are content, database, deduplication"]),
            ("\nkeep:\n  day: 3\n", ["c.yaml:3: unknown key \"keep.day\"; the keys are days, events"]),
            ("keep: 3\n", ["c.yaml:1: \"keep\" needs keys"]),
            ("station: [a]\n", ["c.yaml:1: \"station\" must be one value"]),
            ("station:\n", ["c.yaml:1: \"station\" has no value"]),
            ("station: {a: b}\n", ["c.yaml:1: \"station\" must be one value"]),
            ("- a\n", ["c.yaml:1: the file is not a list of keys"]),
            ("a: b: c\n", ["c.yaml:1: not valid YAML"]),
            ("station: a\nstation: b\n", ["c.yaml"]),
            (
                "keep:\n  days: x\n  events: -1\n",
                ["c.yaml:2: keep.days: \"x\" is not a number", "c.yaml:3: keep.events: \"-1\""]
            ),
            ("deduplication:\n  policy: sometimes\n", ["c.yaml:2: deduplication.policy: \"sometimes\""]),
            ("destinations:\n  His:\n    type: stdout\n", ["c.yaml:2: \"His\" is not a valid name"]),
            ("destinations:\n  his:\n    url: http://h\n", ["c.yaml:2: destinations.his.type: is missing"]),
            ("destinations:\n  his:\n    type: mail\n", ["c.yaml:3: destinations.his.type: \"mail\""]),
            (
                "destinations:\n  his:\n    type: http\n    unsigned: true\n",
                ["c.yaml:2: destinations.his.url: is missing"]
            ),
            (
                "destinations:\n  his:\n    type: http\n    url: h\n    unsigned: true\n",
                ["c.yaml:4: destinations.his.url: is not an http"]
            ),
            (
                "destinations:\n  his:\n    type: http\n    url: http://h\n",
                ["c.yaml:2: destinations.his.secretFile: is missing"]
            ),
            (
                "destinations:\n  his:\n    type: http\n    url: http://h\n    secretFile: /nowhere\n",
                ["c.yaml:5: destinations.his.secretFile: the file /nowhere does not exist"]
            ),
            (
                "destinations:\n  his:\n    type: http\n    url: http://h\n    secretEnvironment: BAD\n",
                ["c.yaml:5: destinations.his.secretEnvironment: the value is not a secret"]
            ),
            (
                "destinations:\n  his:\n    type: http\n    url: http://h\n    secretEnvironment: UNSET\n",
                ["c.yaml:5: destinations.his.secretEnvironment: the environment has no variable UNSET"]
            ),
            (
                "destinations:\n  a:\n    type: file\n    path: /a.csv\n    column: [id]\n",
                [
                    "c.yaml:5: unknown key \"destinations.a.column\"; the keys are columns, concurrency, content, "
                        + "contentM"
                ]
            ),
            (
                "destinations:\n  a:\n    type: file\n    path: a.csv\n    url: http://h\n",
                [
                    "c.yaml:4: destinations.a.path: \"a.csv\" is not the absolute path",
                    "c.yaml:5: destinations.a.url: does not apply",
                ]
            ),
            (
                "destinations:\n  a:\n    type: mqtt\n    broker: mqtt://u:hush-hush@b\n    clientKey: /nowhere\n",
                [
                    "c.yaml:4: destinations.a.broker: the address contains a user name or password; put them into files",
                    "c.yaml:5: destinations.a.clientKey: the file /nowhere does not exist",
                    "c.yaml:2: destinations.a.clientCertificate: is missing: clientKey needs it",
                ].sorted()
            ),
            (
                "destinations:\n  a:\n    type: mqtt\n    broker: mqtt://b\n    topic: a/#\n    homeAssistant: true\n",
                [
                    "c.yaml:5: destinations.a.topic: \"a/#\" is not a topic to publish to",
                    "c.yaml:6: destinations.a.homeAssistant: needs a topic without placeholders other than {{station}}",
                ]
            ),
            (
                "destinations:\n  a:\n    type: mqtt\n    broker: mqtt://b\n    homeAssistant: true\n"
                    + "    homeAssistantComponents: [tag, button]\n"
                    + "  b:\n    type: mqtt\n    broker: mqtt://b\n    homeAssistantComponents: [tag]\n",
                [
                    "c.yaml:6: destinations.a.homeAssistantComponents: \"button\" is not one of sensor, tag, event, "
                        + "device_automation",
                    "c.yaml:10: destinations.b.homeAssistantComponents: is set without homeAssistant: true",
                ]
            ),
            (
                "destinations:\n  a:\n    type: mqtt\n    broker: mqtt://b\n    commands: a/{{id}}\n"
                    + "  b:\n    type: mqtt\n    broker: mqtt://b\n    topic: a\n    commands: a\n"
                    + "  c:\n    type: mqtt\n    broker: mqtt://b\n    commands: a/+\n",
                [
                    "c.yaml:5: destinations.a.commands: can contain no placeholder but {{station}}",
                    "c.yaml:10: destinations.b.commands: is the topic of the scans",
                    "c.yaml:14: destinations.c.commands: \"a/+\" is not a topic",
                ]
            ),
            (
                "destinations:\n  a:\n    type: postgresql\n    connection: password=hush-hush\n    table: t\n"
                    + "    columns: [\"code={{symbol.text}}\"]\n",
                [
                    "c.yaml:4: destinations.a.connection: contains a password; put it into a file",
                    "c.yaml:6: destinations.a.columns: has no column for the event's ID",
                ]
            ),
            ("destinations:\n  a:\n    type: command\n", ["c.yaml:2: destinations.a.command: is missing"]),
            (
                """
                destinations:
                  a:
                    type: stdout
                    form: xml
                    formats: [qr]
                    sources: [tape]
                    textMatches: "("
                    concurrency: 0
                    timeoutSeconds: soon
                    retryAfterSeconds: [1, x]
                    secret: whsec_x
                """,
                [
                    "c.yaml:4: destinations.a.form: \"xml\"", "c.yaml:5: destinations.a.formats: \"qr\"",
                    "c.yaml:6: destinations.a.sources: \"tape\"", "c.yaml:7: destinations.a.textMatches: \"(\"",
                    "c.yaml:8: destinations.a.concurrency: \"0\"",
                    "c.yaml:9: destinations.a.timeoutSeconds: \"soon\"", "c.yaml:10: destinations.a.retryAfterSeconds",
                    "c.yaml:11: unknown key \"destinations.a.secret\"",
                ]
            ),
            (
                "destinations:\n  a:\n    type: stdout\n    template: '{{symbol.text}}'\n",
                ["c.yaml:4: destinations.a.template: the template is not JSON"]
            ),
        ] as [(String, [String])])
    func faults(_ text: String, _ expected: [String]) async throws {
        let error = await #expect(throws: ConfigurationError.self) {
            try await load(text, environment: ["BAD": "hush-hush"], folder: TemporaryFolder())
        }
        let lines = error?.description.split(separator: "\n").map(String.init) ?? []
        #expect(lines.count == expected.count, "\(lines)")
        for (line, part) in zip(lines, expected) { #expect(line.contains(part), "\(line)") }
        #expect(error?.description.contains("hush-hush") == false)
    }

    @Test func faultsOfTheEnvironmentAndTheCommandLine() async throws {
        let error = await #expect(throws: ConfigurationError.self) {
            try await load(
                nil, environment: ["SCAN_OUTBOX_STATON": "x", "SCAN_OUTBOX_KEEP_EVENTS": "many"],
                overrides: ["keep.days": "soon", "destinations.a.url": "x", "secret": "y"], folder: TemporaryFolder())
        }
        #expect(
            error?.description.split(separator: "\n").map(String.init) == [
                "--set: destinations.a.url: \"a\" is not one of the file's destinations",
                "--set: unknown key \"secret\"",
                "--set: keep.days: \"soon\" is not a number from 0.001 to 36500",
                "the environment: SCAN_OUTBOX_STATON matches no key of the configuration",
                "the environment, SCAN_OUTBOX_KEEP_EVENTS: keep.events: \"many\" is not a whole number from 0 to "
                    + "1000000000",
            ])
    }
}
