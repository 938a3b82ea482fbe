import Testing

@testable import ScanDevices

/// The values of Bluetooth scales and sensors.
@Suite struct BluetoothValueTests {
    private static let address = "D0:00:00:00:00:01"

    @Test(
        arguments: [
            ("one byte", [7], 0, 1, false, false, "1", "7"), ("little", [1, 2], 0, 2, false, false, "1", "513"),
            ("big", [1, 2], 0, 2, false, true, "1", "258"), ("negative", [0xFF, 0xFE], 0, 2, true, true, "1", "-2"),
            ("a byte below zero", [0x80], 0, 1, true, false, "1", "-128"),
            ("an offset", [9, 9, 9, 0x34, 0x12], 3, 2, false, false, "0.005", "23.300"),
            ("three bytes", [0xFF, 0xFF, 0xFF], 0, 3, true, false, "0.1", "-0.1"),
            ("four bytes", [0xFF, 0xFF, 0xFF, 0xFF], 0, 4, false, false, "1", "4294967295"),
            ("more than a weight can be", [0xFF, 0xFF, 0xFF, 0xFF], 0, 4, false, false, "999999", nil),
            ("too short", [1], 0, 2, false, false, "1", nil), ("after the end", [1], 1, 1, false, false, "1", nil),
            ("nothing", [], 0, 1, false, false, "1", nil),
            ("a factor above one", [3], 0, 1, false, false, "10", "30"),
        ] as [(String, [UInt8], Int, Int, Bool, Bool, String, String?)])
    func numbers(
        _ label: String, _ bytes: [UInt8], _ offset: Int, _ length: Int, _ isSigned: Bool, _ isBig: Bool,
        _ factor: String, _ text: String?
    ) throws {
        let number = BluetoothNumber(
            offset: offset, length: length, isSigned: isSigned, isBigEndian: isBig,
            factor: try #require(BluetoothNumber.Factor(factor)))
        #expect(number.text(in: bytes) == text, "\(label)")
    }

    @Test(arguments: ["", "0", "-1", "x", "1e3", "1234567", "0.0000000001", "1.2.3"])
    func factorsThatAreNone(_ text: String) { #expect(BluetoothNumber.Factor(text) == nil) }

    @Test(arguments: [
        ("181D", "0000181d-0000-1000-8000-00805f9b34fb"), ("0000181d", "0000181d-0000-1000-8000-00805f9b34fb"),
        ("6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "6e400001-b5a3-f393-e0a9-e50e24dcca9e"), ("18", nil), ("xyzw", nil),
        ("", nil),
    ])
    func uuids(_ text: String, _ uuid: String?) { #expect(BluetoothLink.uuid(text) == uuid) }

    @Test func aWeightScale() {
        var blueZ = PlayedBlueZ([.overBluetooth("scale", .scale(.bluetooth(.kilogram)), .weightScale)])
        blueZ.start()
        blueZ.advertise(Self.address, name: "Scale")
        blueZ.connect(
            Self.address, service: "0000181d-0000-1000-8000-00805f9b34fb",
            characteristic: "00002a9d-0000-1000-8000-00805f9b34fb")
        _ = blueZ.events()
        for value: [UInt8] in [[0, 0x10, 0x27], [1, 0xE8, 3], [0, 0xFF, 0xFF]] { blueZ.notify(Self.address, value) }
        #expect(
            blueZ.events() == [
                .scale(.weight(WeightReading(value: "50.000", unit: .kilogram, isStable: true))),
                .scale(.weight(WeightReading(value: "10.00", unit: .pound, isStable: true))),
                .scale(.unavailable(.fault)),
            ])
    }

    @Test func aHeartRate() {
        var blueZ = PlayedBlueZ([.overBluetooth("strap", .sensor, .heartRate)])
        blueZ.start()
        blueZ.advertise(Self.address, name: "Strap")
        blueZ.connect(
            Self.address, service: "0000180d-0000-1000-8000-00805f9b34fb",
            characteristic: "00002a37-0000-1000-8000-00805f9b34fb")
        _ = blueZ.events()
        for value: [UInt8] in [[0, 72], [1, 0x2C, 1], [1, 2]] { blueZ.notify(Self.address, value) }
        #expect(
            blueZ.events() == [
                .measurement("72", unit: "bpm"), .measurement("300", unit: "bpm"), .discarded(.tooShort, length: 2),
            ])
    }

    /// A scale that advertises its weight, and is identified by the address in its advertisement.
    @Test func anAdvertisedWeight() throws {
        let factor = try #require(BluetoothNumber.Factor("0.01"))
        let number = BluetoothNumber(offset: 5, length: 2, isBigEndian: true, factor: factor)
        let link = BluetoothLink(source: .manufacturerData, content: .number(number))
        let match = DeviceMatch(connection: .bluetooth, manufacturerData: [0x59, 0x00, 0xAA, 0xBB])
        var blueZ = PlayedBlueZ([.overBluetooth("scale", .scale(.bluetooth(.kilogram)), link, match: match)])
        func data(_ bytes: [UInt8], maker: String = "89") -> [String: BusValue] {
            ["ManufacturerData": .table([maker: .bytes(bytes)])]
        }
        func weight(_ value: String, _ isStable: Bool) -> DeviceEvent.Kind {
            .scale(.weight(WeightReading(value: value, unit: .kilogram, isStable: isStable)))
        }
        blueZ.start()
        blueZ.advertise("D0:00:00:00:00:02", data([0xAA, 0xBC, 0xCC, 0, 1]))
        blueZ.advertise("D0:00:00:00:00:03", data([0xAA, 0xBB, 0xCC, 0, 1], maker: "90"))
        #expect(blueZ.events().isEmpty)
        blueZ.advertise(Self.address, data([0xAA, 0xBB, 0xCC, 0x01, 0x02]))
        let first = blueZ.events()
        #expect(first.map(\.isConnected) == [true, false] && first.last == weight("2.58", false))
        blueZ.wait(.seconds(1))
        blueZ.advertise(Self.address, data([0xAA, 0xBB, 0xCC, 0x01, 0x02]))
        #expect(blueZ.events() == [weight("2.58", true)])
        blueZ.advertise(Self.address, data([0xAA, 0xBB, 0xCC, 0x01, 0x03]))
        #expect(blueZ.events() == [weight("2.59", false)])
        blueZ.advertise(Self.address, data([0xAA, 0xBB]))
        #expect(blueZ.events().isEmpty, "an advertisement without it")
        #expect(!blueZ.calls().contains { $0.hasPrefix("Connect") })
        blueZ.wait(.seconds(61))
        #expect(blueZ.events() == [.disconnected])
    }

    @Test func anAdvertisedServiceData() {
        let link = BluetoothLink(
            source: .serviceData, service: "0000181d-0000-1000-8000-00805f9b34fb",
            content: .number(BluetoothNumber(offset: 1, length: 2, unit: "kg")))
        var blueZ = PlayedBlueZ([.overBluetooth("scale", .sensor, link)])
        blueZ.start()
        blueZ.advertise(
            Self.address, name: "scale", ["ServiceData": .table([link.service: .bytes([0x22, 0x10, 0x27])])])
        #expect(blueZ.events().last == .measurement("10000", unit: "kg"))
        blueZ.end()
        #expect(blueZ.events() == [.disconnected])
    }
}
