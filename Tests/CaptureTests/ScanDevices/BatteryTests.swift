import Glibc
import TestSupport
import Testing

@testable import ScanDevices

/// The battery of a device in sysfs, including symbolic links.
@Suite struct BatteryTests {
    private func folders(_ folder: TemporaryFolder, _ paths: [String]) throws {
        for path in paths {
            var made = ""
            for part in path.split(separator: "/") {
                made += made.isEmpty ? String(part) : "/\(part)"
                if access(folder[made], F_OK) != 0 { try #require(mkdir(folder[made], 0o755) == 0) }
            }
        }
    }

    @Test(
        arguments: [
            ("full", "100\n", 100), ("half", "50", 50), ("nothing", "", nil), ("a word", "unknown\n", nil),
            ("too much", "101\n", nil), ("less than nothing", "-1\n", nil),
            ("an invalid number", "99999999999999999999", nil),
        ] as [(String, String, Int?)])
    func capacity(_ label: String, _ content: String, _ expected: Int?) throws {
        let folder = try TemporaryFolder()
        let hid = "devices/0005:05E0:1200.0003"
        try folders(
            folder,
            ["\(hid)/power_supply/hid-b-battery", "\(hid)/input/input7", "class/input/event5", "class/hidraw/hidraw2"])
        try folder.file("\(hid)/power_supply/hid-b-battery/capacity", Array(content.utf8))
        try #require(symlink("../../../\(hid)/input/input7", folder["class/input/event5/device"]) == 0)
        try #require(symlink("../..", folder["\(hid)/input/input7/device"]) == 0)
        try #require(symlink("../../../\(hid)", folder["class/hidraw/hidraw2/device"]) == 0)
        for device in [
            DeviceIdentity(connection: .keyboard, path: "/dev/input/event5"),
            DeviceIdentity(connection: .hid, path: "/dev/hidraw2"),
        ] {
            #expect(DeviceBattery.percent(of: device, in: folder.path) == expected, "\(label)")
        }
        for device in [
            DeviceIdentity(connection: .keyboard, path: "/dev/input/event6"),
            DeviceIdentity(connection: .serial, path: "/dev/ttyUSB0"), DeviceIdentity(connection: .hid, path: ""),
        ] {
            #expect(DeviceBattery.percent(of: device, in: folder.path) == nil)
        }
    }
}
