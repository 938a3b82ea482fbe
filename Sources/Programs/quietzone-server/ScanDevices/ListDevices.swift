import ArgumentParser
import BarcodeCore
import Delivery
import ProgramSupport
import ScanDevices
import StationDevices

/// `scan-devices list`: lists the connected devices.
struct ListDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the devices that could be guns or scales.",
        discussion: """
            They are keyboards, HID POS devices, serial ports, and the Bluetooth LE devices that are paired or connected; \
            --bluetooth looks for others. Devices without read permission are listed on standard error, and the exit status \
            is 1.
            """)

    @Option(help: ArgumentHelp("Look for Bluetooth LE devices for this many seconds.", valueName: "seconds"))
    var bluetooth: Int?

    @Flag(help: "One JSON object per line.")
    var json = false

    func validate() throws {
        guard (1...600).contains(bluetooth ?? 1) else {
            throw ValidationError("--bluetooth: it must be 1 to 600 seconds")
        }
    }

    func run() async throws {
        let (identities, problems) = DeviceList.all()
        var faults = problems
        let others = DeviceList.bluetooth(searching: bluetooth.map { .seconds($0) })
        // A computer without Bluetooth is a problem only if Bluetooth was requested.
        if bluetooth != nil, let fault = others.fault { faults.append(fault) }
        let devices = identities.map { ($0, DeviceBattery.percent(of: $0)) } + others.devices
        for (device, battery) in devices {
            let line =
                json ? try DeviceIdentityLine(device, battery: battery).line() : Self.line(device, battery: battery)
            try await Output.writeLine(line)
        }
        for fault in faults { ErrorStream().write("scan-devices: \(fault)\n") }
        if devices.isEmpty && faults.isEmpty {
            ErrorStream().write("scan-devices: no connected device could be a gun or a scale\n")
        }
        if !faults.isEmpty { throw ExitCode(Failure.general) }
    }

    /// The line for a device, with the values for its configuration.
    static func line(_ device: DeviceIdentity, battery: Int? = nil) -> String {
        var parts = ["\(device.path): connection \(device.connection.rawValue)"]
        if let vendor = device.vendor, let product = device.product {
            parts.append(
                "vendor \"\(DeviceIdentityLine.hexadecimal(vendor))\", product \"\(DeviceIdentityLine.hexadecimal(product))\""
            )
        }
        if !device.name.isEmpty { parts.append("name \"\(device.name.printable)\"") }
        if !device.serialNumber.isEmpty {
            let key = device.connection == .bluetooth ? "address" : "serialNumber"
            parts.append("\(key) \"\(device.serialNumber.printable)\"")
        }
        if !device.manufacturerData.isEmpty {
            parts.append("manufacturerData \"\(DeviceIdentityLine.hexadecimal(device.manufacturerData))\"")
        }
        if let battery { parts.append("battery \(battery) %") }
        return parts.joined(separator: ", ")
    }
}
