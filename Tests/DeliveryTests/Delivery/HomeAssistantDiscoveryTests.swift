import Foundation
import Testing

@testable import Delivery

/// The discovery messages for Home Assistant, beside the keys that it documents.
@Suite struct HomeAssistantDiscoveryTests {
    private static let discovery = HomeAssistantDiscovery(
        station: "ward-3", topic: "ward/scans", stateTopic: "ward/state", path: ".data")

    private static let entity: Set = [
        "availability_topic", "default_entity_id", "device", "icon", "json_attributes_template",
        "json_attributes_topic", "name", "state_topic", "unique_id", "value_template",
    ]

    /// The component, the keys that the schemas of Home Assistant 2026.11 require, and those that they allow.
    @Test(
        arguments: [
            (.sensor, ["state_topic"], entity),
            (.event, ["event_types", "state_topic"], entity.union(["event_types"])),
            (.tag, ["topic"], ["device", "topic", "value_template"]),
            (
                .deviceAutomation, ["automation_type", "device", "subtype", "topic", "type"],
                ["automation_type", "device", "payload", "qos", "subtype", "topic", "type", "value_template"]
            ),
        ] as [(HomeAssistantDiscovery.Component, Set<String>, Set<String>)])
    func keys(_ component: HomeAssistantDiscovery.Component, _ required: Set<String>, _ allowed: Set<String>) throws {
        let message = Self.discovery.message(for: component)
        let payload = try #require(JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
        #expect(Set(payload.keys).isSuperset(of: required))
        #expect(Set(payload.keys).isSubset(of: allowed), "\(payload.keys)")
        let device = try #require(payload["device"] as? [String: Any])
        #expect(device["identifiers"] as? [String] == ["quietzone_ward_3"])
        #expect((payload["state_topic"] ?? payload["topic"]) as? String == "ward/scans")
        #expect(message.topic.wholeMatch(of: /homeassistant\/[a-z_]+\/[a-zA-Z0-9_-]+\/config/) != nil)
        if let id = payload["default_entity_id"] as? String { #expect(id.hasPrefix("\(component.rawValue).")) }
    }

    @Test func eachComponentHasItsTopic() {
        let topics = HomeAssistantDiscovery.Component.allCases.map { Self.discovery.message(for: $0).topic }
        #expect(
            topics == [
                "homeassistant/sensor/quietzone_ward_3_last_scan/config",
                "homeassistant/tag/quietzone_ward_3_tag/config", "homeassistant/event/quietzone_ward_3_scan/config",
                "homeassistant/device_automation/quietzone_ward_3_trigger/config",
            ])
        #expect(topics == HomeAssistantDiscovery.Component.allCases.map { Self.discovery.removal(of: $0).topic })
        #expect(HomeAssistantDiscovery.Component.allCases.allSatisfy { Self.discovery.removal(of: $0).payload.isEmpty })
    }
}
