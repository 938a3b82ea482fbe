extension LinearModules {
    /// Returns alternating bars and spaces of the given widths in modules, by default starting with a bar.
    package static func modules(ofWidths widths: [Int], startsDark: Bool = true) -> [Bool] {
        widths.enumerated().flatMap { Array(repeating: ($0.offset % 2 == 0) == startsDark, count: $0.element) }
    }

    private static func modules(ofDigits digits: String) -> [Bool] {
        modules(ofWidths: digits.compactMap(\.wholeNumberValue))
    }

    private static let code128Patterns = [
        "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212", "221213", "221312",
        "231212", "112232", "122132", "122231", "113222", "123122", "123221", "223211", "221132", "221231", "213212",
        "223112", "312131", "311222", "321122", "321221", "312212", "322112", "322211", "212123", "212321", "232121",
        "111323", "131123", "131321", "112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331",
        "132131", "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131", "311123",
        "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111", "111224", "111422", "121124",
        "121421", "141122", "141221", "112214", "112412", "122114", "122411", "142112", "142211", "241211", "221114",
        "413111", "241112", "134111", "111242", "121142", "121241", "114212", "124112", "124211", "411212", "421112",
        "421211", "212141", "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311",
        "113141", "114131", "311141", "411131", "211412", "211214", "211232",
    ]

    /// Encodes a Code 128 from character values that begin with the start character; the check character is added.
    ///
    /// - Parameter checkError: is added to the value of the check character.
    package static func code128(_ values: [Int], checkError: Int = 0) -> [Bool] {
        let sum = values.enumerated().reduce(0) { $0 + $1.element * max(1, $1.offset) }
        let all = values + [(sum + checkError) % 103]
        return modules(ofDigits: all.map { code128Patterns[$0] }.joined() + "2331112")
    }

    private static let code93Patterns = [
        "131112", "111213", "111312", "111411", "121113", "121212", "121311", "111114", "131211", "141111", "211113",
        "211212", "211311", "221112", "221211", "231111", "112113", "112212", "112311", "122112", "132111", "111123",
        "111222", "111321", "121122", "131121", "212112", "212211", "211122", "211221", "221121", "222111", "112122",
        "112221", "122121", "123111", "121131", "311112", "311211", "321111", "112131", "113121", "211131", "121221",
        "312111", "311121", "122211",
    ]

    /// Encodes a Code 93 from character values; the two check characters are added.
    package static func code93(_ values: [Int], checkError: Int = 0) -> [Bool] {
        func check(_ values: [Int], _ period: Int) -> Int {
            values.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset % period + 1) } % 47
        }
        var all = values
        all.append((check(all, 20) + checkError) % 47)
        all.append(check(all, 15))
        return modules(ofDigits: "111141" + all.map { code93Patterns[$0] }.joined() + "1111411")
    }

    private static let code39Patterns: [Character: String] = [
        "0": "nnnwwnwnn", "1": "wnnwnnnnw", "2": "nnwwnnnnw", "3": "wnwwnnnnn", "4": "nnnwwnnnw", "5": "wnnwwnnnn",
        "6": "nnwwwnnnn", "7": "nnnwnnwnw", "8": "wnnwnnwnn", "9": "nnwwnnwnn", "A": "wnnnnwnnw", "B": "nnwnnwnnw",
        "C": "wnwnnwnnn", "D": "nnnnwwnnw", "E": "wnnnwwnnn", "F": "nnwnwwnnn", "Z": "nwwnwnnnn", "-": "nwnnnnwnw",
        " ": "nwwnnnwnn", "$": "nwnwnwnnn", "+": "nwnnnwnwn", "*": "nwnnwnwnn",
    ]

    /// Encodes a Code 39; `wide` is the width of wide elements, in modules.
    package static func code39(_ text: String, wide: Int = 3, gap: Int) -> [Bool] {
        twoWidths(("*" + text + "*").map { code39Patterns[$0] ?? "" }, wide: wide, gap: gap)
    }

    private static let codabarPatterns: [Character: String] = [
        "0": "nnnnnww", "1": "nnnnwwn", "2": "nnnwnnw", "3": "wwnnnnn", "4": "nnwnnwn", "5": "wnnnnwn", "6": "nwnnnnw",
        "7": "nwnnwnn", "8": "nwwnnnn", "9": "wnnwnnn", "-": "nnnwwnn", "$": "nnwwnnn", ":": "wnnnwnw", "/": "wnwnnnw",
        ".": "wnwnwnn", "+": "nnwnwnw", "A": "nnwwnwn", "B": "nwnwnnw", "C": "nnnwnww", "D": "nnnwwwn",
    ]

    /// Encodes a Codabar with its start and stop characters; `wide` is the width of wide elements, in modules.
    package static func codabar(_ text: String, wide: Int = 3, gap: Int = 1) -> [Bool] {
        twoWidths(text.map { codabarPatterns[$0] ?? "" }, wide: wide, gap: gap)
    }

    private static func twoWidths(_ characters: [String], wide: Int, gap: Int) -> [Bool] {
        var result: [Bool] = []
        for (place, character) in characters.enumerated() {
            if place > 0 { result += Array(repeating: false, count: gap) }
            result += modules(ofWidths: character.map { $0 == "w" ? wide : 1 })
        }
        return result
    }
}
