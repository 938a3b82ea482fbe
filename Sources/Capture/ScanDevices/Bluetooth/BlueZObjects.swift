/// The objects of bluetoothd's D-Bus interface: adapters, devices, services and characteristics.
struct BlueZObjects: Sendable {
    /// More objects than any machine has; the rest is ignored, so that a flood of advertisements cannot exhaust
    /// memory.
    private static let maximumCount = 20_000

    /// The interfaces in use, without `org.bluez.`.
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

    /// Adds the interfaces of an object.
    mutating func add(_ path: String, _ interfaces: [String: BusValue]) {
        for (name, value) in interfaces {
            guard let interface = Interface(name: name), let properties = value.table,
                objects[interface, default: [:]].count < Self.maximumCount
            else { continue }
            objects[interface, default: [:]][path] = properties
        }
    }

    /// Removes interfaces of an object.
    mutating func remove(_ path: String, _ interfaces: [String]) {
        for interface in interfaces.compactMap(Interface.init(name:)) { objects[interface]?[path] = nil }
    }

    /// Updates the properties of an object.
    mutating func change(_ path: String, _ interface: Interface, _ changed: [String: BusValue], gone: [String]) {
        guard var properties = objects[interface]?.removeValue(forKey: path) else { return }
        for (name, value) in changed { properties[name] = value }
        for name in gone { properties[name] = nil }
        objects[interface]?[path] = properties
    }

    private func property(_ path: String, _ interface: Interface, _ name: String) -> BusValue? {
        objects[interface]?[path]?[name]
    }

    // MARK: properties

    /// The object paths of the adapters.
    var adapters: [String] { (objects[.adapter] ?? [:]).keys.sorted() }

    /// Indicates whether an adapter is powered on.
    func isPowered(_ adapter: String) -> Bool { property(adapter, .adapter, "Powered")?.flag == true }

    /// The object paths of the devices.
    var devices: [String] { (objects[.device] ?? [:]).keys.sorted() }

    /// Indicates whether the device exists at an adapter that is powered on.
    func isUsable(_ device: String) -> Bool {
        guard let adapter = property(device, .device, "Adapter")?.text else { return false }
        return isPowered(adapter)
    }

    /// Indicates whether a device belongs to this computer (paired or connected), and was not only seen nearby.
    func isKept(_ device: String) -> Bool {
        isConnected(device) || property(device, .device, "Paired")?.flag == true
    }

    func isConnected(_ device: String) -> Bool { property(device, .device, "Connected")?.flag == true }

    /// Indicates whether the services of a device are resolved.
    func isResolved(_ device: String) -> Bool { property(device, .device, "ServicesResolved")?.flag == true }

    /// Returns the identity of a device.
    func identity(_ device: String) -> DeviceIdentity {
        DeviceIdentity(
            connection: .bluetooth, path: device,
            name: property(device, .device, "Name")?.text ?? property(device, .device, "Alias")?.text ?? "",
            serialNumber: property(device, .device, "Address")?.text ?? "", manufacturerData: manufacturerData(device))
    }

    /// Returns the manufacturer data of a device as it was sent: the company identifier, lower byte first, and the
    /// data.
    func manufacturerData(_ device: String) -> [UInt8] {
        let table = property(device, .device, "ManufacturerData")?.table ?? [:]
        return table.sorted { $0.key < $1.key }.flatMap { key, value -> [UInt8] in
            guard let maker = UInt16(key) else { return [] }
            return [UInt8(truncatingIfNeeded: maker), UInt8(truncatingIfNeeded: maker >> 8)] + (value.bytes ?? [])
        }
    }

    /// Returns the advertised data of a service; `nil` if there is none.
    func serviceData(_ device: String, of service: String) -> [UInt8]? {
        property(device, .device, "ServiceData")?.table?[service]?.bytes
    }

    /// Returns the battery level of a device in percent; `nil` if it is not known.
    func battery(_ device: String) -> Int? {
        property(device, .battery, "Percentage")?.number.flatMap { (0...100).contains($0) ? Int($0) : nil }
    }

    /// Indicates whether the characteristic exists.
    func has(characteristic: String) -> Bool { objects[.characteristic]?[characteristic] != nil }

    /// Returns the object path of a characteristic of a device; `nil` if the device has no such characteristic.
    func characteristic(of device: String, service: String, _ uuid: String) -> String? {
        let services = (objects[.service] ?? [:]).filter {
            $0.value["Device"]?.text == device && $0.value["UUID"]?.text?.lowercased() == service
        }
        return (objects[.characteristic] ?? [:]).filter {
            $0.value["UUID"]?.text?.lowercased() == uuid && services[$0.value["Service"]?.text ?? ""] != nil
        }.keys.min()
    }
}
