/// The model of western European languages, in ISO-8859-1, ISO-8859-15 or windows-1252.
///
/// Four in a hundred letters are beyond ASCII; capitals begin a word or stand among capitals.
struct LatinModel: LanguageModel {
    let mixedScriptCost = 0.0

    /// The letters beyond ASCII in tiers: frequent in several languages, frequent in few, and rare.
    ///
    /// They were counted as for ``CharacterFrequency``, over German, French, Spanish, Italian, Portuguese, Swedish,
    /// Danish, Norwegian and Finnish.
    private static let frequency = CharacterFrequency([
        .init(-6.1, "äåéöüáóíàèçñãúøæß"), .init(-8.2, "êòýùõôâìïëîûðþ"), .init(-11, "ÿšžœ"),
    ])

    func logProbability(
        of character: EncodedCharacter, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Double {
        let scalar = character.scalar
        guard scalar.isLowerCase || scalar.isUpperCase, scalar.value >= 0xC0 else {
            return symbol(scalar, after: previous, before: next)
        }
        let small = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
        let share = Self.frequency[small] ?? -12
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
        let isInWord = previous?.isWordLetter == true && next?.isWordLetter == true
        switch scalar {
        case "\u{B0}": return isBesideDigit ? -4.5 : -8
        case "€": return isBesideDigit || previous == " " ? -6 : -8
        case "£", "§", "±", "µ", "²", "³", "½", "¼", "¾", "×", "¥": return isInWord ? -12 : isBesideDigit ? -6 : -8
        case "¿", "¡": return previous?.isWordLetter == true ? -12 : -6
        case "º", "ª": return previous?.isDigit == true ? -6 : -8
        case "«", "»", "\u{A0}", "·", "®", "©": return -7
        case "’", "“", "”", "–", "—", "…", "‘", "„", "™", "•": return -7
        case "÷", "¢", "¹", "¬", "\u{AD}", "‚", "‰", "‹", "›", "†": return -11
        default: return -13
        }
    }
}
