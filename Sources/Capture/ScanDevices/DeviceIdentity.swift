internal import DeviceAccess

/// What tells one device from another.
public struct DeviceIdentity: Sendable, Hashable {
    /// How a device is connected.
    public enum Connection: String, Sendable, Hashable, CaseIterable {
        /// A keyboard, as the kernel has it in /dev/input.
        case keyboard
        /// A HID device in its own words, in /dev/hidraw*.
        case hid
        /// A serial port.
        case serial
        /// Bluetooth LE, by bluetoothd.
        case bluetooth
    }

    /// How it is connected.
    public var connection: Connection
    /// Where it is now, such as `/dev/input/event5`; it may be elsewhere when it is plugged in again.
    public var path: String
    /// The name that the device tells; empty where it tells none.
    public var name: String
    /// The number of its maker; nil where it has none.
    public var vendor: UInt16?
    /// The number that its maker gave it; nil where it has none.
    public var product: UInt16?
    /// The serial number, or the address of a Bluetooth device; empty where it tells none.
    public var serialNumber: String
    /// What a Bluetooth device advertises for its maker: the maker's number, lower byte first, and what follows.
    public var manufacturerData: [UInt8]

    /// What tells a device from others.
    public init(
        connection: Connection, path: String, name: String = "", vendor: UInt16? = nil, product: UInt16? = nil,
        serialNumber: String = "", manufacturerData: [UInt8] = []
    ) {
        self.connection = connection
        self.path = path
        self.name = name
        self.vendor = vendor
        self.product = product
        self.serialNumber = serialNumber
        self.manufacturerData = manufacturerData
    }
}

/// Which device is meant: it is one of which all that is said here is true.
public struct DeviceMatch: Sendable, Hashable {
    /// How it is connected; nil where that does not matter.
    public var connection: DeviceIdentity.Connection?
    /// The path, such as `/dev/input/by-id/...`; a link is followed.
    public var path: String?
    /// A part of its name, in any case.
    public var name: String?
    /// The number of its maker.
    public var vendor: UInt16?
    /// The number that its maker gave it.
    public var product: UInt16?
    /// A part of its serial number or Bluetooth address, in any case.
    public var serialNumber: String?
    /// A part of what a Bluetooth device advertises for its maker.
    public var manufacturerData: [UInt8]?

    /// A device of which nothing is said.
    public init(
        connection: DeviceIdentity.Connection? = nil, path: String? = nil, name: String? = nil, vendor: UInt16? = nil,
        product: UInt16? = nil, serialNumber: String? = nil, manufacturerData: [UInt8]? = nil
    ) {
        self.connection = connection
        self.path = path
        self.name = name
        self.vendor = vendor
        self.product = product
        self.serialNumber = serialNumber
        self.manufacturerData = manufacturerData
    }

    /// Whether this device is meant; links are followed.
    public func matches(_ device: DeviceIdentity) -> Bool { matches(device, resolving: DeviceFiles.resolved) }

    /// Whether this device is meant.
    ///
    /// - Parameter resolve: follows the links of a path; nil where there is nothing.
    func matches(_ device: DeviceIdentity, resolving resolve: (String) -> String?) -> Bool {
        if let connection, connection != device.connection { return false }
        if let path, path != device.path, resolve(path) != resolve(device.path) { return false }
        if let name, !device.name.lowercased().contains(name.lowercased()) { return false }
        if let vendor, vendor != device.vendor { return false }
        if let product, product != device.product { return false }
        if let serialNumber, !device.serialNumber.lowercased().contains(serialNumber.lowercased()) { return false }
        if let manufacturerData, !device.manufacturerData.contains(manufacturerData) { return false }
        return true
    }
}
