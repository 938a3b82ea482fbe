/// How likely a text is in some language, character by character.
///
/// The figures are natural logarithms of probabilities: the sum over a message is how likely the language would
/// produce just this text, so that sums over readings of the same bytes in several character sets can be compared.
protocol LanguageModel: Sendable {
    /// How likely a character beyond ASCII is between its neighbours, which are nil at the ends of the message.
    func logProbability(
        of character: EncodedCharacter, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Double

    /// Indicates whether a message may be text in this language, whatever its letters; true unless a model says more.
    func accepts(_ characters: [EncodedCharacter]) -> Bool

    /// What it costs that a small letter of ASCII stands directly beside a letter of this language's script.
    ///
    /// A capital costs half, as in `A座`, and a letter between two of ASCII once more: no such language puts a single
    /// character into a Latin word, but an accented letter there looks like one.
    var mixedScriptCost: Double { get }
}

/// A character and the bytes that it was decoded from.
struct EncodedCharacter: Hashable {
    /// The character.
    var scalar: Unicode.Scalar
    /// Its bytes, the first one highest.
    var code: UInt32
}

extension LanguageModel {
    func accepts(_ characters: [EncodedCharacter]) -> Bool { true }

    /// How likely a whole message is.
    func logProbability(of characters: [EncodedCharacter]) -> Double {
        var sum = 0.0
        var previous: Unicode.Scalar?
        var wasJoint = false
        for (index, character) in characters.enumerated() {
            let scalar = character.scalar
            if scalar.isASCII {
                sum += ASCIIModel.logProbability(of: scalar, after: previous)
            } else {
                let next = index + 1 < characters.count ? characters[index + 1].scalar : nil
                sum += logProbability(of: character, after: previous, before: next)
            }
            let factor = Self.joint(previous, scalar)
            sum += factor * mixedScriptCost
            if factor > 0, wasJoint, scalar.isASCII { sum += mixedScriptCost }
            wasJoint = factor > 0
            previous = scalar
        }
        return sum
    }

    /// How much of a joint there is between two neighbours: one letter of ASCII, and one that is not.
    private static func joint(_ first: Unicode.Scalar?, _ second: Unicode.Scalar) -> Double {
        guard let first, first.isASCII != second.isASCII, first.isWordLetter, second.isWordLetter else { return 0 }
        return (first.isASCII ? first : second).isUpperCase ? 0.5 : 1
    }
}

/// ASCII inside a text of any language: the same for all, so that it decides nothing by itself.
///
/// It counts nonetheless: what is a letter to one character set is the second half of a character to another.
enum ASCIIModel {
    /// How likely a character of ASCII is after another one.
    static func logProbability(of scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Double {
        switch scalar.value {
        case 0x61...0x7A: previous?.isWordLetter == true ? -3.0 : -4.0
        case 0x41...0x5A: previous?.isLowerCase == true ? -6.5 : -4.0
        case 0x30...0x39: previous?.isDigit == true ? -2.5 : -4.0
        case 0x20: -2.5
        case 0x21...0x7E: -4.5
        case _ where scalar.isTextControl: -5.0
        default: -8.0
        }
    }
}

extension Unicode.Scalar {
    /// Whether this is 0 to 9.
    var isDigit: Bool { (0x30...0x39).contains(value) }

    /// Whether this is a letter, syllable or ideograph.
    var isWordLetter: Bool { isASCII ? isASCIILetter : properties.isAlphabetic }

    /// Whether this is a small letter.
    var isLowerCase: Bool { properties.isLowercase }

    /// Whether this is a capital letter.
    var isUpperCase: Bool { properties.isUppercase }

    /// Whether this is a control character that messages in barcodes have: line ends, TAB, EOT, ESC and the
    /// separators FS, GS, RS and US.
    var isTextControl: Bool {
        switch value {
        case 0x04, 0x09, 0x0A, 0x0D, 0x1B, 0x1C...0x1F: true
        default: false
        }
    }
}
