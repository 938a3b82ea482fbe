internal import DeviceAccess

/// The identity of a device.
public struct DeviceIdentity: Sendable, Hashable {
    /// The connection of a device.
    public enum Connection: String, Sendable, Hashable, CaseIterable {
        /// A keyboard in /dev/input.
        case keyboard
        /// A HID device in /dev/hidraw*.
        case hid
        /// A serial port.
        case serial
        /// Bluetooth LE through bluetoothd.
        case bluetooth
    }

    /// The connection.
    public var connection: Connection
    /// The current path, such as `/dev/input/event5`; it may change when the device is plugged in again.
    public var path: String
    /// The name that the device reports; empty if it reports none.
    public var name: String
    /// The vendor ID; `nil` if the device has none.
    public var vendor: UInt16?
    /// The product ID; `nil` if the device has none.
    public var product: UInt16?
    /// The serial number, or the address of a Bluetooth device; empty if there is none.
    public var serialNumber: String
    /// The advertised manufacturer data of a Bluetooth device: the company identifier, lower byte first, and the
    /// data.
    public var manufacturerData: [UInt8]

    /// Creates an identity.
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

/// Criteria that identify a device; all criteria that are given must match.
public struct DeviceMatch: Sendable, Hashable {
    /// The connection; `nil` for any.
    public var connection: DeviceIdentity.Connection?
    /// The path, such as `/dev/input/by-id/...`; symbolic links are followed.
    public var path: String?
    /// A part of its name, case-insensitive.
    public var name: String?
    /// The vendor ID.
    public var vendor: UInt16?
    /// The product ID.
    public var product: UInt16?
    /// A part of its serial number or Bluetooth address, case-insensitive.
    public var serialNumber: String?
    /// A part of the advertised manufacturer data of a Bluetooth device.
    public var manufacturerData: [UInt8]?

    /// Creates criteria; without any, every device matches.
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

    /// Indicates whether a device matches; symbolic links are followed.
    public func matches(_ device: DeviceIdentity) -> Bool { matches(device, resolving: DeviceFiles.resolved) }

    /// Indicates whether a device matches.
    ///
    /// - Parameter resolve: follows the symbolic links of a path; `nil` if nothing is there.
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
