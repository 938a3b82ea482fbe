/// A model of the likelihood of text in a language, character by character.
///
/// The figures are natural logarithms of probabilities. Their sum over a message is the likelihood of this text in
/// the language, so that sums for several decodings of the same bytes can be compared.
protocol LanguageModel: Sendable {
    /// Returns the log probability of a character beyond ASCII between its neighbors, which are `nil` at the ends of
    /// the message.
    func logProbability(
        of character: EncodedCharacter, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Double

    /// Indicates whether a message may be text in this language, regardless of its probability; true by default.
    func accepts(_ characters: [EncodedCharacter]) -> Bool

    /// The cost of a lowercase ASCII letter directly beside a letter of this language's script.
    ///
    /// A capital costs half, as in `A座`, unless it is one of several. A letter between two ASCII letters costs once more.
    /// Such languages do not put a single character into a Latin word, but an accented letter there looks like one.
    var mixedScriptCost: Double { get }
}

/// A character and the bytes from which it was decoded.
struct EncodedCharacter: Hashable {
    /// The character.
    var scalar: Unicode.Scalar
    /// Its bytes as a number, the first byte highest.
    var code: UInt32
}

extension LanguageModel {
    func accepts(_ characters: [EncodedCharacter]) -> Bool { true }

    /// Returns the log probability of a whole message.
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
            let factor = joint(before: index, of: characters)
            sum += factor * mixedScriptCost
            if factor > 0, wasJoint, scalar.isASCII { sum += mixedScriptCost }
            wasJoint = factor > 0
            previous = scalar
        }
        return sum
    }

    /// Returns the weight of the joint before a character: 0 if it does not join an ASCII letter and one beyond ASCII.
    ///
    /// A capital weighs half, as in `A座`, unless another capital stands on its other side.
    private func joint(before index: Int, of characters: [EncodedCharacter]) -> Double {
        guard index > 0 else { return 0 }
        let (first, second) = (characters[index - 1].scalar, characters[index].scalar)
        guard first.isASCII != second.isASCII, first.isWordLetter, second.isWordLetter else { return 0 }
        guard (first.isASCII ? first : second).isUpperCase else { return 1 }
        let other = first.isASCII ? index - 2 : index + 1
        guard characters.indices.contains(other) else { return 0.5 }
        return characters[other].scalar.isASCII && characters[other].scalar.isUpperCase ? 1 : 0.5
    }
}

/// The model of ASCII inside a text of any language: the same for all, so that it decides nothing alone.
///
/// It is counted because a letter in one character set may be the second byte of a character in another.
enum ASCIIModel {
    /// Returns the log probability of an ASCII character after another one.
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
    /// True for 0 to 9.
    var isDigit: Bool { (0x30...0x39).contains(value) }

    /// True for a letter, syllable or ideograph.
    var isWordLetter: Bool { isASCII ? isASCIILetter : properties.isAlphabetic }

    /// True for a lowercase letter.
    var isLowerCase: Bool { properties.isLowercase }

    /// True for a capital letter.
    var isUpperCase: Bool { properties.isUppercase }

    /// True for a control character used in barcode messages: line ends, TAB, EOT, ESC and the separators FS, GS, RS
    /// and US.
    var isTextControl: Bool {
        switch value {
        case 0x04, 0x09, 0x0A, 0x0D, 0x1B, 0x1C...0x1F: true
        default: false
        }
    }
}
