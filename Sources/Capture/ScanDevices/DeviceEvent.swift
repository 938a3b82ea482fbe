/// What happens at a device that is read.
public struct DeviceEvent: Sendable, Hashable {
    /// The device's name in the configuration.
    public var device: String
    /// Seconds on the clock that never goes back (CLOCK_MONOTONIC), at which the kernel had what ended it.
    public var time: Duration
    /// What happened.
    public var kind: Kind

    /// What happened at a device.
    public enum Kind: Sendable, Hashable {
        /// It has scanned a code.
        case scan(DeviceScan)
        /// A scale has said something.
        case scale(ScaleMessage)
        /// A sensor has measured something: the digits and the unit.
        case measurement(String, unit: String)
        /// What is left in its battery, in percent.
        case battery(Int)
        /// Something came that is no whole message.
        case discarded(DiscardReason, length: Int)
        /// It is there, and is read from now on.
        case connected(DeviceIdentity)
        /// It is there and cannot be read: a sentence that says what to do.
        case unavailable(String)
        /// It was unplugged.
        case disconnected
    }

    /// What happened at a device.
    public init(device: String, time: Duration, kind: Kind) {
        self.device = device
        self.time = time
        self.kind = kind
    }
}
