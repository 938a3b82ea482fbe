internal import FoundationEssentials
internal import ScanOutbox

/// What makes Home Assistant show the station's last scan: its MQTT discovery of a sensor.
struct HomeAssistantDiscovery: Encodable {
    private struct Device: Encodable {
        var identifiers: [String]
        var manufacturer = "Quietzone"
        var name: String
    }

    /// The prefix of the topics at which Home Assistant looks where it is not told otherwise.
    static let prefix = "homeassistant"
    /// The longest state that Home Assistant takes.
    private static let maximumState = 255

    private let availabilityTopic: String
    private let device: Device
    private let icon = "mdi:barcode-scan"
    private let jsonAttributesTemplate: String
    private let jsonAttributesTopic: String
    private let name = "Last scan"
    private let objectId: String
    private let stateTopic: String
    private let uniqueId: String
    private let valueTemplate: String

    /// The sensor of a station's scans at a topic.
    ///
    /// - Parameter path: where the event is in the message, such as `.data`; empty where the message is the event.
    init(station: String, topic: String, stateTopic: String, path: String) {
        let identifier = "quietzone_" + String(station.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        availabilityTopic = stateTopic
        device = Device(identifiers: [identifier], name: "Quietzone \(station)")
        jsonAttributesTemplate = "{{ value_json\(path) | tojson }}"
        jsonAttributesTopic = topic
        objectId = identifier + "_last_scan"
        self.stateTopic = topic
        uniqueId = objectId
        valueTemplate = "{{ value_json\(path).symbol.text[:\(Self.maximumState)] }}"
    }

    /// The message that announces it.
    var message: MQTTSettings.Retained {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let payload = (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
        return MQTTSettings.Retained(topic: "\(Self.prefix)/sensor/\(objectId)/config", payload: payload)
    }
}
