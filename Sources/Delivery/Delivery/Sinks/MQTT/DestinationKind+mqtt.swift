internal import CServices
internal import ScanEvents

extension DestinationKind {
    /// Publishes each event to an MQTT broker.
    public static let mqtt = DestinationKind(
        name: "mqtt", summary: "publishes each event to an MQTT broker",
        keys: [
            DestinationKey("broker", "its address: `mqtts://broker.example:8883`, or `mqtt://` without encryption"),
            DestinationKey(
                "topic", "the topic, with placeholders as in a template: `scans/{{station}}/{{symbol.format}}`",
                fallback: "`\(standardTopic)`"),
            DestinationKey("mqttVersion", "`5` or `3.1.1`", fallback: "`5`"),
            DestinationKey(
                "clientID", "the client ID, by which the broker recognizes this client", fallback: "the broker's choice"
            ),
            DestinationKey("userFile", "a file with the user's name on its first line"),
            DestinationKey("passwordFile", "a file with the password on its first line"),
            .certificateAuthorities,
            DestinationKey("clientCertificate", "a PEM file with the client certificate"),
            DestinationKey("clientKey", "a PEM file with its key"),
            DestinationKey("retain", "`true`: the broker keeps the last scan of each topic", fallback: "`false`"),
            DestinationKey(
                "stateTopic",
                "a topic with `online` while the station is connected, else `offline`; retained by the "
                    + "broker", fallback: "none"),
            DestinationKey(
                "commands",
                "a topic for commands to `scan-station`: `trigger`, `mode continuous`, `mode trigger`",
                fallback: "none"),
            DestinationKey(
                "homeAssistant", "`true`: Home Assistant discovers the station and shows its last scan",
                fallback: "`false`"),
            DestinationKey(
                "homeAssistantComponents",
                "a list of the components that Home Assistant discovers: `sensor`, `tag`, `event`, `device_automation`; "
                    + "those that are not listed are removed", form: .list, fallback: "`sensor`"),
        ]
    ) { values in
        guard let (settings, topic) = readSettings(&values) else { return nil }
        let isRetained = values.flag("retain")
        let commands = values.isSet("commands") ? commandTopic(topic, &values) : nil
        return { clients, timeout throws(ConfigurationError) in
            var settings = settings
            if let commands {
                guard let taker = clients.commands else {
                    throw ConfigurationError("only scan-station takes commands; remove the key commands")
                }
                settings.commands = MQTTSettings.Commands(topic: commands) { taker.take($0) }
            }
            guard qz_mosquitto_load() != nil else {
                throw ConfigurationError("a destination of the type mqtt needs libmosquitto: apt install libmosquitto1")
            }
            return MQTTSink(settings, topic: topic, isRetained: isRetained, timeout: timeout)
        }
    }

    private static let standardTopic = "quietzone/{{station}}/scans"
    private static let standardStateTopic = "quietzone/{{station}}/state"

    private static func readSettings(_ values: inout DestinationValues) -> (MQTTSettings, MQTTTopic)? {
        let user = values.firstLine("userFile", isSecret: false)
        let password = values.firstLine("passwordFile", isSecret: true)
        if values.isSet("passwordFile"), !values.isSet("userFile") {
            values.report("passwordFile", "is set without userFile; a broker needs both")
        }
        let version = values.value("mqttVersion", "5 or 3.1.1") { ["5": 5, "5.0": 5, "3.1.1": 4][$0] as Int32? } ?? 5
        let topic = readTopic("topic", standardTopic, &values)
        let discovers = values.flag("homeAssistant")
        let state =
            discovers || values.isSet("stateTopic") ? readTopic("stateTopic", standardStateTopic, &values) : nil
        let station = values.station()
        checkCertificates(&values)
        guard let text = values.text("broker") else {
            values.report("broker", "is missing: the broker's address, such as mqtts://broker.example:8883")
            return nil
        }
        var settings: MQTTSettings
        do throws(ConfigurationError) {
            settings = MQTTSettings(broker: try BrokerAddress(text))
        } catch {
            // The text may contain a password.
            values.report("broker", "the address \(error.description)")
            return nil
        }
        settings.clientID = values.text("clientID")
        settings.version = version
        (settings.user, settings.password) = (user, password)
        settings.certificateAuthorities = values.text("certificateAuthorities")
        settings.clientCertificate = values.text("clientCertificate")
        settings.clientKey = values.text("clientKey")
        if !settings.broker.isEncrypted {
            for key in ["certificateAuthorities", "clientCertificate", "clientKey"] where values.isSet(key) {
                values.report(key, "is for an encrypted connection, but broker begins with mqtt://; write mqtts://")
            }
        }
        if let state {
            settings.stateTopic = state.name(forStation: station)
            if settings.stateTopic == nil { values.report("stateTopic", "can contain no placeholder but {{station}}") }
        }
        if discovers {
            discover(station, topic, &settings, &values)
        } else if values.isSet("homeAssistantComponents") {
            values.report("homeAssistantComponents", "is set without homeAssistant: true")
        }
        return topic.map { (settings, $0) }
    }

    private static func commandTopic(_ topic: MQTTTopic?, _ values: inout DestinationValues) -> String? {
        guard let topic, let commands = readTopic("commands", "", &values) else { return nil }
        let station = values.station()
        guard let name = commands.name(forStation: station) else {
            values.report("commands", "can contain no placeholder but {{station}}")
            return nil
        }
        if name == topic.name(forStation: station) {
            values.report("commands", "is the topic of the scans; commands need another topic")
        }
        return name
    }

    private static func readTopic(_ key: String, _ fallback: String, _ values: inout DestinationValues) -> MQTTTopic? {
        do throws(ConfigurationError) {
            return try MQTTTopic(values.text(key) ?? fallback)
        } catch {
            values.report(key, error.description)
            return nil
        }
    }

    private static func checkCertificates(_ values: inout DestinationValues) {
        values.checkCertificates("certificateAuthorities")
        values.checkCertificates("clientCertificate")
        _ = values.file("clientKey")
        for (key, other) in [("clientCertificate", "clientKey"), ("clientKey", "clientCertificate")]
        where values.isSet(key) && !values.isSet(other) {
            values.report(other, "is missing: \(key) needs it")
        }
    }

    private static func discover(
        _ station: String, _ topic: MQTTTopic?, _ settings: inout MQTTSettings, _ values: inout DestinationValues
    ) {
        guard let name = topic?.name(forStation: station), let state = settings.stateTopic else {
            values.report("homeAssistant", "needs a topic without placeholders other than {{station}}")
            return
        }
        if values.isSet("template") || values.text("form") == "template" {
            values.report("homeAssistant", "needs a form other than template, so that it finds the text")
        }
        let path = values.text("form") == "event" ? "" : ".data"
        let discovery = HomeAssistantDiscovery(station: station, topic: name, stateTopic: state, path: path)
        guard values.isSet("homeAssistantComponents") else {
            settings.announcements = [discovery.message(for: .sensor)]
            return
        }
        let components = values.list("homeAssistantComponents")
        for name in components where HomeAssistantDiscovery.Component(rawValue: name) == nil {
            let names = HomeAssistantDiscovery.Component.allCases.map(\.rawValue).joined(separator: ", ")
            values.report("homeAssistantComponents", "\"\(name)\" is not one of \(names)")
        }
        settings.announcements = HomeAssistantDiscovery.Component.allCases.map {
            components.contains($0.rawValue) ? discovery.message(for: $0) : discovery.removal(of: $0)
        }
    }
}
