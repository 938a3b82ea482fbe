internal import CLinux
internal import DeviceAccess
internal import Glibc

/// Lists the devices of this computer.
public enum DeviceList {
    /// The folder of the device files; tests use another one.
    struct Root: Sendable {
        var path = "/dev"
        /// The address of the system bus; `nil` for the default one.
        var bus: String?
    }

    /// Lists the devices that may be scanners or scales: keyboards, HID devices and serial ports.
    ///
    /// It lists the devices that can be opened, and the reasons why others cannot.
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

    /// Lists the Bluetooth LE devices that bluetoothd knows, each with its battery level in percent.
    ///
    /// It waits for replies for three seconds, or for ten seconds beyond the time of discovery.
    ///
    /// - Parameter time: the duration of discovery; if `nil`, only paired and connected devices are listed.
    /// - Returns: the devices, and the reason why there are none: a sentence.
    public static func bluetooth(
        searching time: Duration?
    ) -> (devices: [(device: DeviceIdentity, battery: Int?)], fault: String?) {
        BluetoothHost.devices(searching: time)
    }

    /// The folders in which devices appear.
    static func folders(in root: Root) -> [String] { places(in: root).map(\.0) }

    private static func places(in root: Root) -> [(String, [String], DeviceIdentity.Connection)] {
        [
            ("\(root.path)/input", ["event"], .keyboard), (root.path, ["hidraw"], .hid),
            (root.path, ["ttyACM", "ttyUSB"], .serial),
        ]
    }

    /// Returns the identity of a device; `nil` if it is not a device of this kind.
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

    /// Identifies a keyboard, which has digits or keypad digits, and an Enter key; `nil` for other input devices.
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
