extension SerialScaleProtocol {
    /// Mettler-Toledo's standard command set (MT-SICS, level 0: `S`, `SI`, `SIR`).
    ///
    /// `SI` asks for the current weight, at rest or not. `S S     100.00 g` is at rest, `S D` is in motion, `S +` and `S -`
    /// are over and under the range, and `S I` is a command that cannot be done now.
    public static let sics = SerialScaleProtocol(
        name: "sics", request: Array("SI\r\n".utf8), beginsWithSTX: false
    ) { answer, _ in
        let words = String(decoding: answer, as: UTF8.self).split(separator: " ")
        guard words.count >= 2, words[0] == "S" || words[0] == "SI" else { return nil }
        switch words[1] {
        case "+": return .unavailable(.overload)
        case "-": return .unavailable(.underload)
        case "I": return .unavailable(.notReady)
        case "S", "D":
            guard words.count >= 4, let value = WeightText.number(words[2]),
                let unit = WeightReading.Unit(written: words[3])
            else { return nil }
            return .weight(WeightReading(value: value, unit: unit, isStable: words[1] == "S"))
        default: return nil
        }
    }
}
