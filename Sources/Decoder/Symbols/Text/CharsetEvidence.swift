internal import BarcodeCore

/// Finds the character set of bytes that nothing names and that are no UTF-8, by what text they would be.
///
/// Each candidate must convert the bytes strictly and without characters that Unicode has not assigned or leaves to
/// private use. Among those the likeliest wins: how likely its language is to produce the text, times how likely the
/// users of this library are to meet it, which puts GB18030 first, then Shift_JIS and Latin, then the others. The
/// figures come from language statistics (``CharacterFrequency`` and the models); the priors and the costs of joints
/// were settled on names and addresses of a generator, of which the tests hold a later draw.
///
/// What remains ambiguous, since a short text can be words of two languages, and how it is decided:
/// - Two or three Korean syllables are as many Chinese characters of rows 0xB0 to 0xC8. Common syllables are Korean,
///   rare ones Chinese; and a Chinese name in rarer characters, such as `葛喉`, is taken for Korean.
/// - Two or four katakana of half width are one or two Chinese characters, two or three of Big5, or Russian in KOI8-R:
///   the commoner reading wins, and a name in common characters is Chinese.
/// - One to three characters of Big5 whose second bytes are all above 0xA0 are others in GB18030.
/// - Russian words of up to six letters, more so in KOI8-R, whose small letters lie among common Chinese characters.
/// - Two Latin letters beyond ASCII in a row, the more so capitals, are a Chinese character: `匿nekoski` is avoided
///   by what it costs to join scripts, but `PÄÄ` at the end of a word in capitals is not told from `P哪`.
/// - Letters with accents that stand alone, with no Latin word beside them, are Russian if there are several:
///   ``CyrillicModel/accepts(_:)`` says which words are Latin.
/// - Two letters of UTF-8 that are Chinese in GB18030: ``PlainEncodings`` says what it leaves to this.
/// - ISO-8859-1 and windows-1252 are the same where no byte lies in 0x80 to 0x9F, and are then called `iso-8859-1`;
///   ISO-8859-15 shows only by the euro sign and by letters in the place of symbols.
///
/// EUC-JP, the other parts of ISO 8859 and the other code pages of Windows are no candidates: so little tells them
/// from the above that they would harm these. A candidate that the system has no converter for is passed over.
enum CharsetEvidence {
    /// The likeliest text, or nil where no candidate fits.
    static func decode(_ bytes: ArraySlice<UInt8>) -> TextDecoder.Result? {
        let hasBinaryControls = bytes.contains { $0 < 0x80 && !Unicode.Scalar($0).isPrintableOrTextControl }
        var best: (candidate: Candidate, characters: [EncodedCharacter])?
        // Bytes at random stand against the candidates, but only where control characters suggest them: each byte is
        // one of 256.
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

    /// The candidates, of which the earlier one wins where two are equally likely.
    private static let candidates: [Candidate] = [
        Candidate(.gb18030, .gb18030, ChineseModel.simplified, logPrior: 0),
        Candidate(.shiftJIS, .shiftJIS, JapaneseModel(), logPrior: -1.5),
        Candidate(CharacterEncoding("iso-8859-1", .latin1), .single, LatinModel(), logPrior: -1.5),
        Candidate(CharacterEncoding("windows-1252", converter: "CP1252"), .single, LatinModel(), logPrior: -2),
        Candidate(CharacterEncoding("iso-8859-15", converter: "ISO-8859-15"), .single, LatinModel(), logPrior: -3),
        Candidate(.big5, .doubleByte, ChineseModel.traditional, logPrior: -3),
        Candidate(.eucKR, .doubleByte, KoreanModel(), logPrior: -5.5),
        Candidate(CharacterEncoding("windows-1251", converter: "CP1251"), .single, CyrillicModel(), logPrior: -6),
        Candidate(CharacterEncoding("koi8-r", converter: "KOI8-R"), .single, CyrillicModel(), logPrior: -12),
    ]
}

/// A character set, the language that is written in it, and how likely users meet it.
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

    /// The characters and their bytes; nil where the bytes are not valid.
    func characters(_ bytes: ArraySlice<UInt8>) -> [EncodedCharacter]? {
        // The codes first: most candidates fall here, before a converter is opened.
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

    /// Whether a text would have this character: no C1 control, and nothing unassigned or for private use.
    fileprivate var isEvidenceOfText: Bool {
        if isASCII { return true }
        if (0x80...0x9F).contains(value) { return false }
        switch properties.generalCategory {
        case .unassigned, .privateUse, .surrogate: return false
        default: return true
        }
    }
}
