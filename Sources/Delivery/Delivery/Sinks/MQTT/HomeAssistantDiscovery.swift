internal import FoundationEssentials
internal import ScanOutbox

/// The MQTT discovery messages by which Home Assistant learns of a station.
struct HomeAssistantDiscovery {
    /// A way in which Home Assistant can present scans, by its name in discovery topics.
    enum Component: String, CaseIterable, Sendable {
        /// The last scan as the state of an entity.
        case sensor
        /// Each scan as a scanned tag, whose ID is the text of the code.
        case tag
        /// Each scan as an event of an entity, with the fields of the scan as its attributes.
        case event
        /// Each scan as a trigger of the device.
        case deviceAutomation = "device_automation"
    }

    private struct Device: Encodable {
        var identifiers: [String]
        var manufacturer = "Quietzone"
        var name: String
    }

    /// The payload of a discovery message; a key is `nil` if the component does not have it.
    private struct Payload: Encodable {
        var automationType: String?
        var availabilityTopic: String?
        var defaultEntityId: String?
        var device: Device
        var eventTypes: [String]?
        var icon: String?
        var jsonAttributesTemplate: String?
        var jsonAttributesTopic: String?
        var name: String?
        var stateTopic: String?
        var subtype: String?
        var topic: String?
        var type: String?
        var uniqueId: String?
        var valueTemplate: String?
    }

    /// The default prefix of Home Assistant's discovery topics.
    static let prefix = "homeassistant"
    /// The maximum length of a state in Home Assistant.
    private static let maximumState = 255

    /// The name of the station.
    var station: String
    /// The topic of the scans.
    var topic: String
    /// The topic that says whether the station is connected.
    var stateTopic: String
    /// The path of the event in the message, such as `.data`; empty if the message is the event.
    var path: String

    /// The message that announces a component.
    func message(for component: Component) -> MQTTSettings.Retained {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let bytes = (try? encoder.encode(payload(for: component))).map { [UInt8]($0) } ?? []
        return MQTTSettings.Retained(topic: topic(for: component), payload: bytes)
    }

    /// The message that has Home Assistant forget a component.
    func removal(of component: Component) -> MQTTSettings.Retained {
        MQTTSettings.Retained(topic: topic(for: component), payload: [])
    }

    private var identifier: String {
        "quietzone_" + String(station.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private func objectID(of component: Component) -> String {
        switch component {
        case .sensor: "\(identifier)_last_scan"
        case .tag: "\(identifier)_tag"
        case .event: "\(identifier)_scan"
        case .deviceAutomation: "\(identifier)_trigger"
        }
    }

    private func topic(for component: Component) -> String {
        "\(Self.prefix)/\(component.rawValue)/\(objectID(of: component))/config"
    }

    private func payload(for component: Component) -> Payload {
        var payload = Payload(device: Device(identifiers: [identifier], name: "Quietzone \(station)"))
        switch component {
        case .sensor:
            describeEntity(component, "Last scan", in: &payload)
            payload.jsonAttributesTemplate = "{{ value_json\(path) | tojson }}"
            payload.jsonAttributesTopic = topic
            payload.valueTemplate = "{{ value_json\(path).symbol.text[:\(Self.maximumState)] }}"
        case .event:
            describeEntity(component, "Scan", in: &payload)
            payload.eventTypes = ["scan"]
            payload.valueTemplate = "{{ dict(value_json\(path), event_type='scan') | tojson }}"
        case .tag:
            payload.topic = topic
            payload.valueTemplate = "{{ value_json\(path).symbol.text }}"
        case .deviceAutomation:
            payload.automationType = "trigger"
            payload.topic = topic
            payload.type = "scanned"
            payload.subtype = "code"
        }
        return payload
    }

    private func describeEntity(_ component: Component, _ name: String, in payload: inout Payload) {
        payload.availabilityTopic = stateTopic
        payload.defaultEntityId = "\(component.rawValue).\(objectID(of: component))"
        payload.icon = "mdi:barcode-scan"
        payload.name = name
        payload.stateTopic = topic
        payload.uniqueId = objectID(of: component)
    }
}
