/// The model of languages in Latin letters with accents.
///
/// Four in a hundred letters are beyond ASCII; capitals begin a word or stand among capitals.
struct LatinModel: LanguageModel {
    let mixedScriptCost = 0.0

    /// The frequency of lowercase letters beyond ASCII.
    private let frequency: CharacterFrequency
    /// True if the languages have no other letters than these.
    private let isComplete: Bool

    private init(_ tiers: [CharacterFrequency.Tier], isComplete: Bool) {
        frequency = CharacterFrequency(tiers)
        self.isComplete = isComplete
    }

    /// The languages of western Europe, in ISO-8859-1, ISO-8859-15 or windows-1252.
    ///
    /// The tiers are letters that are frequent in several languages, frequent in few, and rare. They were counted as for
    /// ``CharacterFrequency``, over German, French, Spanish, Italian, Portuguese, Swedish, Danish, Norwegian and Finnish.
    static let western = LatinModel(
        [.init(-6.1, "äåéöüáóíàèçñãúøæß"), .init(-8.2, "êòýùõôâìïëîûðþ"), .init(-11, "ÿšžœ")], isComplete: false)

    /// The languages of central Europe in ISO-8859-2: Polish, Czech, Slovak, Hungarian, Slovene, Croatian, Romanian.
    ///
    /// Counted likewise, but no letter is more frequent than the western one of the same byte. So a western text is never
    /// taken for one of central Europe because of its letters, only because of symbols in the middle of words.
    static let central = LatinModel(centralTiers + [.init(-6.1, "ś"), .init(-8.2, "ź")], isComplete: true)

    /// The same languages in windows-1250, which has `ś` and `ź` at the bytes of the western `œ` and `Ÿ`.
    static let centralWindows = LatinModel(centralTiers + [.init(-11, "śź")], isComplete: true)

    private static let centralTiers: [CharacterFrequency.Tier] = [
        .init(-6.1, "áéíóöúüäčšžłřżąćńß"), .init(-8.2, "ýěęůőűďťľňôëđăâîşţçĺŕ"),
    ]

    /// Turkish, in ISO-8859-9 or windows-1254.
    ///
    /// Counted likewise; of the letters that western languages have too, no more than those.
    static let turkish = LatinModel([.init(-5.2, "ışğ"), .init(-6.1, "üçö"), .init(-8.2, "âîû")], isComplete: true)

    /// Indicates whether all letters belong to the languages, if these are known completely.
    func accepts(_ characters: [EncodedCharacter]) -> Bool {
        !isComplete
            || characters.allSatisfy { !$0.scalar.isAccentedLetter || frequency[$0.scalar.lowercase] != nil }
    }

    func logProbability(
        of character: EncodedCharacter, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Double {
        let scalar = character.scalar
        guard scalar.isAccentedLetter else { return symbol(scalar, after: previous, before: next) }
        let share = frequency[scalar.lowercase] ?? -12
        if scalar.isLowerCase {
            guard let previous, previous.isWordLetter else { return share - 1 }
            // After another letter beyond ASCII, the next is one in 6 % of all cases, as in Finnish.
            return previous.isASCII ? share : share + 0.4
        }
        if previous?.isLowerCase == true { return share - 6 }
        return previous?.isUpperCase == true ? share - 1 : share - 2
    }

    private func symbol(
        _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Double {
        let isBesideDigit = previous?.isDigit == true || next?.isDigit == true
        let isAfterLetter = previous?.isWordLetter == true
        let isBeforeLetter = next?.isWordLetter == true
        let isInWord = isAfterLetter && isBeforeLetter
        switch scalar {
        case "\u{B0}": return isBesideDigit ? -4.5 : -8
        case "€": return isBesideDigit || previous == " " ? -6 : -8
        case "£", "½", "¼", "¾":
            return isBesideDigit && !isInWord ? -6 : isAfterLetter || isBeforeLetter ? -12 : -8
        case "²", "³": return isBeforeLetter ? -12 : isBesideDigit ? -6 : -8
        case "§", "±", "µ", "×", "¥": return isInWord ? -12 : isBesideDigit ? -6 : -8
        case "¿", "¡": return previous?.isWordLetter == true ? -12 : -6
        case "º", "ª": return previous?.isDigit == true ? -6 : -8
        case "®", "©": return isBeforeLetter ? -12 : -7
        case "«", "»", "\u{A0}", "·": return -7
        case "’", "“", "”", "–", "—", "…", "‘", "„", "™", "•": return -7
        case "÷", "¢", "¹", "¬", "\u{AD}", "‚", "‰", "‹", "›", "†": return -11
        default: return -13
        }
    }
}

extension Unicode.Scalar {
    /// True for a Latin letter beyond ASCII, but not for the ordinals ª and º.
    fileprivate var isAccentedLetter: Bool { value >= 0xC0 && (isLowerCase || isUpperCase) }

    /// The lowercase letter; of the Turkish İ it is the dotless ı, which is as frequent as the two together.
    fileprivate var lowercase: Unicode.Scalar {
        self == "İ" ? "ı" : properties.lowercaseMapping.unicodeScalars.first ?? self
    }
}
