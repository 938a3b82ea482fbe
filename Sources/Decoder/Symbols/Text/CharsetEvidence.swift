internal import BarcodeCore

/// Detects the character set of bytes without an ECI that are not UTF-8, by the likelihood of the resulting text.
///
/// Each candidate must convert the bytes strictly, and without unassigned or private-use characters of Unicode. The
/// likeliest candidate wins: the likelihood of the text in its language, times the prior probability of the
/// character set for users of this library. GB18030 has the highest prior, then Shift_JIS and Latin, then the
/// others. The figures come from language statistics (``CharacterFrequency`` and the models). The priors and the
/// costs of mixed scripts were tuned on generated names and addresses; the tests use a later sample of these.
///
/// A short text can be words of two languages. These cases remain ambiguous, and are decided as follows:
/// - Two or three Korean syllables are the same number of Chinese characters of rows 0xB0 to 0xC8. Common syllables
///   are Korean, rare ones Chinese; a Chinese name in rarer characters, such as `葛喉`, is taken for Korean.
/// - Two or four half-width katakana are one or two Chinese characters, two or three of Big5, or Russian in KOI8-R.
///   The commoner reading wins, and a name in common characters is Chinese.
/// - One to three characters of Big5 whose second bytes are all above 0xA0 are other characters in GB18030.
/// - Russian words of up to six letters, especially in KOI8-R, whose lowercase letters coincide with common Chinese
///   characters.
/// - Two Latin letters beyond ASCII in a row, especially capitals, are a Chinese character. The cost of mixed
///   scripts prevents `匿nekoski`, but `PÄÄ` at the end of a word in capitals is not distinguished from `P哪`.
/// - Accented letters without a Latin word beside them are Russian if there are several:
///   ``CyrillicModel/accepts(_:)`` decides which words are Latin.
/// - Two letters of UTF-8 that are Chinese in GB18030: ``PlainEncodings`` documents the cases left to this type.
/// - ISO-8859-1 and windows-1252 are equal if no byte is in 0x80 to 0x9F, and are then called `iso-8859-1`.
///   ISO-8859-15 is recognized only by the euro sign and by letters in place of symbols.
/// - ISO-8859-2 and windows-1250 are recognized by letters in place of symbols, such as `ł` and `š`; a word whose
///   accented letters are all at the bytes of western ones, such as `Dvořák`, is taken for `Dvoøák`.
/// - ISO-8859-9 differs from ISO-8859-1 in six letters, which are Icelandic there. A text with other letters that
///   Turkish lacks, such as `á` or `æ`, is not Turkish.
///
/// EUC-JP, the other parts of ISO 8859 and the other code pages of Windows are not candidates: so little
/// distinguishes them from the above that they would cause errors there. A candidate without a converter on the
/// system is skipped.
enum CharsetEvidence {
    /// Returns the likeliest text; `nil` if no candidate fits.
    static func decode(_ bytes: ArraySlice<UInt8>) -> TextDecoder.Result? {
        let hasBinaryControls = bytes.contains { $0 < 0x80 && !Unicode.Scalar($0).isPrintableOrTextControl }
        var best: (candidate: Candidate, characters: [EncodedCharacter])?
        // Random bytes compete with the candidates, but only if there are control characters: each byte has a
        // probability of 1/256.
        var highest = hasBinaryControls ? -5.55 * Double(bytes.count) - 8 : -Double.infinity
        for candidate in candidates where !(hasBinaryControls && candidate.form == .single) {
            guard let characters = candidate.characters(bytes), candidate.model.accepts(characters) else { continue }
            let score = candidate.logPrior + candidate.model.logProbability(of: characters)
            if score > highest {
                highest = score
                best = (candidate, characters)
            }
        }
        guard let best else { return nil }
        let charset = Charset(name: best.candidate.encoding.name, source: .evidence)
        return TextDecoder.Result(text: String(best.characters.lazy.map(\.scalar)), charset: charset)
    }

    /// The candidates; in a tie the earlier one wins.
    private static let candidates: [Candidate] = [
        Candidate(.gb18030, .gb18030, ChineseModel.simplified, logPrior: 0),
        Candidate(.shiftJIS, .shiftJIS, JapaneseModel(), logPrior: -1.5),
        Candidate(CharacterEncoding("iso-8859-1", .latin1), .single, LatinModel.western, logPrior: -1.5),
        Candidate(CharacterEncoding("windows-1252", converter: "CP1252"), .single, LatinModel.western, logPrior: -2),
        Candidate(
            CharacterEncoding("iso-8859-15", converter: "ISO-8859-15"), .single, LatinModel.western, logPrior: -3),
        Candidate(CharacterEncoding("iso-8859-9", converter: "ISO-8859-9"), .single, LatinModel.turkish, logPrior: -4),
        Candidate(
            CharacterEncoding("windows-1254", converter: "CP1254"), .single, LatinModel.turkish, logPrior: -4.5),
        Candidate(CharacterEncoding("iso-8859-2", converter: "ISO-8859-2"), .single, LatinModel.central, logPrior: -6),
        Candidate(
            CharacterEncoding("windows-1250", converter: "CP1250"), .single, LatinModel.centralWindows, logPrior: -6),
        Candidate(.big5, .doubleByte, ChineseModel.traditional, logPrior: -3),
        Candidate(.eucKR, .doubleByte, KoreanModel(), logPrior: -5.5),
        Candidate(CharacterEncoding("windows-1251", converter: "CP1251"), .single, CyrillicModel(), logPrior: -6),
        Candidate(CharacterEncoding("koi8-r", converter: "KOI8-R"), .single, CyrillicModel(), logPrior: -12),
    ]
}

/// A character set with its language and its prior probability.
private struct Candidate: Sendable {
    let encoding: CharacterEncoding
    let form: CharacterForm
    let model: any LanguageModel
    let logPrior: Double

    init(_ encoding: CharacterEncoding, _ form: CharacterForm, _ model: any LanguageModel, logPrior: Double) {
        self.encoding = encoding
        self.form = form
        self.model = model
        self.logPrior = logPrior
    }

    /// Returns the characters and their bytes; `nil` if the bytes are invalid.
    func characters(_ bytes: ArraySlice<UInt8>) -> [EncodedCharacter]? {
        // The codes come first: most candidates fail here, before a converter is opened.
        guard let codes = form.codes(bytes) else { return nil }
        let scalars =
            form == .single && encoding.method == .latin1
            ? bytes.map { Unicode.Scalar($0) } : encoding.scalars(bytes)
        guard let scalars, scalars.count == codes.count, scalars.allSatisfy(\.isEvidenceOfText) else { return nil }
        return zip(scalars, codes).map { EncodedCharacter(scalar: $0, code: $1) }
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintableOrTextControl: Bool { (0x20...0x7E).contains(value) || isTextControl }

    /// Indicates whether text may contain this character: not a C1 control, unassigned or private-use character.
    fileprivate var isEvidenceOfText: Bool {
        if isASCII { return true }
        if (0x80...0x9F).contains(value) { return false }
        switch properties.generalCategory {
        case .unassigned, .privateUse, .surrogate: return false
        default: return true
        }
    }
}
