/// Russian, in windows-1251 or KOI8-R.
///
/// The two hold small and capital letters the other way round, so that the place of capitals tells them apart.
struct CyrillicModel: LanguageModel {
    let mixedScriptCost = -8.0

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
