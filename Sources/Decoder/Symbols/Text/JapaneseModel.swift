/// The model of Japanese in Shift_JIS: kana, kanji, and runs of half-width katakana.
///
/// Running text is 57 % hiragana, 30 % kanji and 12 % katakana, and each tends to follow its own kind.
struct JapaneseModel: LanguageModel {
    let mixedScriptCost = -6.0

    func logProbability(
        of character: EncodedCharacter, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Double {
        let kind = Kind(character.scalar)
        let isRun = previous.map { Kind($0) } == kind
        switch kind {
        case .hiragana:
            return (CharacterFrequency.hiragana[character.scalar] ?? -9) + (isRun ? -0.4 : -0.9)
        case .katakana:
            // A bar or a small letter lengthens the character before it.
            return (CharacterFrequency.katakana[character.scalar] ?? -9) + (isRun ? -0.3 : -2.3)
        case .kanji:
            // Level 1 of JIS X 0208 is 99.6 % of the kanji.
            let rare = (0x889F...0x9872).contains(character.code) ? -9.2 : -13.8
            return (CharacterFrequency.kanji[character.scalar] ?? rare) + (isRun ? -0.6 : -1.4)
        case .halfWidth:
            // A half-width word is usually followed by another one, and seldom by anything else.
            let cost =
                switch previous {
                case _ where isRun: -0.1
                case nil: -3.5
                case " ": -1.0
                case let letter? where letter.isWordLetter: -5.0
                default: -3.5
                }
            // A single one is seldom a word, but a Latin capital beyond ASCII looks like one.
            let isAlone = !isRun && next.map { Kind($0) } != kind
            return cost + (isAlone ? -6 : 0) + halfWidth(character.scalar, after: previous)
        case .punctuation:
            return previous?.isASCII == false || "「『【（".unicodeScalars.contains(character.scalar) ? -5.5 : -9
        case .fullWidth: return isRun ? -4.5 : -7
        case .symbol: return -10
        }
    }

    /// Returns the log probability of a half-width katakana, which has an order: a voicing mark follows only certain
    /// syllables.
    private func halfWidth(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Double {
        let previous = previous?.value ?? 0
        switch scalar.value {
        case 0xFF9E:
            // After the rows of K, S, T and H, and after U.
            return (0xFF76...0xFF84).contains(previous) || (0xFF8A...0xFF8E).contains(previous) || previous == 0xFF73
                ? -2.2 : -12
        case 0xFF9F: return (0xFF8A...0xFF8E).contains(previous) ? -2.5 : -12
        case 0xFF6C...0xFF6E where !Self.palatal.contains(previous) && previous != 0xFF9E && previous != 0xFF9F:
            return -12
        case 0xFF67...0xFF70:
            // A small letter or a bar does not begin a word.
            return (0xFF66...0xFF9F).contains(previous) ? CharacterFrequency.halfWidthKatakana[scalar] ?? -6 : -12
        case 0xFF61...0xFF65: return -8
        // A particle that follows only an object.
        case 0xFF66: return -9
        default: return CharacterFrequency.halfWidthKatakana[scalar] ?? -6
        }
    }

    /// The characters that a small YA, YU or YO may follow, besides a voicing mark: KI, SHI, CHI, NI, HI, MI, RI.
    private static let palatal: Set<UInt32> = [0xFF77, 0xFF7C, 0xFF81, 0xFF86, 0xFF8B, 0xFF90, 0xFF98]

    private enum Kind {
        case hiragana, katakana, kanji, halfWidth, punctuation, fullWidth, symbol

        init(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x3041...0x309F: self = .hiragana
            case 0x30A1...0x30FF: self = .katakana
            case 0x3005...0x3007, 0x4E00...0x9FFF, 0xF900...0xFAFF: self = .kanji
            case 0xFF61...0xFF9F: self = .halfWidth
            case 0x3000...0x3002, 0x300C...0x3011, 0xFF01, 0xFF08, 0xFF09, 0xFF0C, 0xFF1A, 0xFF1F, 0xFF5E, 0x2026:
                self = .punctuation
            case 0xFF02...0xFF5D: self = .fullWidth
            default: self = .symbol
            }
        }
    }
}
