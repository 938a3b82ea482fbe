/// Reads what a scale says by Mettler-Toledo's standard command set (MT-SICS, level 0: `S`, `SI`, `SIR`).
public enum SICSDecoder {
    /// Asks for the weight of the moment, at rest or not.
    public static let request: [UInt8] = Array("SI\r\n".utf8)

    /// What a line says, without its end; nil where it says nothing of a weight.
    ///
    /// `S S     100.00 g` is at rest, `S D` is in motion, `S +` and `S -` are over and under the range, `S I` is a
    /// command that cannot be done now.
    public static func decode(_ line: some Sequence<UInt8>) -> ScaleMessage? {
        let words = String(decoding: Array(line), as: UTF8.self).split(separator: " ")
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

/// Numbers as scales write them.
enum WeightText {
    /// A decimal number without blanks and a needless plus or zeros; nil where it is none.
    static func number(_ text: some StringProtocol) -> String? {
        var digits = Substring(text.filter { $0 != " " })
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits = digits.dropFirst() }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard digits.utf8.count <= 16, (1...2).contains(parts.count), !parts[0].isEmpty || parts.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), parts.last?.isEmpty == false
        else { return nil }
        let whole = parts[0].drop { $0 == "0" }
        let text = (whole.isEmpty ? "0" : String(whole)) + (parts.count == 2 ? "." + parts[1] : "")
        return isNegative && text.contains { ("1"..."9").contains($0) } ? "-" + text : text
    }
}
