/// A weight from a scale.
public struct WeightReading: Sendable, Hashable {
    /// A unit of weight.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        case milligram = "mg"
        case gram = "g"
        case kilogram = "kg"
        case tonne = "t"
        case ounce = "oz"
        case troyOunce = "ozt"
        case pound = "lb"
        case shortTon = "ton"
        case carat = "ct"
        case grain = "gr"
        case pennyweight = "dwt"
        case tael = "tl"

        /// Parses a unit as scales write it, such as `KG` or `lbs`; `nil` for an unknown unit.
        public init?(written text: some StringProtocol) {
            let name = text.lowercased()
            if let unit = Self(rawValue: name) { self = unit; return }
            switch name {
            case "lbs", "#": self = .pound
            case "kgs": self = .kilogram
            case "gm", "gms", "grams": self = .gram
            case "gn": self = .grain
            case "cm", "car": self = .carat
            default: return nil
            }
        }
    }

    /// The digits as the scale shows them, with sign and decimal point, such as `-0.350`.
    ///
    /// A binary floating-point number would not be exact.
    public var value: String
    /// The unit.
    public var unit: Unit
    /// Indicates whether the weight is stable.
    public var isStable: Bool
    /// Indicates whether the weight is net, that is without tare; `nil` if the scale does not say.
    public var isNet: Bool?

    /// Creates a weight.
    public init(value: String, unit: Unit, isStable: Bool, isNet: Bool? = nil) {
        self.value = value
        self.unit = unit
        self.isStable = isStable
        self.isNet = isNet
    }

    /// Creates a weight from an integer and an exponent of ten: 1234 and -3 is `1.234`; `nil` if out of range.
    init?(mantissa: Int64, exponent: Int, unit: Unit, isStable: Bool, isNet: Bool? = nil) {
        guard (-12...12).contains(exponent), mantissa > -1_000_000_000_000, mantissa < 1_000_000_000_000 else {
            return nil
        }
        var digits = String(mantissa.magnitude)
        if exponent >= 0 {
            if mantissa != 0 { digits += String(repeating: "0", count: exponent) }
        } else {
            let places = -exponent
            if digits.count <= places { digits = String(repeating: "0", count: places - digits.count + 1) + digits }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -places))
        }
        self.init(value: (mantissa < 0 ? "-" : "") + digits, unit: unit, isStable: isStable, isNet: isNet)
    }
}

/// A message from a scale.
public enum ScaleMessage: Sendable, Hashable {
    /// A weight.
    case weight(WeightReading)
    /// No weight is available, with the reason.
    case unavailable(ScaleFault)
}

/// A reason why a scale has no weight.
public enum ScaleFault: String, Sendable, Hashable {
    case overload
    case underload
    case inMotion = "in_motion"
    case notReady = "not_ready"
    case calibration
    case fault
}
