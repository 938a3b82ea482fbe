/// The way to read a device over Bluetooth LE; ignored for other connections.
public struct BluetoothLink: Sendable, Hashable {
    /// The source of the device's data.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// Notifications of a characteristic, over a connection.
        case notification
        /// The manufacturer data of its advertisements.
        case manufacturerData
        /// The service data of its advertisements.
        case serviceData
    }

    /// The format of the device's data.
    public enum Content: Sendable, Hashable {
        /// Bytes that form lines, as from a serial port.
        case lines
        /// A Weight Measurement (0x2A9D).
        case weightScale
        /// A Heart Rate Measurement (0x2A37).
        case heartRate
        /// A number.
        case number(BluetoothNumber)
    }

    /// The source of the device's data.
    public var source: Source
    /// The UUID of the service that has the characteristic, or whose data is advertised.
    public var service: String
    /// The UUID of the characteristic whose notifications are read.
    public var characteristic: String
    /// The format of the data.
    public var content: Content

    /// Creates a link; by default that of a scanner with the Nordic UART Service.
    public init(
        source: Source = .notification, service: String = Self.uartService, characteristic: String = Self.uartTransmit,
        content: Content = .lines
    ) {
        self.source = source
        self.service = service
        self.characteristic = characteristic
        self.content = content
    }

    /// The UUID of the Nordic UART Service.
    public static let uartService = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    /// The UUID of the characteristic of the Nordic UART Service through which the device sends.
    public static let uartTransmit = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
    /// A scale with the Weight Scale service (0x181D).
    public static let weightScale = BluetoothLink(
        service: uuid("181d") ?? "", characteristic: uuid("2a9d") ?? "", content: .weightScale)
    /// A heart rate sensor with the Heart Rate service (0x180D).
    public static let heartRate = BluetoothLink(
        service: uuid("180d") ?? "", characteristic: uuid("2a37") ?? "", content: .heartRate)

    /// Returns a UUID in BlueZ's notation from 4, 8 or 32 hexadecimal digits; `nil` if the text is not a UUID.
    public static func uuid(_ text: String) -> String? {
        let digits = Array(text.lowercased().filter { $0 != "-" })
        guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        switch digits.count {
        case 4: return "0000" + String(digits) + "-0000-1000-8000-00805f9b34fb"
        case 8: return String(digits) + "-0000-1000-8000-00805f9b34fb"
        case 32:
            let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
            return cuts.map { String(digits[$0]) }.joined(separator: "-")
        default: return nil
        }
    }
}

/// The layout of a number in a notification or an advertisement, with its unit.
public struct BluetoothNumber: Sendable, Hashable {
    /// The offset in bytes; in manufacturer data it counts from the company identifier, which has two bytes.
    public var offset: Int
    /// The length in bytes, 1 to 4.
    public var length: Int
    /// Indicates whether the number is signed (two's complement).
    public var isSigned: Bool
    /// Indicates whether the most significant byte comes first.
    public var isBigEndian: Bool
    /// The factor from the raw number to the unit.
    public var factor: Factor
    /// The unit, such as `kg` or `bpm`.
    public var unit: String

    /// An exact decimal factor.
    public struct Factor: Sendable, Hashable {
        /// The significant digits.
        public var digits: Int64
        /// The exponent of ten.
        public var exponent: Int

        /// One.
        public static let one = Factor(digits: 1, exponent: 0)

        init(digits: Int64, exponent: Int) {
            self.digits = digits
            self.exponent = exponent
        }

        /// Parses a decimal number such as `0.005`; `nil` if it is not positive or has more than six digits.
        public init?(_ text: String) {
            guard let number = WeightText.number(text), !number.hasPrefix("-") else { return nil }
            let parts = number.split(separator: ".")
            let places = parts.count == 2 ? parts[1].count : 0
            guard places <= 9, let digits = Int64(parts.joined()), (1...999_999).contains(digits) else { return nil }
            self.init(digits: digits, exponent: -places)
        }
    }

    /// Returns the length in bytes and the sign of a format such as `uint8` or `int16`; `nil` for an unknown name.
    public static func format(_ name: String) -> (length: Int, isSigned: Bool)? {
        let formats = [
            "uint8": 1, "uint16": 2, "uint24": 3, "uint32": 4, "int8": 1, "int16": 2, "int24": 3, "int32": 4,
        ]
        return formats[name].map { ($0, !name.hasPrefix("u")) }
    }

    /// Creates a number format.
    public init(
        offset: Int = 0, length: Int = 1, isSigned: Bool = false, isBigEndian: Bool = false, factor: Factor = .one,
        unit: String = ""
    ) {
        self.offset = offset
        self.length = length
        self.isSigned = isSigned
        self.isBigEndian = isBigEndian
        self.factor = factor
        self.unit = unit
    }

    /// Returns the number in these bytes, with as many decimals as the factor has; `nil` if the bytes are too few.
    public func text(in bytes: [UInt8]) -> String? {
        // The unit does not matter, because only the digits are used.
        weight(in: bytes, unit: .gram)?.value
    }

    /// Returns the number in these bytes as a weight; `nil` if the bytes are too few.
    public func weight(in bytes: [UInt8], unit: WeightReading.Unit) -> WeightReading? {
        guard offset >= 0, (1...4).contains(length), bytes.count >= length, offset <= bytes.count - length else {
            return nil
        }
        let part = bytes[offset..<(offset + length)]
        var number: Int64 = 0
        for byte in isBigEndian ? Array(part) : part.reversed() { number = number << 8 | Int64(byte) }
        let span = Int64(1) << Int64(length * 8)
        if isSigned, number >= span / 2 { number -= span }
        // At most 32 bits and six digits.
        return WeightReading(
            mantissa: number * factor.digits, exponent: factor.exponent, unit: unit, isStable: true)
    }
}

/// Detects when a scale without a stability flag has settled: its reading has not changed for a while.
struct SteadyWeight: Sendable, Hashable {
    /// The time for which the reading must not change.
    static let time: Duration = .milliseconds(800)

    private var value: String?
    private var since: Duration = .zero

    /// Returns the reading with its stability.
    mutating func take(_ reading: WeightReading, at time: Duration) -> WeightReading {
        var reading = reading
        if value != reading.value { (value, since) = (reading.value, time) }
        reading.isStable = time - since >= Self.time
        return reading
    }
}
