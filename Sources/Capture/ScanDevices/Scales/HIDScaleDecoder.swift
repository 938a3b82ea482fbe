/// Decodes the reports of a scale in HID POS mode.
///
/// HID Point of Sale Usage Tables 1.02, 5 (usage page 0x8D): status, unit, a number and its exponent of ten.
public struct HIDScaleDecoder: Sendable {
    private static let page: UInt16 = 0x8D
    /// The usages of a scale as an application or a collection.
    public static let applications: Set<HIDReportDescriptor.Usage> = [
        .init(page: page, id: 0x01), .init(page: page, id: 0x20),
    ]
    private static let weight = HIDReportDescriptor.Usage(page: page, id: 0x40)
    private static let scaling = HIDReportDescriptor.Usage(page: page, id: 0x41)
    private static let firstUnit: UInt16 = 0x51
    private static let units: [WeightReading.Unit] = [
        .milligram, .gram, .kilogram, .carat, .tael, .grain, .pennyweight, .tonne, .shortTon, .troyOunce, .ounce,
        .pound,
    ]

    private let descriptor: HIDReportDescriptor

    /// Creates a decoder for a device; `nil` if its reports hold no weight.
    public init?(_ descriptor: HIDReportDescriptor) {
        guard !descriptor.fields(of: Self.weight).isEmpty else { return nil }
        self.descriptor = descriptor
    }

    /// Decodes a report of hidraw; `nil` if it holds no weight or status.
    public func decode(_ report: [UInt8]) -> ScaleMessage? {
        guard let number = descriptor.hasNumbers ? report.first : 0 else { return nil }
        let body = descriptor.hasNumbers ? report.dropFirst() : report[...]
        guard let weightField = descriptor.fields(of: Self.weight, report: number).first,
            let mantissa = weightField.values(in: body).first
        else { return nil }
        let named = descriptor.fields.filter { $0.report == number }.flatMap { $0.usages(in: body) }
        var isNegative = false
        switch named.first(where: { $0.page == Self.page && (0x71...0x78).contains($0.id) })?.id {
        case 0x71: return .unavailable(.fault)
        case 0x73: return .unavailable(.inMotion)
        case 0x75: isNegative = true
        case 0x76: return .unavailable(.overload)
        case 0x77, 0x78: return .unavailable(.calibration)
        default: break
        }
        let exponent = descriptor.fields(of: Self.scaling, report: number).first?.values(in: body).first ?? 0
        let unit = named.first { $0.page == Self.page && (0x51...0x5C).contains($0.id) }
            .map { Self.units[Int($0.id - Self.firstUnit)] }
        guard let unit,
            let reading = WeightReading(
                mantissa: isNegative ? -abs(mantissa) : mantissa, exponent: Int(exponent), unit: unit, isStable: true)
        else { return nil }
        return .weight(reading)
    }
}
