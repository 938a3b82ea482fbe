internal import BarcodeCore
internal import FoundationEssentials
public import ScanDevices
internal import ScanEvents

/// A device event as a line of JSON: the output of `scan-devices watch`, and the input of a simulation.
public struct DeviceLine: Codable, Sendable, Hashable {
    /// The names of the events.
    enum EventName: String, Codable {
        case scan, weight, measurement, battery
        case noWeight = "no_weight"
        case discarded, connected, unavailable, disconnected
    }

    var device: String
    var event: EventName
    var format: String?
    var text: String?
    var base64: String?
    var symbologyIdentifier: String?
    var weight: String?
    var unit: String?
    var stable: Bool?
    var net: Bool?
    /// The digits of a sensor's measurement.
    var value: String?
    /// The battery level, in percent.
    var percent: Int?
    var reason: String?
    var path: String?
    /// The wait before the event in a simulation, in seconds; `watch` does not write it.
    var after: Double?

    /// Creates the line of an event.
    public init(_ happened: DeviceEvent) {
        device = happened.device
        switch happened.kind {
        case .scan(let scan):
            let symbol = ScannedSymbol(scanned: scan.bytes, symbologyIdentifier: scan.symbologyIdentifier)
            event = .scan
            format = symbol.symbology.rawValue
            text = symbol.text
            base64 = Data(scan.bytes).base64EncodedString()
            symbologyIdentifier = scan.symbologyIdentifier
        case .scale(.weight(let reading)):
            event = .weight
            weight = reading.value
            unit = reading.unit.rawValue
            stable = reading.isStable
            net = reading.isNet
        case .scale(.unavailable(let fault)):
            event = .noWeight
            reason = fault.rawValue
        case .measurement(let value, let unit):
            event = .measurement
            self.value = value
            self.unit = unit
        case .battery(let percent):
            event = .battery
            self.percent = percent
        case .discarded(let discarded, let length):
            event = .discarded
            reason = "\(length) bytes were discarded. \(discarded.explanation)"
        case .connected(let identity):
            event = .connected
            path = identity.path
        case .unavailable(let sentence):
            event = .unavailable
            reason = sentence
        case .disconnected: event = .disconnected
        }
    }

    /// Returns the line, without a line feed.
    public func line() throws -> String { try LineEncoder.text(self) }
}

/// A connected device as a line of JSON.
public struct DeviceIdentityLine: Encodable, Sendable {
    private var connection: String
    private var path: String
    private var name: String?
    private var vendor: String?
    private var product: String?
    private var serialNumber: String?
    private var address: String?
    private var manufacturerData: String?
    private var battery: Int?

    /// Creates the line of a connected device.
    ///
    /// - Parameter battery: the battery level, in percent; `nil` if unknown.
    public init(_ device: DeviceIdentity, battery: Int? = nil) {
        self.battery = battery
        connection = device.connection.rawValue
        path = device.path
        name = device.name.isEmpty ? nil : device.name
        vendor = device.vendor.map(Self.hexadecimal)
        product = device.product.map(Self.hexadecimal)
        let number = device.serialNumber.isEmpty ? nil : device.serialNumber
        if device.connection == .bluetooth { address = number } else { serialNumber = number }
        manufacturerData = device.manufacturerData.isEmpty ? nil : Self.hexadecimal(device.manufacturerData)
    }

    /// Returns the line, without a line feed.
    public func line() throws -> String { try LineEncoder.text(self) }

    /// Returns four hexadecimal digits, as lsusb shows them.
    public static func hexadecimal(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Returns two hexadecimal digits per byte.
    public static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Encodes JSON on one line.
private enum LineEncoder {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: PrintableJSON.escaped([UInt8](try encoder.encode(value))), as: UTF8.self)
    }
}
