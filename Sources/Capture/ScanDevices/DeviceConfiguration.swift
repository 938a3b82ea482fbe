/// The configuration of a device that is to be read.
public struct DeviceConfiguration: Sendable, Hashable {
    /// The name of the device in its events.
    public var name: String
    /// The criteria that identify the device.
    public var match: DeviceMatch
    /// The role of the device.
    public var role: Role
    /// The settings of its serial port; ignored for other connections.
    public var line: SerialLine
    /// The way to read it over Bluetooth; ignored for other connections.
    public var bluetooth: BluetoothLink

    /// The role of a device.
    public enum Role: Sendable, Hashable {
        /// It scans codes.
        case gun(Gun)
        /// It weighs.
        case scale(ScaleProtocol)
        /// It measures something else, over Bluetooth.
        case sensor
    }

    /// The settings of a scanner.
    public struct Gun: Sendable, Hashable {
        /// The name of the keyboard layout, for a scanner in keyboard mode.
        public var layout: String
        /// The names of function keys that stand for GS (0x1D), such as `f8`.
        public var separatorKeys: [String]
        /// The terminator, prefix and suffix of its messages.
        public var framing: ScanFraming

        /// Creates the factory settings of a scanner: a US keyboard that ends each code with Enter.
        public init(layout: String = "us", separatorKeys: [String] = [], framing: ScanFraming = ScanFraming()) {
            self.layout = layout
            self.separatorKeys = separatorKeys
            self.framing = framing
        }
    }

    /// The protocol of a scale.
    public enum ScaleProtocol: Sendable, Hashable {
        /// HID POS, which describes itself.
        case hid
        /// A protocol of serial ports, with the unit that the scale is set to.
        case serial(SerialScaleProtocol, WeightReading.Unit = .kilogram)
        /// The content of ``DeviceConfiguration/bluetooth``, in this unit if it is a plain number.
        case bluetooth(WeightReading.Unit)
    }

    /// Creates a configuration.
    public init(
        name: String, match: DeviceMatch, role: Role = .gun(Gun()), line: SerialLine = SerialLine(),
        bluetooth: BluetoothLink = BluetoothLink()
    ) {
        self.name = name
        self.match = match
        self.role = role
        self.line = line
        self.bluetooth = bluetooth
    }
}

/// The settings of a serial port.
public struct SerialLine: Sendable, Hashable {
    /// The parity bit of each byte.
    public enum Parity: String, Sendable, Hashable, CaseIterable {
        case none, even, odd
    }

    /// The speed in bits per second.
    public var speed: Int
    /// The number of data bits, 7 or 8.
    public var dataBits: Int
    /// The parity bit of each byte.
    public var parity: Parity
    /// The number of stop bits, 1 or 2.
    public var stopBits: Int

    /// The supported speeds in bits per second, which are those that the kernel has constants for.
    public static let speeds = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]

    /// Creates settings; 9600 8N1 by default.
    public init(speed: Int = 9600, dataBits: Int = 8, parity: Parity = .none, stopBits: Int = 1) {
        self.speed = speed
        self.dataBits = dataBits
        self.parity = parity
        self.stopBits = stopBits
    }
}
