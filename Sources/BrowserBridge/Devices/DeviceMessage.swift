internal import FoundationEssentials
internal import ScanDevices
internal import ScanEvents
internal import StationDevices

/// The devices as they are sent.
struct DevicesMessage: Encodable {
    var devices: [DeviceMessage]

    init(_ states: [DeviceState]) { devices = states.map(DeviceMessage.init) }
}

/// A scan gun or scale as it is sent.
struct DeviceMessage: Encodable {
    var name: String
    var kind: String
    var status: String
    var problem: OrNull<String>
    var connection: OrNull<String>
    var path: OrNull<String>
    /// The name that the device tells.
    var product: OrNull<String>
    var lastSeen: OrNull<String>
    var scans: Int
    var discarded: Int
    /// What a scale shows; null for one that shows nothing, and for a gun.
    var weight: OrNull<WeightMessage>

    init(_ state: DeviceState) {
        name = state.name
        kind = state.kind.rawValue
        status = state.status.rawValue
        problem = OrNull(state.problem)
        connection = OrNull(state.identity?.connection.rawValue)
        path = OrNull(state.identity?.path)
        product = OrNull(state.identity.flatMap { $0.name.isEmpty ? nil : $0.name })
        lastSeen = OrNull(state.lastSeen?.rfc3339)
        scans = state.scans
        discarded = state.discarded
        if case .weight(let reading) = state.message {
            weight = OrNull(WeightMessage(reading, device: state.name))
        } else {
            weight = OrNull(nil)
        }
    }
}

/// A weight as it is sent.
struct WeightMessage: Encodable {
    var device: String
    /// The digits that the scale shows.
    var weight: String
    var unit: String
    var stable: Bool
    /// Whether a tare has been taken off; null where the scale does not say.
    var net: OrNull<Bool>

    init(_ reading: WeightReading, device: String) {
        self.device = device
        weight = reading.value
        unit = reading.unit.rawValue
        stable = reading.isStable
        net = OrNull(reading.isNet)
    }
}
