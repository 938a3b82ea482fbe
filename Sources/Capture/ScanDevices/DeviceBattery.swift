internal import DeviceAccess

/// The battery of a device, as the kernel has it of HID devices that tell.
public enum DeviceBattery {
    /// How full it is, in percent; nil where the device has none or does not tell.
    ///
    /// The kernel may ask the device, which can take seconds of one that is asleep.
    public static func percent(of device: DeviceIdentity) -> Int? { percent(of: device, in: "/sys") }

    /// - Parameter system: where sysfs is, which a test has elsewhere.
    static func percent(of device: DeviceIdentity, in system: String) -> Int? {
        guard let name = device.path.split(separator: "/").last, let folder = folder(name, device.connection, system)
        else { return nil }
        // The battery is a device below that of the HID driver.
        let supplies = "\(folder)/power_supply"
        for supply in DeviceFiles.names(in: supplies) {
            guard let line = DeviceFiles.line(of: "\(supplies)/\(supply)/capacity"), let percent = Int(line),
                (0...100).contains(percent)
            else { continue }
            return percent
        }
        return nil
    }

    /// The folder of the device that the HID driver has; nil of one that has none.
    private static func folder(
        _ name: Substring, _ connection: DeviceIdentity.Connection, _ system: String
    ) -> String? {
        switch connection {
        case .keyboard: "\(system)/class/input/\(name)/device/device"
        case .hid: "\(system)/class/hidraw/\(name)/device"
        default: nil
        }
    }
}
