/// Numbers as scales write them.
package enum WeightText {
    /// Returns a decimal number without blanks, plus sign and leading zeros; `nil` if the text is not a number.
    package static func number(_ text: some StringProtocol) -> String? {
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
