@testable import ScanDevices

/// A simulated bluetoothd: it answers the calls of a ``BluetoothCentral`` as BlueZ does, without a bus.
struct PlayedBlueZ {
    static let adapter = "/org/bluez/hci0"

    var central: BluetoothCentral
    private(set) var time: Duration = .seconds(1000)
    /// The events that the central has reported.
    private(set) var told: [DeviceEvent.Kind] = []
    /// The calls that were made, as `member path`.
    private(set) var called: [String] = []
    /// The answers to calls, by member; `nil` if there is no answer.
    ///
    /// Other calls succeed without a value.
    var answers: [String: (String) -> BusMessageBody?] = [:]
    /// The unique bus name of bluetoothd; `nil` while it is not running.
    private(set) var owner: String? = ":1.1"
    private var objects: [String: BusValue] = [:]
    private var count = 1

    enum BusMessageBody {
        case values([BusValue])
        case failure(String)
    }

    init(_ devices: [DeviceConfiguration]) {
        central = BluetoothCentral(devices)
        objects[Self.adapter] = .table(["org.bluez.Adapter1": .table(["Powered": .flag(true)])])
    }

    /// Returns the events since the last call.
    mutating func events() -> [DeviceEvent.Kind] {
        defer { told = [] }
        return told
    }

    /// Returns the calls since the last call.
    mutating func calls() -> [String] {
        defer { called = [] }
        return called
    }

    mutating func start() {
        central.start(at: time)
        answer()
    }

    mutating func receive(_ message: BusMessage) {
        central.handle(message, at: time)
        answer()
    }

    /// Advances the time, and handles the deadlines in between.
    mutating func wait(_ duration: Duration) {
        let end = time + duration
        while let deadline = central.deadline, deadline <= end {
            precondition(deadline > time, "a deadline that has passed would have the thread turn forever")
            time = deadline
            central.advance(to: time)
            answer()
        }
        time = end
        central.advance(to: time)
        answer()
    }

    /// Lets time pass without a step, as when the thread is late.
    mutating func pause(_ duration: Duration) { time += duration }

    /// Answers the pending calls, and those that follow from the answers.
    mutating func answer() {
        while true {
            let output = central.takeOutput()
            told += output.events.map(\.kind)
            if output.requests.isEmpty { return }
            for request in output.requests {
                let call = request.call
                called.append("\(call.member) \(call.path)")
                let body: BusMessageBody? =
                    switch call.member {
                    case _ where answers[call.member] != nil: answers[call.member]?(call.path)
                    case "GetNameOwner":
                        owner.map { .values([.text($0)]) } ?? .failure("org.freedesktop.DBus.Error.NameHasNoOwner")
                    case "Ping" where owner == nil: .failure("org.freedesktop.DBus.Error.ServiceUnknown")
                    case "GetManagedObjects": .values([.table(objects)])
                    // It answers once the device is connected, which takes long.
                    case "Connect": nil
                    default: .values([])
                    }
                switch body {
                case .values(let values): central.handle(.reply(request.number, body: values), at: time)
                case .failure(let name): central.handle(.failure(request.number, name: name, text: "why"), at: time)
                case nil: break
                }
            }
        }
    }

    // MARK: events

    private mutating func signal(_ path: String, _ interface: String, _ member: String, _ body: [BusValue]) {
        receive(.signal(sender: owner ?? "", path: path, interface: interface, member: member, body: body))
    }

    static func path(_ address: String) -> String {
        "\(adapter)/dev_\(address.split(separator: ":").joined(separator: "_"))"
    }

    mutating func add(_ path: String, _ interfaces: [String: BusValue]) {
        objects[path] = .table(interfaces)
        signal("/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded", [.text(path), .table(interfaces)])
    }

    mutating func remove(_ path: String) {
        guard let interfaces = objects.removeValue(forKey: path)?.table else { return }
        signal(
            "/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
            [.text(path), .list(interfaces.keys.map { .text($0) })])
    }

    mutating func change(_ path: String, _ interface: String, _ properties: [String: BusValue]) {
        var interfaces = objects[path]?.table ?? [:]
        var table = interfaces[interface]?.table ?? [:]
        table.merge(properties) { $1 }
        interfaces[interface] = .table(table)
        objects[path] = .table(interfaces)
        signal(
            path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            [.text(interface), .table(properties), .list([])])
    }

    /// Reports a discovered device.
    mutating func advertise(_ address: String, name: String = "", _ more: [String: BusValue] = [:]) {
        let path = Self.path(address)
        if objects[path] != nil {
            change(path, "org.bluez.Device1", ["RSSI": .number(-60)].merging(more) { $1 })
            return
        }
        var properties: [String: BusValue] = [
            "Address": .text(address), "Adapter": .text(Self.adapter), "Connected": .flag(false),
            "ServicesResolved": .flag(false), "RSSI": .number(-60),
        ]
        if !name.isEmpty { properties["Name"] = .text(name) }
        add(path, ["org.bluez.Device1": .table(properties.merging(more) { $1 })])
    }

    /// Connects a device with a service of one characteristic.
    mutating func connect(
        _ address: String, service: String = BluetoothLink.uartService,
        characteristic: String = BluetoothLink.uartTransmit
    ) {
        let path = Self.path(address)
        change(path, "org.bluez.Device1", ["Connected": .flag(true)])
        add("\(path)/s", ["org.bluez.GattService1": .table(["UUID": .text(service), "Device": .text(path)])])
        add(
            "\(path)/s/c",
            ["org.bluez.GattCharacteristic1": .table(["UUID": .text(characteristic), "Service": .text("\(path)/s")])])
        change(path, "org.bluez.Device1", ["ServicesResolved": .flag(true)])
    }

    mutating func notify(_ address: String, _ bytes: [UInt8]) {
        change("\(Self.path(address))/s/c", "org.bluez.GattCharacteristic1", ["Value": .bytes(bytes)])
    }

    mutating func notify(_ address: String, _ text: String) { notify(address, Array(text.utf8)) }

    mutating func lose(_ address: String) {
        let path = Self.path(address)
        remove("\(path)/s/c")
        remove("\(path)/s")
        change(path, "org.bluez.Device1", ["ServicesResolved": .flag(false), "Connected": .flag(false)])
    }

    /// Ends bluetoothd.
    mutating func end() {
        owner = nil
        objects = [:]
        receive(nameChange(""))
    }

    /// Starts bluetoothd with an adapter.
    mutating func begin() {
        count += 1
        owner = ":1.\(count)"
        receive(nameChange(":1.\(count)"))
        add(Self.adapter, ["org.bluez.Adapter1": .table(["Powered": .flag(true)])])
    }

    private func nameChange(_ name: String) -> BusMessage {
        .signal(
            sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged", body: [.text("org.bluez"), .text(""), .text(name)])
    }
}

extension DeviceConfiguration {
    /// Creates a Bluetooth device that is found by its name.
    static func overBluetooth(
        _ name: String = "gun", _ role: Role = .gun(.init()), _ bluetooth: BluetoothLink = BluetoothLink(),
        match: DeviceMatch? = nil
    ) -> Self {
        DeviceConfiguration(
            name: name, match: match ?? DeviceMatch(connection: .bluetooth, name: name), role: role,
            bluetooth: bluetooth)
    }
}

extension DeviceEvent.Kind {
    static func scan(_ text: String) -> Self { .scan(DeviceScan(bytes: Array(text.utf8))) }

    var isConnected: Bool { if case .connected = self { true } else { false } }
    var problem: String? { if case .unavailable(let sentence) = self { sentence } else { nil } }
}
