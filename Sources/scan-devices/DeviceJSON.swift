import BarcodeCore
import FoundationEssentials
import ScanDevices
import ScanEvents

/// The JSON lines of this program.
enum DeviceJSON {
    /// A device that is connected.
    private struct Identity: Encodable {
        var connection: String
        var path: String
        var name: String?
        var vendor: String?
        var product: String?
        var serialNumber: String?
    }

    /// What a device did.
    private struct Happening: Encodable {
        var device: String
        var event: String
        var format: String?
        var text: String?
        var base64: String?
        var symbologyIdentifier: String?
        var weight: String?
        var unit: String?
        var stable: Bool?
        var net: Bool?
        var reason: String?
        var path: String?
    }

    /// A device as one line.
    static func line(_ device: DeviceIdentity) throws -> String {
        try line(
            Identity(
                connection: device.connection.rawValue, path: device.path,
                name: device.name.isEmpty ? nil : device.name, vendor: device.vendor.map(hexadecimal),
                product: device.product.map(hexadecimal),
                serialNumber: device.serialNumber.isEmpty ? nil : device.serialNumber))
    }

    /// What happened as one line.
    static func line(_ event: DeviceEvent) throws -> String {
        var line = Happening(device: event.device, event: "")
        switch event.kind {
        case .scan(let scan):
            let symbol = ScannedSymbol(scanned: scan.bytes, symbologyIdentifier: scan.symbologyIdentifier)
            line.event = "scan"
            line.format = symbol.symbology.rawValue
            line.text = symbol.text
            line.base64 = Data(scan.bytes).base64EncodedString()
            line.symbologyIdentifier = scan.symbologyIdentifier
        case .scale(.weight(let weight)):
            line.event = "weight"
            line.weight = weight.value
            line.unit = weight.unit.rawValue
            line.stable = weight.isStable
            line.net = weight.isNet
        case .scale(.unavailable(let fault)):
            line.event = "no_weight"
            line.reason = fault.rawValue
        case .discarded(let reason, let length):
            line.event = "discarded"
            line.reason = "\(length) bytes were discarded. \(reason.explanation)"
        case .connected(let identity):
            line.event = "connected"
            line.path = identity.path
        case .unavailable(let sentence):
            line.event = "unavailable"
            line.reason = sentence
        case .disconnected: line.event = "disconnected"
        }
        return try Self.line(line)
    }

    /// Four hexadecimal digits, as lsusb shows them.
    static func hexadecimal(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: PrintableJSON.escaped([UInt8](try encoder.encode(value))), as: UTF8.self)
    }
}
