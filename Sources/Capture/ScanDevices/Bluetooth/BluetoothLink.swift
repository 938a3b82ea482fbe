/// How a device over Bluetooth LE is read; of other connections it says nothing.
public struct BluetoothLink: Sendable, Hashable {
    /// Where what the device says stands.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// In notifications of a characteristic, which a connection is made for.
        case notification
        /// In the manufacturer data of its advertisements.
        case manufacturerData
        /// In the data of a service in its advertisements.
        case serviceData
    }

    /// What it means.
    public enum Content: Sendable, Hashable {
        /// Bytes of lines, as a serial port has them.
        case lines
        /// A Weight Measurement (0x2A9D).
        case weightScale
        /// A Heart Rate Measurement (0x2A37).
        case heartRate
        /// A number.
        case number(BluetoothNumber)
    }

    /// Where what the device says stands.
    public var source: Source
    /// The service of the characteristic, or that whose data is advertised.
    public var service: String
    /// The characteristic whose notifications are read.
    public var characteristic: String
    /// What it means.
    public var content: Content

    /// How a device is read: as a scan gun by Nordic's UART service unless said otherwise.
    public init(
        source: Source = .notification, service: String = Self.uartService, characteristic: String = Self.uartTransmit,
        content: Content = .lines
    ) {
        self.source = source
        self.service = service
        self.characteristic = characteristic
        self.content = content
    }

    /// Nordic's UART service.
    public static let uartService = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    /// The characteristic of Nordic's UART service by which the device sends.
    public static let uartTransmit = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
    /// A scale by the Weight Scale service (0x181D).
    public static let weightScale = BluetoothLink(
        service: uuid("181d") ?? "", characteristic: uuid("2a9d") ?? "", content: .weightScale)
    /// A heart rate sensor by the Heart Rate service (0x180D).
    public static let heartRate = BluetoothLink(
        service: uuid("180d") ?? "", characteristic: uuid("2a37") ?? "", content: .heartRate)

    /// A UUID as BlueZ writes it, of one with 4, 8 or 32 hexadecimal digits; nil where it is none.
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

/// A number in bytes of a notification or an advertisement: where it stands and what it counts.
public struct BluetoothNumber: Sendable, Hashable {
    /// Bytes from the beginning; in manufacturer data from the maker's number, which has two bytes.
    public var offset: Int
    /// How many bytes it has, 1 to 4.
    public var length: Int
    /// Whether it may be negative (two's complement).
    public var isSigned: Bool
    /// Whether its first byte is the highest.
    public var isBigEndian: Bool
    /// How much of the unit one of it is.
    public var factor: Factor
    /// What it counts, such as `kg` or `bpm`.
    public var unit: String

    /// A decimal factor, exactly.
    public struct Factor: Sendable, Hashable {
        /// Its digits.
        public var digits: Int64
        /// The exponent of ten.
        public var exponent: Int

        /// One.
        public static let one = Factor(digits: 1, exponent: 0)

        init(digits: Int64, exponent: Int) {
            self.digits = digits
            self.exponent = exponent
        }

        /// A number as a person writes it, such as `0.005`; nil where it is none or has more than six digits.
        public init?(_ text: String) {
            guard let number = WeightText.number(text), !number.hasPrefix("-") else { return nil }
            let parts = number.split(separator: ".")
            let places = parts.count == 2 ? parts[1].count : 0
            guard places <= 9, let digits = Int64(parts.joined()), (1...999_999).contains(digits) else { return nil }
            self.init(digits: digits, exponent: -places)
        }
    }

    /// How a number is written, as in `uint8` or `int16`; nil where there is no such format.
    public static func format(_ name: String) -> (length: Int, isSigned: Bool)? {
        let formats = [
            "uint8": 1, "uint16": 2, "uint24": 3, "uint32": 4, "int8": 1, "int16": 2, "int24": 3, "int32": 4,
        ]
        return formats[name].map { ($0, !name.hasPrefix("u")) }
    }

    /// A number: where it stands and what it counts.
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

    /// The number in these bytes, with its digits as the factor has them; nil where they are too short.
    public func text(in bytes: [UInt8]) -> String? {
        // Any unit will do: only the digits are taken.
        weight(in: bytes, unit: .gram)?.value
    }

    /// The number in these bytes as a weight; nil where they are too short.
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

/// Whether what a scale says has come to rest, of one that does not tell: it has said the same for a while.
struct SteadyWeight: Sendable, Hashable {
    /// How long it must have said the same.
    static let time: Duration = .milliseconds(800)

    private var value: String?
    private var since: Duration = .zero

    /// The reading, with whether it is at rest.
    mutating func take(_ reading: WeightReading, at time: Duration) -> WeightReading {
        var reading = reading
        if value != reading.value { (value, since) = (reading.value, time) }
        reading.isStable = time - since >= Self.time
        return reading
    }
}
