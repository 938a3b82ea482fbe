internal import CLinux
internal import DeviceAccess
internal import Glibc

/// The devices that there are.
public enum DeviceList {
    /// Where device files are, which a test has elsewhere.
    struct Root: Sendable {
        var path = "/dev"
        /// The address of the system's D-Bus; nil for the usual one.
        var bus: String?
    }

    /// All devices that could be guns or scales: keyboards, HID devices, serial ports, each where it can be opened; and
    /// why others could not be.
    public static func all() -> (devices: [DeviceIdentity], faults: [String]) { all(in: Root()) }

    static func all(in root: Root) -> (devices: [DeviceIdentity], faults: [String]) {
        var devices: [DeviceIdentity] = []
        var faults: [String] = []
        for (folder, prefixes, connection) in places(in: root) {
            for name in DeviceFiles.names(in: folder) where prefixes.contains(where: { isNumbered(name, $0) }) {
                let path = "\(folder)/\(name)"
                do {
                    if let device = try identify(path, connection) { devices.append(device) }
                } catch {
                    if !error.isGone { faults.append("\(error)") }
                }
            }
        }
        return (devices, faults)
    }

    /// The Bluetooth LE devices that bluetoothd knows, each with what is left in its battery, in percent.
    ///
    /// It waits for the answers, for three seconds, or ten more than it searches.
    ///
    /// - Parameter time: how long devices are looked for; where it is nil, only those that are paired or connected are named.
    /// - Returns: the devices, and why there are none: a sentence.
    public static func bluetooth(
        searching time: Duration?
    ) -> (devices: [(device: DeviceIdentity, battery: Int?)], fault: String?) {
        BluetoothHost.devices(searching: time)
    }

    /// The folders in which devices come.
    static func folders(in root: Root) -> [String] { places(in: root).map(\.0) }

    private static func places(in root: Root) -> [(String, [String], DeviceIdentity.Connection)] {
        [
            ("\(root.path)/input", ["event"], .keyboard), (root.path, ["hidraw"], .hid),
            (root.path, ["ttyACM", "ttyUSB"], .serial),
        ]
    }

    /// What a device tells of itself; nil where it is none of the kind.
    static func identify(
        _ path: String, _ connection: DeviceIdentity.Connection
    ) throws(DeviceError) -> DeviceIdentity? {
        switch connection {
        case .keyboard: try keyboard(path)
        case .hid: try hid(path)
        case .serial: DeviceIdentity(connection: .serial, path: path)
        case .bluetooth: nil
        }
    }

    /// A keyboard: it has letters, digits or keypad digits, and Enter or Tab.
    private static func keyboard(_ path: String) throws(DeviceError) -> DeviceIdentity? {
        let file = try DeviceFile(path)
        var keys = [UInt8](repeating: 0, count: 96)
        guard qz_input_keys(file.descriptor, &keys, keys.count) >= 0 else { return nil }
        func has(_ key: UInt16) -> Bool { keys[Int(key) / 8] >> UInt8(key % 8) & 1 != 0 }
        guard has(KeyCode.enter) || has(KeyCode.keypadEnter), has(2) || has(79) else { return nil }
        var id = input_id()
        _ = qz_input_id(file.descriptor, &id)
        return DeviceIdentity(
            connection: .keyboard, path: path, name: file.text(qz_input_name), vendor: id.vendor, product: id.product,
            serialNumber: file.text(qz_input_unique))
    }

    private static func hid(_ path: String) throws(DeviceError) -> DeviceIdentity? {
        let file = try DeviceFile(path)
        let applications = HIDConnection.reportDescriptor(of: file).applications
        guard applications.contains(where: { [0x8C, 0x8D].contains($0.page) }) else { return nil }
        var info = hidraw_devinfo()
        _ = qz_hidraw_info(file.descriptor, &info)
        return DeviceIdentity(
            connection: .hid, path: path, name: file.text(qz_hidraw_name), vendor: UInt16(bitPattern: info.vendor),
            product: UInt16(bitPattern: info.product), serialNumber: file.text(qz_hidraw_unique))
    }

    private static func isNumbered(_ name: String, _ prefix: String) -> Bool {
        let rest = name.dropFirst(prefix.count)
        return name.hasPrefix(prefix) && !rest.isEmpty && rest.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
