/// What bluetoothd tells of adapters, devices and what they offer: the objects of its D-Bus interface.
struct BlueZObjects: Sendable {
    /// More than any machine has; what comes beyond is left out, so that a flood of advertisements takes no memory.
    private static let maximumCount = 20_000

    /// The interfaces that are used, without `org.bluez.`.
    enum Interface: String, CaseIterable {
        case adapter = "Adapter1"
        case device = "Device1"
        case service = "GattService1"
        case characteristic = "GattCharacteristic1"
        case battery = "Battery1"

        init?(name: String) {
            guard name.hasPrefix("org.bluez.") else { return nil }
            self.init(rawValue: String(name.dropFirst("org.bluez.".count)))
        }

        var name: String { "org.bluez.\(rawValue)" }
    }

    private var objects: [Interface: [String: [String: BusValue]]] = [:]

    /// Takes the interfaces of an object.
    mutating func add(_ path: String, _ interfaces: [String: BusValue]) {
        for (name, value) in interfaces {
            guard let interface = Interface(name: name), let properties = value.table,
                objects[interface, default: [:]].count < Self.maximumCount
            else { continue }
            objects[interface, default: [:]][path] = properties
        }
    }

    /// Takes that interfaces of an object are gone.
    mutating func remove(_ path: String, _ interfaces: [String]) {
        for interface in interfaces.compactMap(Interface.init(name:)) { objects[interface]?[path] = nil }
    }

    /// Takes what has changed of an object.
    mutating func change(_ path: String, _ interface: Interface, _ changed: [String: BusValue], gone: [String]) {
        guard var properties = objects[interface]?.removeValue(forKey: path) else { return }
        for (name, value) in changed { properties[name] = value }
        for name in gone { properties[name] = nil }
        objects[interface]?[path] = properties
    }

    private func property(_ path: String, _ interface: Interface, _ name: String) -> BusValue? {
        objects[interface]?[path]?[name]
    }

    // MARK: what is told

    /// The adapters, by their paths.
    var adapters: [String] { (objects[.adapter] ?? [:]).keys.sorted() }

    /// Whether an adapter is switched on.
    func isPowered(_ adapter: String) -> Bool { property(adapter, .adapter, "Powered")?.flag == true }

    /// Whether an adapter looks for devices.
    func isDiscovering(_ adapter: String) -> Bool { property(adapter, .adapter, "Discovering")?.flag == true }

    /// The devices, by their paths.
    var devices: [String] { (objects[.device] ?? [:]).keys.sorted() }

    /// Whether there is such a device, at an adapter that is switched on.
    func isUsable(_ device: String) -> Bool {
        guard let adapter = property(device, .device, "Adapter")?.text else { return false }
        return isPowered(adapter)
    }

    /// Whether a device is one of this computer's own, and not only one that was near.
    func isKept(_ device: String) -> Bool {
        isConnected(device) || property(device, .device, "Paired")?.flag == true
    }

    func isConnected(_ device: String) -> Bool { property(device, .device, "Connected")?.flag == true }

    /// Whether the services of a device are known.
    func isResolved(_ device: String) -> Bool { property(device, .device, "ServicesResolved")?.flag == true }

    /// What tells a device from others.
    func identity(_ device: String) -> DeviceIdentity {
        DeviceIdentity(
            connection: .bluetooth, path: device,
            name: property(device, .device, "Name")?.text ?? property(device, .device, "Alias")?.text ?? "",
            serialNumber: property(device, .device, "Address")?.text ?? "", manufacturerData: manufacturerData(device))
    }

    /// The manufacturer data of a device as it was sent: the maker's number, lower byte first, and what follows.
    func manufacturerData(_ device: String) -> [UInt8] {
        let table = property(device, .device, "ManufacturerData")?.table ?? [:]
        return table.sorted { $0.key < $1.key }.flatMap { key, value -> [UInt8] in
            guard let maker = UInt16(key) else { return [] }
            return [UInt8(truncatingIfNeeded: maker), UInt8(truncatingIfNeeded: maker >> 8)] + (value.bytes ?? [])
        }
    }

    /// What a device has advertised of a service.
    func serviceData(_ device: String, of service: String) -> [UInt8]? {
        property(device, .device, "ServiceData")?.table?[service]?.bytes
    }

    /// What is left in a device's battery, in percent.
    func battery(_ device: String) -> Int? {
        property(device, .battery, "Percentage")?.number.flatMap { (0...100).contains($0) ? Int($0) : nil }
    }

    /// Whether there is such a characteristic.
    func has(characteristic: String) -> Bool { objects[.characteristic]?[characteristic] != nil }

    /// A characteristic of a device; nil where it has none.
    func characteristic(of device: String, service: String, _ uuid: String) -> String? {
        let services = (objects[.service] ?? [:]).filter {
            $0.value["Device"]?.text == device && $0.value["UUID"]?.text?.lowercased() == service
        }
        return (objects[.characteristic] ?? [:]).filter {
            $0.value["UUID"]?.text?.lowercased() == uuid && services[$0.value["Service"]?.text ?? ""] != nil
        }.keys.min()
    }
}
