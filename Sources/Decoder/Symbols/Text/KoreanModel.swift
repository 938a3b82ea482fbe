/// The model of Korean in EUC-KR: hangul, with almost no Chinese characters.
struct KoreanModel: LanguageModel {
    let mixedScriptCost = -6.0

    /// The twenty family names of four in five Koreans.
    private static let familyNames = Set("김이박최정강조윤장임한오서신권황안송전홍".unicodeScalars)

    func logProbability(
        of character: EncodedCharacter, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Double {
        switch character.scalar.value {
        case 0xAC00...0xD7A3:
            // The 2,350 syllables of the standard are all but 0.003 % of running text; code page 949 has the others.
            let isStandard = character.code & 0xFF >= 0xA1 && (0xB0...0xC8).contains(character.code >> 8)
            let share = CharacterFrequency.hangul[character.scalar] ?? (isStandard ? -10.3 : -15.5)
            let isFirst = previous?.isWordLetter != true && next?.isWordLetter == true
            return isFirst && Self.familyNames.contains(character.scalar) ? max(share, -5.5) : share
        case 0x4E00...0x9FFF, 0xF900...0xFAFF: return -13
        case 0x3000...0x3011, 0x2018...0x201D, 0x2026, 0xB7: return -8
        case 0x2000...0x33FF, 0xFF01...0xFFEF: return -11
        default: return -13
        }
    }
}
