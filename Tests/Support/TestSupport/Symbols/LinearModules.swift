/// The modules of linear symbols, true for dark, for tests.
package enum LinearModules {
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

    /// Appends the check digit: weights 3 and 1 alternate from the right.
    package static func checked(_ digits: [Int]) -> [Int] {
        let sum = digits.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 3 : 1) }
        return digits + [(10 - sum % 10) % 10]
    }

    private static func bits(_ parts: [String]) -> [Bool] { parts.joined().map { $0 == "1" } }

    /// Encodes an EAN-13 from thirteen digits.
    package static func ean13(_ digits: [Int]) -> [Bool] {
        let sets = Array(parities[digits[0]])
        let left = zip(digits[1...6], sets).map { Self.left($0, $1) }
        return bits(["101"] + left + ["01010"] + digits[7...].map(right) + ["101"])
    }

    /// Encodes an EAN-8 from eight digits.
    package static func ean8(_ digits: [Int]) -> [Bool] {
        let left = digits[..<4].map { Self.left($0, "A") }
        return bits(["101"] + left + ["01010"] + digits[4...].map(right) + ["101"])
    }

    /// Encodes a UPC-E of number system 0 from six digits and the check digit of the expanded number.
    package static func upcE(_ digits: [Int], check: Int) -> [Bool] {
        // The sets for each check digit are those of the first digit of an EAN-13 with A and B exchanged, except for
        // 0.
        let sets = [
            "BBBAAA", "BBABAA", "BBAABA", "BBAAAB", "BABBAA", "BAABBA", "BAAABB", "BABABA", "BABAAB", "BAABAB",
        ][check]
        return bits(["101"] + zip(digits, sets).map { left($0, $1) } + ["010101"])
    }

    /// Encodes an add-on of two or five digits.
    package static func addOn(_ digits: [Int]) -> [Bool] {
        let sets =
            digits.count == 2
            ? ["AA", "AB", "BA", "BB"][(10 * digits[0] + digits[1]) % 4]
            : [
                "BBAAA", "BABAA", "BAABA", "BAAAB", "ABBAA", "AABBA", "AAABB", "ABABA", "ABAAB", "AABAB",
            ][(3 * (digits[0] + digits[2] + digits[4]) + 9 * (digits[1] + digits[3])) % 10]
        let text = "1011" + zip(digits, sets).map { left($0, $1) }.joined(separator: "01")
        return text.map { $0 == "1" }
    }

    /// Encodes an Interleaved 2 of 5 from an even number of digits, with wide bars of three modules.
    package static func itf(_ digits: [Int]) -> [Bool] {
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

    /// Encodes a UPC-A from twelve digits: an EAN-13 with a leading zero.
    package static func upcA(_ digits: [Int]) -> [Bool] { ean13([0] + digits) }

    /// Encodes a Code 128 from printable ASCII, in code set B.
    package static func code128(_ text: String) -> [Bool] {
        let values = [104] + text.utf8.map { Int($0) - 32 }
        // The start character has weight 1, each other character its position from 1.
        let sum = values.enumerated().reduce(0) { $0 + $1.element * max(1, $1.offset) }
        return bars((values + [sum % 103]).map { code128Widths[$0] }.joined() + "2331112")
    }

    /// Encodes a Code 39 from capital letters, digits, space, point and hyphen, with wide elements of three modules.
    package static func code39(_ text: String) -> [Bool] {
        // Characters are separated by a narrow space.
        bars(
            ("*" + text + "*").compactMap { code39Wide[$0] }
                .map { $0.map { $0 == "1" ? "3" : "1" }.joined() }.joined(separator: "1"))
    }

    /// Returns the modules of elements whose widths are given as digits, starting with a bar.
    private static func bars(_ widths: String) -> [Bool] {
        widths.enumerated().flatMap { index, width in
            [Bool](repeating: index % 2 == 0, count: width.wholeNumberValue ?? 0)
        }
    }

    /// The element widths of the values 0 to 102 and of the three start characters.
    ///
    /// Source: ISO/IEC 15417, table 1.
    private static let code128Widths = """
        212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
        123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
        232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
        313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
        111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
        111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
        114311 411113 411311 113141 114131 311141 411131 211412 211214 211232
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// Marks the wide ones among the nine elements of each character.
    ///
    /// Source: ISO/IEC 16388, table 1.
    private static let code39Wide: [Character: String] = [
        "0": "000110100", "1": "100100001", "2": "001100001", "3": "101100000", "4": "000110001", "5": "100110000",
        "6": "001110000", "7": "000100101", "8": "100100100", "9": "001100100", "A": "100001001", "B": "001001001",
        "C": "101001000", "D": "000011001", "E": "100011000", "F": "001011000", "G": "000001101", "H": "100001100",
        "I": "001001100", "J": "000011100", "K": "100000011", "L": "001000011", "M": "101000010", "N": "000010011",
        "O": "100010010", "P": "001010010", "Q": "000000111", "R": "100000110", "S": "001000110", "T": "000010110",
        "U": "110000001", "V": "011000001", "W": "111000000", "X": "010010001", "Y": "110010000", "Z": "011010000",
        "-": "010000101", ".": "110000100", " ": "011000100", "*": "010010100",
    ]
}
