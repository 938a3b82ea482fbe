package import BarcodeCore

/// Decodes the bytes of a message to text.
///
/// Symbols seldom specify the encoding of their bytes, so the character set is determined in this order:
/// 1. The current ECI, strictly. An unknown ECI is skipped, and so is one in which the bytes are invalid.
/// 2. ASCII, UTF-8, and UTF-16 or UTF-32 with a byte order mark: ``PlainEncodings``.
/// 3. Shift_JIS for a run in QR's Kanji mode, and beside such a run. The bytes of the mode are Shift_JIS regardless
///    of the ECI, which applies to bytes.
/// 4. The likeliest language: ``CharsetEvidence``.
/// 5. `binary`: each byte becomes the character with its number, so that no byte is lost.
///
/// Runs in different character sets are decoded separately and joined. The set that decoded the most bytes beyond
/// ASCII names the whole.
package struct TextDecoder {
    /// Decoded text and its character set.
    package struct Result: Sendable, Hashable {
        /// The text, without a byte order mark.
        package var text: String
        /// The character set and how it was determined.
        package var charset: Charset
    }

    /// Decodes a message.
    ///
    /// - Parameters:
    ///   - bytes: the message.
    ///   - segments: the segments of `bytes` given by the symbol; may be empty. Bytes outside segments have an
    ///     unknown character set.
    package static func decode(_ bytes: [UInt8], segments: [Reading.Segment] = []) -> Result {
        let isPlain = segments.allSatisfy { $0.eci == nil && $0.mode != .kanji }
        if isPlain, let text = PlainEncodings.ascii(bytes[...]) {
            return Result(text: text, charset: Charset(name: "us-ascii", source: .validity))
        }
        let runs = isPlain ? [TextRun(all: bytes)] : TextRun.runs(of: bytes, segments: segments)
        let hasKanji = runs.contains { $0.mode == .kanji }
        var text = ""
        var named: (charset: Charset, high: Int, count: Int)?
        for run in runs {
            let part = decode(bytes[run.range], of: run, besideKanji: hasKanji)
            text.unicodeScalars.append(contentsOf: part.text.unicodeScalars)
            let high = bytes[run.range].count { $0 >= 0x80 }
            let isWeightier = named.map { (high, run.range.count) > ($0.high, $0.count) } ?? true
            if isWeightier { named = (part.charset, high, run.range.count) }
        }
        return Result(text: text, charset: named?.charset ?? Charset(name: "us-ascii", source: .validity))
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, of run: TextRun, besideKanji: Bool) -> Result {
        if run.mode == .kanji {
            let source: Charset.Source = run.eci == ECI.shiftJIS ? .eci : .kanjiMode
            if let result = CharacterEncoding.shiftJIS.result(bytes, source: source) { return result }
        } else if let eci = run.eci, let encoding = ECI.encoding(eci) {
            // A set with two or four bytes a character has no place for digits: an encoder that switched to numeric
            // mode meant ASCII.
            let isMisnamed = run.mode == .ascii && encoding.isWide
            if !isMisnamed, let result = encoding.result(bytes, source: .eci) { return result }
        }
        if let plain = PlainEncodings.decode(bytes) { return plain }
        if besideKanji, let result = CharacterEncoding.shiftJIS.result(bytes, source: .kanjiMode) { return result }
        return CharsetEvidence.decode(bytes)
            ?? Result(text: PlainEncodings.latin1(bytes), charset: Charset(name: "binary", source: .evidence))
    }
}

extension CharacterEncoding {
    fileprivate func result(_ bytes: ArraySlice<UInt8>, source: Charset.Source) -> TextDecoder.Result? {
        decode(bytes).map { TextDecoder.Result(text: $0, charset: Charset(name: name, source: source)) }
    }
}
