import ArgumentParser
import BarcodeCore
import Delivery
import ProgramSupport
import ScanDevices
import ServiceSupport
import StationDevices

/// Says what is connected.
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the devices that could be guns or scales: keyboards, HID POS devices and serial ports.",
        discussion: "Devices that may not be opened are named on standard error, and the exit status is 1.")

    @Flag(help: "One JSON object per line.")
    var json = false

    func run() async throws {
        let (devices, faults) = DeviceList.all()
        for device in devices {
            let line = json ? try DeviceIdentityLine(device).line() : Self.line(device)
            if await LineWriter.standardOutput.write(Array(line.utf8)) == .closed { throw Failure.outputClosed }
        }
        for fault in faults { ErrorStream().write("scan-devices: \(fault)\n") }
        if devices.isEmpty && faults.isEmpty {
            ErrorStream().write("scan-devices: no device is connected that could be a gun or a scale\n")
        }
        if !faults.isEmpty { throw ExitCode(Failure.general) }
    }

    /// A device as the configuration would name it.
    static func line(_ device: DeviceIdentity) -> String {
        var parts = ["\(device.path): connection \(device.connection.rawValue)"]
        if let vendor = device.vendor, let product = device.product {
            parts.append(
                "vendor \"\(DeviceIdentityLine.hexadecimal(vendor))\", product \"\(DeviceIdentityLine.hexadecimal(product))\""
            )
        }
        if !device.name.isEmpty { parts.append("name \"\(device.name.printable)\"") }
        if !device.serialNumber.isEmpty {
            parts.append("serialNumber \"\(device.serialNumber.printable)\"")
        }
        return parts.joined(separator: ", ")
    }
}
