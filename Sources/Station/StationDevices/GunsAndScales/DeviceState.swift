public import FoundationEssentials
public import ScanDevices

/// The state of a device.
public struct DeviceState: Sendable, Hashable {
    /// The status of a device.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// It is not connected.
        case away
        /// It is connected and readable.
        case connected
        /// It is connected but cannot be read, see ``DeviceState/problem``.
        case unavailable
    }

    /// The kind of a device.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case gun, scale, sensor
    }

    /// A measurement of a sensor.
    public struct Measurement: Sendable, Hashable {
        /// The digits.
        public var value: String
        /// The unit; empty if none is configured.
        public var unit: String
    }

    /// Its name in the configuration.
    public var name: String
    /// The kind.
    public var kind: Kind
    /// The status.
    public var status: Status
    /// The identity as of the last connection; `nil` if it was never connected.
    public var identity: DeviceIdentity?
    /// The reason why it cannot be read, as a sentence; `nil` if it can.
    public var problem: String?
    /// The battery level, in percent; `nil` if it has no battery, does not report it, or was not queried yet.
    public var battery: Int?
    /// The time of the last event; `nil` if there was none.
    public var lastSeen: Date?
    /// The number of scans since the program started.
    public var scans = 0
    /// The number of discarded, incomplete scans.
    public var discarded = 0
    /// The last measurement of a sensor; `nil` if there was none since it was connected.
    public var measurement: Measurement?
    /// The last report of a scale; `nil` if there was none since it was connected.
    public var message: ScaleMessage?
    /// The time of that report, on the clock of events.
    var messageTime: Duration = .zero

    init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
        status = .away
    }

    /// Applies an event.
    mutating func take(_ event: DeviceEvent, at date: Date) {
        switch event.kind {
        case .connected(let identity):
            self.identity = identity
            (status, problem, battery) = (.connected, nil, nil)
        case .disconnected:
            (status, problem) = (.away, nil)
            (message, measurement) = (nil, nil)
        case .unavailable(let sentence):
            (status, problem) = (.unavailable, sentence)
            (message, measurement) = (nil, nil)
        case .battery(let percent): battery = percent
        case .measurement(let value, let unit): measurement = Measurement(value: value, unit: unit)
        case .scan: scans += 1
        case .discarded: discarded += 1
        case .scale(let message):
            self.message = message
            messageTime = event.time
        }
        switch event.kind {
        case .unavailable, .disconnected: break
        default: lastSeen = date
        }
    }
}

extension DeviceConfiguration {
    /// The kind of the device.
    public var kind: DeviceState.Kind {
        switch role {
        case .gun: .gun
        case .scale: .scale
        case .sensor: .sensor
        }
    }
}
