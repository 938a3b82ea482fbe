internal import DeviceAccess

/// Reads the battery level of HID devices that report it to the kernel.
public enum DeviceBattery {
    /// Returns the battery level in percent; `nil` if the device has no battery or does not report it.
    ///
    /// The kernel may query the device, which can take seconds if the device is asleep.
    public static func percent(of device: DeviceIdentity) -> Int? { percent(of: device, in: "/sys") }

    /// Returns the battery level in percent.
    ///
    /// - Parameter system: the mount point of sysfs; tests use another one.
    static func percent(of device: DeviceIdentity, in system: String) -> Int? {
        guard let name = device.path.split(separator: "/").last, let folder = folder(name, device.connection, system)
        else { return nil }
        // The battery is a child of the HID device.
        let supplies = "\(folder)/power_supply"
        for supply in DeviceFiles.names(in: supplies) {
            guard let line = DeviceFiles.line(of: "\(supplies)/\(supply)/capacity"), let percent = Int(line),
                (0...100).contains(percent)
            else { continue }
            return percent
        }
        return nil
    }

    /// Returns the sysfs folder of the HID device; `nil` for other connections.
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
