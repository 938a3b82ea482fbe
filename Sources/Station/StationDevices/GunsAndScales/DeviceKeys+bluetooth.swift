internal import BarcodeCore
internal import Delivery
internal import ScanDevices

extension DeviceKeys {
    /// Reads the settings of a Bluetooth device.
    static func bluetooth(
        _ key: (String) -> String, _ kind: DeviceState.Kind, _ values: inout ConfigurationValues
    ) -> BluetoothLink {
        let source = values.value(
            key("source"), "notification, manufacturerData or serviceData", BluetoothLink.Source.init(rawValue:))
        let service = uuid(key("service"), &values)
        let characteristic = uuid(key("characteristic"), &values)
        let number = number(key, &values)
        var link =
            switch kind {
            case .gun: BluetoothLink()
            case .scale: BluetoothLink.weightScale
            case .sensor: BluetoothLink.heartRate
            }
        link.source = source ?? .notification
        if let number { link.content = .number(number) }
        switch (kind, link.source, number) {
        case (.gun, .manufacturerData, _), (.gun, .serviceData, _):
            values.report(key("source"), "codes are read from notifications, not from advertisements")
        case (.gun, _, .some):
            values.report(
                key("format"), "a gun sends lines, not numbers; only kind: scale and kind: sensor have a format")
        case (_, .manufacturerData, nil), (_, .serviceData, nil):
            values.report(key("format"), "is missing: the format of the number, such as uint8 or int16")
        case (_, .serviceData, _) where service == nil && !values.isSet(key("service")):
            values.report(key("service"), "is missing: the service of the data, such as \"181d\"")
        case (_, .notification, .some)
        where !values.isSet(key("service")) || !values.isSet(key("characteristic")):
            values.report(key("characteristic"), "is missing: the service and the characteristic of the number")
        default: break
        }
        link.service = service ?? link.service
        link.characteristic = characteristic ?? link.characteristic
        return link
    }

    /// Reads a pattern for a device's manufacturer data, in hexadecimal digits.
    static func manufacturerData(_ key: String, _ values: inout ConfigurationValues) -> [UInt8]? {
        values.value(key, "pairs of hexadecimal digits in quotation marks, such as \"59 00 1f\"") { text in
            let digits = text.filter { $0 != " " && $0 != ":" }
            guard !digits.isEmpty, digits.utf8.count.isMultiple(of: 2), digits.utf8.count <= 64 else { return nil }
            var bytes: [UInt8] = []
            var rest = digits[...]
            while !rest.isEmpty {
                guard let byte = HexadecimalEscapes.byte(rest.prefix(2).utf8) else { return nil }
                bytes.append(byte)
                rest = rest.dropFirst(2)
            }
            return bytes
        }
    }

    private static func uuid(_ key: String, _ values: inout ConfigurationValues) -> String? {
        values.value(key, "a UUID of 4 or 32 hexadecimal digits in quotation marks", BluetoothLink.uuid)
    }

    /// Reads the format of the device's number; `nil` if none is configured.
    private static func number(
        _ key: (String) -> String, _ values: inout ConfigurationValues
    ) -> BluetoothNumber? {
        let format = values.value(
            key("format"), "uint8, uint16, uint24, uint32, int8, int16, int24 or int32", BluetoothNumber.format)
        var number = BluetoothNumber()
        number.offset = values.whole(key("offset"), 0...511) ?? 0
        number.isBigEndian =
            values.value(key("byteOrder"), "little or big") { ["little": false, "big": true][$0] } ?? false
        number.factor =
            values.value(key("factor"), "a number above zero of up to six digits, such as 0.005") {
                BluetoothNumber.Factor($0)
            } ?? .one
        guard let format else { return nil }
        (number.length, number.isSigned) = format
        number.unit = values.text(key("unit")) ?? ""
        return number
    }
}
