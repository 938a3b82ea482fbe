public import FoundationEssentials
public import ScanDevices

/// What is known of a device that is read.
public struct DeviceState: Sendable, Hashable {
    /// Whether it can be read.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// It is not there.
        case away
        /// It is read.
        case connected
        /// It is there and cannot be read, see ``DeviceState/problem``.
        case unavailable
    }

    /// What a device does.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case gun, scale, sensor
    }

    /// What a sensor has measured.
    public struct Measurement: Sendable, Hashable {
        /// The digits.
        public var value: String
        /// The unit; empty where none is configured.
        public var unit: String
    }

    /// Its name in the configuration.
    public var name: String
    /// What it does.
    public var kind: Kind
    /// Whether it can be read.
    public var status: Status
    /// What tells it from others, since it was connected for the last time; nil before.
    public var identity: DeviceIdentity?
    /// Why it cannot be read, as a sentence; nil where it can.
    public var problem: String?
    /// How full its battery is, in percent; nil where it has none, does not tell, or has not been asked.
    public var battery: Int?
    /// When something came from it for the last time; nil where nothing has.
    public var lastSeen: Date?
    /// The codes that it has scanned since the program began.
    public var scans = 0
    /// What came from it and was no whole code.
    public var discarded = 0
    /// What a sensor measured last; nil where it has measured nothing since it was connected.
    public var measurement: Measurement?
    /// What a scale said last; nil where it has said nothing since it was connected.
    public var message: ScaleMessage?
    /// When it said so, on the clock of events.
    var messageTime: Duration = .zero

    init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
        status = .away
    }

    /// Takes what has happened at it.
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
    /// What the device does.
    public var kind: DeviceState.Kind {
        switch role {
        case .gun: .gun
        case .scale: .scale
        case .sensor: .sensor
        }
    }
}
