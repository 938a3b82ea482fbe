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
typealias DeviceMessage = SourceMessage<DeviceDetails>

/// What is sent of a scan gun or scale alone.
struct DeviceDetails: Encodable, Sendable {
    var name: String
    var kind: String
    var connection: OrNull<String>
    /// The name that the device tells.
    var product: OrNull<String>
    /// How full its battery is, in percent; null of one that has none or does not tell.
    var battery: OrNull<Int>
    var lastSeen: OrNull<String>
    var scans: Int
    var discarded: Int
    /// What a scale shows; null for one that shows nothing, and for a gun.
    var weight: OrNull<WeightMessage>
    /// What a sensor measured last.
    var measurement: OrNull<MeasurementMessage>
}

extension DeviceMessage {
    init(_ state: DeviceState) {
        var weight: WeightMessage?
        if case .weight(let reading) = state.message { weight = WeightMessage(reading, device: state.name) }
        let details = DeviceDetails(
            name: state.name, kind: state.kind.rawValue, connection: OrNull(state.identity?.connection.rawValue),
            product: OrNull(state.identity.flatMap { $0.name.isEmpty ? nil : $0.name }),
            battery: OrNull(state.battery), lastSeen: OrNull(state.lastSeen?.rfc3339), scans: state.scans,
            discarded: state.discarded, weight: OrNull(weight),
            measurement: OrNull(state.measurement.map { MeasurementMessage(value: $0.value, unit: $0.unit) }))
        self.init(state.status, problem: state.problem, path: state.identity?.path, details: details)
    }
}

/// A measurement as it is sent.
struct MeasurementMessage: Encodable {
    /// The digits.
    var value: String
    var unit: String
}

/// A weight as it is sent.
struct WeightMessage: Encodable, Sendable {
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
