/// The model of Russian, in windows-1251 or KOI8-R.
///
/// The two have lowercase and capital letters exchanged, so the positions of the capitals distinguish them.
struct CyrillicModel: LanguageModel {
    let mixedScriptCost = -8.0

    /// The number of letters of a word that is certainly Cyrillic, and not a few accented Latin letters such as the
    /// French word `çà`.
    private static let lettersOfWord = 3

    /// Indicates whether the words are Cyrillic.
    ///
    /// A letter beyond ASCII in a word of Latin letters is an accented Latin letter, however often the word occurs,
    /// and so is a single one among Latin words.
    func accepts(_ characters: [EncodedCharacter]) -> Bool {
        var (mixed, cyrillic, hasLatin, hasCyrillic) = (0, 0, false, false)
        for word in characters.split(whereSeparator: { !$0.scalar.isWordLetter }) {
            let latin = word.count { $0.scalar.isASCII }
            switch latin {
            case 0:
                if word.count >= Self.lettersOfWord { cyrillic += word.count }
                if word.count > 1 { hasCyrillic = true }
            case word.count: if latin > 1 { hasLatin = true }
            default: mixed += word.count
            }
        }
        return mixed > 0 ? cyrillic > mixed : hasCyrillic || !hasLatin
    }

    func logProbability(
        of character: EncodedCharacter, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Double {
        let scalar = character.scalar
        guard (0x400...0x52F).contains(scalar.value) else {
            switch scalar {
            case "«", "»", "—", "№", "–", "\u{A0}": return -7
            case "\u{B0}": return -8
            default: return -14
            }
        }
        let small = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
        let share = CharacterFrequency.cyrillic[small] ?? -9
        if scalar.isLowerCase { return share }
        return previous?.isLowerCase == true ? share - 6 : share - 1.5
    }
}
