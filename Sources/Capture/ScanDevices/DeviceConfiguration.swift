/// A device that is to be read.
public struct DeviceConfiguration: Sendable, Hashable {
    /// The name that its events carry.
    public var name: String
    /// Which device it is.
    public var match: DeviceMatch
    /// What it does.
    public var role: Role
    /// How its serial port is set; of other connections it says nothing.
    public var line: SerialLine
    /// How it is read over Bluetooth; of other connections it says nothing.
    public var bluetooth: BluetoothLink

    /// What a device does.
    public enum Role: Sendable, Hashable {
        /// It scans codes.
        case gun(Gun)
        /// It weighs.
        case scale(ScaleProtocol)
        /// It measures something else, over Bluetooth.
        case sensor
    }

    /// How a scan gun is set.
    public struct Gun: Sendable, Hashable {
        /// The name of the layout of one that plays a keyboard.
        public var layout: String
        /// Names of function keys that mean GS (0x1D), such as `f8`.
        public var separatorKeys: [String]
        /// How its messages end, and what is around them.
        public var framing: ScanFraming

        /// A gun as it leaves the factory: an American keyboard that ends with Enter.
        public init(layout: String = "us", separatorKeys: [String] = [], framing: ScanFraming = ScanFraming()) {
            self.layout = layout
            self.separatorKeys = separatorKeys
            self.framing = framing
        }
    }

    /// The protocol of a scale.
    public enum ScaleProtocol: Sendable, Hashable {
        /// HID POS, which tells all itself.
        case hid
        /// A protocol of serial ports, with the unit that the scale is set to.
        case serial(SerialScaleProtocol, WeightReading.Unit = .kilogram)
        /// What ``DeviceConfiguration/bluetooth`` says, in this unit where it is a number.
        case bluetooth(WeightReading.Unit)
    }

    /// A device that is to be read.
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

/// How a serial port is set.
public struct SerialLine: Sendable, Hashable {
    /// Whether and how each byte has a parity bit.
    public enum Parity: String, Sendable, Hashable, CaseIterable {
        case none, even, odd
    }

    /// Bits a second.
    public var speed: Int
    /// 7 or 8.
    public var dataBits: Int
    /// Whether and how each byte has a parity bit.
    public var parity: Parity
    /// 1 or 2.
    public var stopBits: Int

    /// The speeds that the kernel knows by name.
    public static let speeds = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]

    /// How a serial port is set; 9600 8N1 unless said otherwise.
    public init(speed: Int = 9600, dataBits: Int = 8, parity: Parity = .none, stopBits: Int = 1) {
        self.speed = speed
        self.dataBits = dataBits
        self.parity = parity
        self.stopBits = stopBits
    }
}
