extension SerialScaleProtocol {
    /// The Toledo 8217 protocol, which scales at counters have.
    ///
    /// The question is `W`; the answer is STX, the digits and CR, or STX, `?`, a status byte and CR if there is no weight at
    /// rest. The unit is not in the answer: pounds have the point before the last two digits and kilograms before the last
    /// three, unless the point is sent. The top bit of each byte can be a parity bit.
    public static let toledo = SerialScaleProtocol(name: "toledo", request: Array("W".utf8), beginsWithSTX: true) {
        answer, unit in
        let bytes = answer.map { $0 & 0x7F }
        if bytes.first == UInt8(ascii: "?") { return bytes.count == 2 ? status(bytes[1]) : nil }
        guard let value = WeightText.number(String(decoding: bytes, as: UTF8.self)) else { return nil }
        if value.contains(".") { return .weight(WeightReading(value: value, unit: unit, isStable: true)) }
        guard let mantissa = Int64(value) else { return nil }
        return WeightReading(mantissa: mantissa, exponent: unit == .kilogram ? -3 : -2, unit: unit, isStable: true)
            .map(ScaleMessage.weight)
    }

    /// The meaning of the bits of the status byte, the gravest first.
    private static func status(_ byte: UInt8) -> ScaleMessage {
        if byte & 0x02 != 0 { return .unavailable(.overload) }
        if byte & 0x04 != 0 { return .unavailable(.underload) }
        if byte & 0x01 != 0 { return .unavailable(.inMotion) }
        return .unavailable(.notReady)
    }
}
