/// The modules of linear symbols, 1 for dark, for tests.
public enum LinearModules {
    private static let setA = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ]
    private static let parities = [
        "AAAAAA", "AABABB", "AABBAB", "AABBBA", "ABAABB", "ABBAAB", "ABBBAA", "ABABAB", "ABABBA", "ABBABA",
    ]

    private static func right(_ digit: Int) -> String { String(setA[digit].map { $0 == "1" ? "0" : "1" }) }

    private static func left(_ digit: Int, _ set: Character) -> String {
        set == "A" ? setA[digit] : String(right(digit).reversed())
    }

    /// The check digit of some digits: weights 3 and 1 in turn from the right.
    public static func checked(_ digits: [Int]) -> [Int] {
        let sum = digits.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 3 : 1) }
        return digits + [(10 - sum % 10) % 10]
    }

    /// An EAN-13 of thirteen digits.
    public static func ean13(_ digits: [Int]) -> [Bool] {
        let sets = Array(parities[digits[0]])
        let text =
            "101" + (0..<6).map { left(digits[$0 + 1], sets[$0]) }.joined() + "01010"
            + digits[7...].map(right).joined() + "101"
        return text.map { $0 == "1" }
    }

    /// An EAN-8 of eight digits.
    public static func ean8(_ digits: [Int]) -> [Bool] {
        let text =
            "101" + digits[..<4].map { left($0, "A") }.joined() + "01010" + digits[4...].map(right).joined() + "101"
        return text.map { $0 == "1" }
    }

    /// A UPC-E of number system 0: six digits and the check digit of the number that they stand for.
    public static func upcE(_ digits: [Int], check: Int) -> [Bool] {
        // The sets for each check digit are those of an EAN-13's first digit with A and B exchanged, but for 0.
        let sets = [
            "BBBAAA", "BBABAA", "BBAABA", "BBAAAB", "BABBAA", "BAABBA", "BAAABB", "BABABA", "BABAAB", "BAABAB",
        ][check]
        let text = "101" + zip(digits, sets).map { left($0, $1) }.joined() + "010101"
        return text.map { $0 == "1" }
    }

    /// An Interleaved 2 of 5 of an even number of digits, wide bars three modules.
    public static func itf(_ digits: [Int]) -> [Bool] {
        let wide = ["00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010"]
        var text = "1010"
        for pair in stride(from: 0, to: digits.count, by: 2) {
            for (bar, space) in zip(wide[digits[pair]], wide[digits[pair + 1]]) {
                text += bar == "1" ? "111" : "1"
                text += space == "1" ? "000" : "0"
            }
        }
        return (text + "11101").map { $0 == "1" }
    }
}
