/// An event of a device.
public struct DeviceEvent: Sendable, Hashable {
    /// The device's name in the configuration.
    public var device: String
    /// The time at which the kernel received the end of the input, on CLOCK_MONOTONIC.
    public var time: Duration
    /// The kind of event, with its data.
    public var kind: Kind

    /// A kind of device event.
    public enum Kind: Sendable, Hashable {
        /// The device has scanned a code.
        case scan(DeviceScan)
        /// A scale has sent a message.
        case scale(ScaleMessage)
        /// A sensor has sent a measurement: the digits and the unit.
        case measurement(String, unit: String)
        /// The battery level, in percent.
        case battery(Int)
        /// Input was discarded because it is not a complete message; `length` is in bytes.
        case discarded(DiscardReason, length: Int)
        /// The device is connected, and is read from now on.
        case connected(DeviceIdentity)
        /// The device is present but cannot be read: a sentence that says what to do.
        case unavailable(String)
        /// The device was unplugged.
        case disconnected
    }

    /// Creates an event.
    public init(device: String, time: Duration, kind: Kind) {
        self.device = device
        self.time = time
        self.kind = kind
    }
}
