/// Reads values of standard GATT characteristics.
public enum BluetoothMeasurement {
    /// Decodes a Weight Measurement characteristic (0x2A9D, GATT Specification Supplement 3.254).
    ///
    /// It has kilograms in steps of 5 g, or pounds in steps of 0.01 lb. `nil` if it is too short, or if the
    /// measurement did not succeed.
    public static func weight(_ value: [UInt8]) -> WeightReading? {
        guard value.count >= 3 else { return nil }
        let number = Int64(value[1]) | Int64(value[2]) << 8
        guard number != 0xFFFF else { return nil }
        return value[0] & 1 == 0
            ? WeightReading(mantissa: number * 5, exponent: -3, unit: .kilogram, isStable: true)
            : WeightReading(mantissa: number, exponent: -2, unit: .pound, isStable: true)
    }

    /// Decodes the beats per minute of a Heart Rate Measurement characteristic (0x2A37, GATT Specification
    /// Supplement 3.113); `nil` if it is too short.
    public static func heartRate(_ value: [UInt8]) -> Int? {
        guard let flags = value.first else { return nil }
        if flags & 1 == 0 { return value.count >= 2 ? Int(value[1]) : nil }
        return value.count >= 3 ? Int(value[1]) | Int(value[2]) << 8 : nil
    }
}
