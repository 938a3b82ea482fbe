internal import FoundationEssentials
internal import ScanDevices
internal import ScanEvents
internal import StationDevices

/// The devices, as sent to clients.
struct DevicesMessage: Encodable {
    var devices: [DeviceMessage]

    init(_ states: [DeviceState]) { devices = states.map(DeviceMessage.init) }
}

/// A scan gun, scale or sensor, as sent to clients.
typealias DeviceMessage = SourceMessage<DeviceDetails>

/// The fields of a device message that other sources do not have.
struct DeviceDetails: Encodable, Sendable {
    var name: String
    var kind: String
    var connection: OrNull<String>
    /// The product name that the device reports.
    var product: OrNull<String>
    /// The battery level, in percent; null if there is no battery or no report.
    var battery: OrNull<Int>
    var lastSeen: OrNull<String>
    var scans: Int
    var discarded: Int
    /// The weight of a scale; null if there is none, and for other devices.
    var weight: OrNull<WeightMessage>
    /// The last measurement of a sensor.
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

/// A measurement, as sent to clients.
struct MeasurementMessage: Encodable {
    /// The digits.
    var value: String
    var unit: String
}

/// A weight, as sent to clients.
struct WeightMessage: Encodable, Sendable {
    var device: String
    /// The digits as shown by the scale.
    var weight: String
    var unit: String
    var stable: Bool
    /// Indicates whether a tare was subtracted; null if the scale does not report it.
    var net: OrNull<Bool>

    init(_ reading: WeightReading, device: String) {
        self.device = device
        weight = reading.value
        unit = reading.unit.rawValue
        stable = reading.isStable
        net = OrNull(reading.isNet)
    }
}
