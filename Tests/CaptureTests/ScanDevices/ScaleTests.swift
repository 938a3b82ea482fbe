import Testing

@testable import ScanDevices

@Suite struct ScaleTests {
    @Test(
        arguments: [
            ("S S     100.00 g", .weight(WeightReading(value: "100.00", unit: .gram, isStable: true))),
            ("S D      -0.35 kg", .weight(WeightReading(value: "-0.35", unit: .kilogram, isStable: false))),
            ("S S 0000.00 lb", .weight(WeightReading(value: "0.00", unit: .pound, isStable: true))),
            ("S +", .unavailable(.overload)), ("S -", .unavailable(.underload)), ("S I", .unavailable(.notReady)),
            ("S S 1.2.3 g", nil), ("S S 12 stone", nil), ("S S", nil), ("", nil), ("ES", nil), ("S X 1 g", nil),
            ("S S . g", nil), ("S S 99999999999999999999 g", nil),
        ] as [(String, ScaleMessage?)])
    func sics(_ line: String, _ expected: ScaleMessage?) {
        #expect(SerialScaleProtocol.sics.decode(Array(line.utf8), .gram) == expected)
    }

    @Test(
        arguments: [
            ("01.234", .kilogram, .weight(WeightReading(value: "1.234", unit: .kilogram, isStable: true))),
            ("01234", .kilogram, .weight(WeightReading(value: "1.234", unit: .kilogram, isStable: true))),
            ("01234", .pound, .weight(WeightReading(value: "12.34", unit: .pound, isStable: true))),
            ("?\u{41}", .pound, .unavailable(.inMotion)), ("?\u{42}", .pound, .unavailable(.overload)),
            ("?\u{44}", .pound, .unavailable(.underload)), ("?\u{50}", .pound, .unavailable(.notReady)),
            ("?", .pound, nil), ("", .pound, nil), ("12a", .pound, nil),
        ] as [(String, WeightReading.Unit, ScaleMessage?)])
    func toledo(_ frame: String, _ unit: WeightReading.Unit, _ expected: ScaleMessage?) {
        #expect(SerialScaleProtocol.toledo.decode(Array(frame.utf8), unit) == expected)
        // With even parity, on a line that is read as eight bits.
        let parity = frame.utf8.map { $0.nonzeroBitCount % 2 == 0 ? $0 : $0 | 0x80 }
        #expect(SerialScaleProtocol.toledo.decode(parity, unit) == expected)
    }

    @Test(
        arguments: [
            ([0x00, 0x10, 0x27], WeightReading(value: "50.000", unit: .kilogram, isStable: true)),
            ([0x01, 0x10, 0x27], WeightReading(value: "100.00", unit: .pound, isStable: true)),
            ([0x0E, 0x01, 0x00, 9, 9, 9], WeightReading(value: "0.005", unit: .kilogram, isStable: true)),
            ([0x00, 0xFF, 0xFF], nil), ([0x00, 0x10], nil), ([], nil),
        ] as [([UInt8], WeightReading?)])
    func bluetoothWeights(_ value: [UInt8], _ expected: WeightReading?) {
        #expect(BluetoothMeasurement.weight(value) == expected)
    }

    @Test(
        arguments: [
            ([0x00, 72], 72), ([0x01, 0x2C, 0x01], 300), ([0x16, 60, 1, 2], 60), ([0x01, 60], nil), ([], nil),
        ]
            as [([UInt8], Int?)])
    func heartRates(_ value: [UInt8], _ expected: Int?) {
        #expect(BluetoothMeasurement.heartRate(value) == expected)
    }
}
