/// The model of Chinese, in GB18030 or in Big5.
struct ChineseModel: LanguageModel {
    let frequency: CharacterFrequency
    let familyNames: Set<Unicode.Scalar>
    /// Returns the log probability of a character that is in no tier, by its level in the character set.
    let fallback: @Sendable (EncodedCharacter) -> Double

    let mixedScriptCost = -6.0

    /// Simplified Chinese in GB18030.
    ///
    /// Level 1 of GB 2312 (3,755 characters, ordered by sound) is 99.71 % of running text; level 2 (3,008 rarer
    /// ones, ordered by radical) is 0.26 %. The additions of GBK are mostly traditional characters.
    static let simplified = ChineseModel(frequency: .simplifiedChinese, familyNames: .chineseFamilyNames) { character in
        let lead = character.code >> 8
        switch (character.code, lead) {
        case (0x10000..., _): return -17
        case (_, 0xB0...0xD7) where character.code & 0xFF >= 0xA1: return -10.2
        case (_, 0xD8...0xF7) where character.code & 0xFF >= 0xA1: return -14
        default: return -15.5
        }
    }

    /// Traditional Chinese in Big5, whose first 5,401 characters are 99.9 % of running text.
    static let traditional = ChineseModel(frequency: .traditionalChinese, familyNames: .traditionalFamilyNames) {
        character in
        (0xA440...0xC67E).contains(character.code) ? -10.6 : -15.7
    }

    func logProbability(
        of character: EncodedCharacter, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Double {
        let scalar = character.scalar
        switch scalar.value {
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            let share = frequency[scalar] ?? fallback(character)
            guard familyNames.contains(scalar), previous?.isWordLetter != true, next?.properties.isIdeographic == true
            else { return share }
            // Three of ten fields begin with one of a hundred family names.
            return max(share, -5.5)
        case 0x3000, 0x3001, 0x3002, 0x300A, 0x300B, 0x300C, 0x300D, 0x3010, 0x3011, 0xFF01, 0xFF08, 0xFF09, 0xFF0C,
            0xFF1A, 0xFF1B, 0xFF1F, 0x2014, 0x2018...0x201D, 0x2026, 0xB7:
            // Closing punctuation seldom begins a message or follows ASCII.
            let isOpening = "《「【（“‘".unicodeScalars.contains(scalar)
            return previous?.isASCII == false || isOpening ? -5.5 : -9
        case 0xFF10...0xFF19, 0xFF21...0xFF3A, 0xFF41...0xFF5A:
            // Full-width digits and letters come in runs.
            let isInRun = previous.map { (0xFF10...0xFF5A).contains($0.value) } ?? false
            return isInRun ? -4.5 : -8
        case 0xFF02...0xFF5E: return -8
        case 0x2100...0x217F, 0x2460...0x24FF, 0xB0, 0xB1, 0xD7: return -9
        case 0x3040...0x312F: return scalar == "の" ? -10 : -12.5
        case 0x391...0x3C9: return -11
        case 0x3CA...0x52F: return -15
        case 0x2000...0x2BFF: return -12
        default: return -16
        }
    }
}
