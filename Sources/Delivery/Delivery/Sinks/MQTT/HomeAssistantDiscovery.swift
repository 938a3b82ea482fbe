internal import FoundationEssentials
internal import ScanOutbox

/// The MQTT discovery message that makes Home Assistant show the station's last scan as a sensor.
struct HomeAssistantDiscovery: Encodable {
    private struct Device: Encodable {
        var identifiers: [String]
        var manufacturer = "Quietzone"
        var name: String
    }

    /// The default prefix of Home Assistant's discovery topics.
    static let prefix = "homeassistant"
    /// The maximum length of a state in Home Assistant.
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

    /// Creates a sensor for the scans of a station.
    ///
    /// - Parameter path: the path of the event in the message, such as `.data`; empty if the message is the event.
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

    /// The message that announces the sensor.
    var message: MQTTSettings.Retained {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let payload = (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
        return MQTTSettings.Retained(topic: "\(Self.prefix)/sensor/\(objectId)/config", payload: payload)
    }
}
