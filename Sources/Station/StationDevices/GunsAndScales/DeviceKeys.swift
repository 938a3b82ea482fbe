public import Delivery
public import ScanDevices

/// The configuration keys of the station's devices: the section `devices:`.
public enum DeviceKeys {
    /// The keys of a device, see ``ConfigurationSchema``.
    public static let collections: [String: [String: ConfigurationSchema.Form]] = [
        "devices": Dictionary(
            uniqueKeysWithValues: [
                "connection", "path", "name", "vendor", "product", "serialNumber", "kind", "layout", "prefix", "suffix",
                "end", "endSeconds", "identifiers", "maximumLength", "protocol", "unit", "speed", "dataBits", "parity",
                "stopBits", "address", "manufacturerData", "source", "service", "characteristic", "offset", "format",
                "byteOrder", "factor",
            ].map { ($0, .scalar) } + [("separatorKeys", .list)])
    ]

    /// Reads the devices, in the order of the file.
    public static func read(_ values: inout ConfigurationValues) -> [DeviceConfiguration] {
        values.names(of: "devices").map { name in device(name, &values) }
    }

    private static func device(_ name: String, _ values: inout ConfigurationValues) -> DeviceConfiguration {
        let key = { (last: String) in "devices.\(name).\(last)" }
        let match = match(key, &values)
        if match == DeviceMatch(connection: match.connection) {
            values.report(
                key("connection"),
                "identifies no device; set path, name, vendor and product, serialNumber, address or manufacturerData, "
                    + "which scan-devices list shows"
            )
        }
        let kind = values.value(key("kind"), "gun, scale or sensor", DeviceState.Kind.init(rawValue:)) ?? .gun
        let isOverBluetooth = match.connection == .bluetooth
        if !isOverBluetooth {
            for other in ["address", "manufacturerData", "source", "service", "characteristic", "format"]
            where values.isSet(key(other)) {
                values.report(key(other), "is for devices with connection: bluetooth")
            }
            if kind == .sensor { values.report(key("kind"), "a sensor needs connection: bluetooth") }
        }
        let role: DeviceConfiguration.Role =
            switch kind {
            case .gun: .gun(gun(key, &values))
            case .scale: .scale(scale(key, match.connection, &values))
            case .sensor: .sensor
            }
        return DeviceConfiguration(
            name: name, match: match, role: role, line: line(key, &values),
            bluetooth: isOverBluetooth ? bluetooth(key, kind, &values) : BluetoothLink())
    }

    private static func match(_ key: (String) -> String, _ values: inout ConfigurationValues) -> DeviceMatch {
        DeviceMatch(
            connection: values.value(
                key("connection"), "keyboard, hid, serial or bluetooth", DeviceIdentity.Connection.init(rawValue:)),
            path: values.text(key("path")), name: values.text(key("name")),
            vendor: hexadecimal(key("vendor"), &values), product: hexadecimal(key("product"), &values),
            serialNumber: values.text(key("serialNumber")) ?? values.text(key("address")),
            manufacturerData: manufacturerData(key("manufacturerData"), &values))
    }

    /// Reads four hexadecimal digits, as lsusb shows them.
    private static func hexadecimal(_ key: String, _ values: inout ConfigurationValues) -> UInt16? {
        values.value(key, "four hexadecimal digits in quotation marks, such as \"05e0\"") {
            UInt16($0.hasPrefix("0x") ? String($0.dropFirst(2)) : $0, radix: 16)
        }
    }

    private static func gun(
        _ key: (String) -> String, _ values: inout ConfigurationValues
    ) -> DeviceConfiguration.Gun {
        var gun = DeviceConfiguration.Gun()
        let layouts = KeyboardLayout.all.map(\.name)
        gun.layout =
            values.value(key("layout"), "one of \(layouts.joined(separator: ", "))") { layouts.contains($0) ? $0 : nil }
            ?? gun.layout
        gun.separatorKeys = values.list(key("separatorKeys"))
        for name in gun.separatorKeys where !KeyScanDecoder.separatorKeyNames.contains(name.lowercased()) {
            values.report(key("separatorKeys"), "\"\(name)\" is not one of F1 to F24")
        }
        gun.framing.prefix = Array((values.text(key("prefix")) ?? "").utf8)
        gun.framing.suffix = Array((values.text(key("suffix")) ?? "").utf8)
        gun.framing.hasIdentifier = values.flag(key("identifiers"))
        gun.framing.maximumLength = values.whole(key("maximumLength"), 1...1_000_000) ?? gun.framing.maximumLength
        let isByPause = values.value(key("end"), "terminator or pause") {
            ["terminator": false, "pause": true][$0]
        }
        let seconds = values.number(key("endSeconds"), 0.01...60)
        gun.framing.end =
            isByPause == true
            ? .pause(.seconds(seconds ?? 0.2)) : seconds.map { .terminator(giveUpAfter: .seconds($0)) } ?? .terminator
        return gun
    }

    private static func scale(
        _ key: (String) -> String, _ connection: DeviceIdentity.Connection?, _ values: inout ConfigurationValues
    ) -> DeviceConfiguration.ScaleProtocol {
        let unit = values.value(key("unit"), "kg, g or lb") { WeightReading.Unit(written: $0) } ?? .kilogram
        if connection == .bluetooth { return .bluetooth(unit) }
        let names = SerialScaleProtocol.all.map(\.name)
        let known = (["hid"] + names).joined(separator: ", ")
        let scaleProtocol = values.value(key("protocol"), "one of \(known)") { name in
            let serial = SerialScaleProtocol.all.first { $0.name == name }
            return serial.map { .serial($0, unit) } ?? (name == "hid" ? DeviceConfiguration.ScaleProtocol.hid : nil)
        }
        // A protocol that is not known was reported already.
        if connection == .serial, scaleProtocol == .hid || !values.isSet(key("protocol")) {
            let choice = names.joined(separator: " or ")
            values.report(key("protocol"), "is missing: a scale at a serial port needs \(choice)")
        }
        return scaleProtocol ?? .hid
    }

    private static func line(_ key: (String) -> String, _ values: inout ConfigurationValues) -> SerialLine {
        var line = SerialLine()
        let speeds = SerialLine.speeds.map(String.init).joined(separator: ", ")
        line.speed =
            values.value(key("speed"), "one of \(speeds)") {
                Int($0).flatMap { SerialLine.speeds.contains($0) ? $0 : nil }
            } ?? line.speed
        line.dataBits = values.whole(key("dataBits"), 7...8) ?? line.dataBits
        line.stopBits = values.whole(key("stopBits"), 1...2) ?? line.stopBits
        line.parity =
            values.value(key("parity"), "none, even or odd", SerialLine.Parity.init(rawValue:)) ?? line.parity
        return line
    }
}
