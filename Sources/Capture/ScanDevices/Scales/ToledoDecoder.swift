/// Reads what a scale answers by the Toledo 8217 protocol, which counters' scales have.
///
/// The question is `W`; the answer is STX, the digits and CR, or STX, `?`, a status byte and CR where there is no weight
/// at rest. The unit is not in the answer: pounds with the point before the last two digits, or kilograms before the
/// last three, unless the point is sent.
public enum ToledoDecoder {
    /// Asks for the weight.
    public static let request: [UInt8] = Array("W".utf8)

    /// What an answer says; nil where it is none.
    ///
    /// - Parameters:
    ///   - frame: the bytes between STX and CR, both excluded; parity bits are taken off.
    ///   - unit: the unit that the scale is set to.
    public static func decode(_ frame: some Sequence<UInt8>, unit: WeightReading.Unit) -> ScaleMessage? {
        let bytes = frame.map { $0 & 0x7F }
        if bytes.first == UInt8(ascii: "?") {
            guard bytes.count == 2 else { return nil }
            return status(bytes[1])
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let value = WeightText.number(text) else { return nil }
        if value.contains(".") { return .weight(WeightReading(value: value, unit: unit, isStable: true)) }
        guard let mantissa = Int64(value) else { return nil }
        return WeightReading(mantissa: mantissa, exponent: unit == .kilogram ? -3 : -2, unit: unit, isStable: true)
            .map(ScaleMessage.weight)
    }

    /// What the bits of the status byte say, the gravest first.
    private static func status(_ byte: UInt8) -> ScaleMessage {
        if byte & 0x02 != 0 { return .unavailable(.overload) }
        if byte & 0x04 != 0 { return .unavailable(.underload) }
        if byte & 0x01 != 0 { return .unavailable(.inMotion) }
        return .unavailable(.notReady)
    }
}
