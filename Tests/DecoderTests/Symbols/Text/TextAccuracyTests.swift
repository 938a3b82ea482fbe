import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

/// The share of correctly decoded texts by language, for texts that the decoder's statistics do not include.
@Suite struct TextAccuracyTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var label: String
        var texts: [String]
        var charset: String
        /// The required shares for messages of one, two and four texts: slightly below the measured ones.
        var floors: [Double]
        var testDescription: String { "\(label) in \(charset)" }

        init(_ label: String, _ texts: [String], _ charset: String, _ floors: [Double]) {
            self.label = label
            self.texts = texts
            self.charset = charset
            self.floors = floors
        }
    }

    static let cases: [Case] = [
        .init("Chinese names of two", TextCorpora.chineseNames2, "GB18030", [0.99, 0.98, 0.99]),
        .init(
            "family name and any character", TextCorpora.randomNames(600, seed: 555), "GB18030", [0.985, 0.98, 0.99]),
        .init("Chinese names of three", TextCorpora.chineseNames3, "GB18030", [0.99, 0.99, 0.99]),
        .init("Chinese texts", TextCorpora.chineseTexts, "GB18030", [0.99, 0.99, 0.99]),
        .init("names from Taiwan", TextCorpora.traditionalNames, "BIG5", [0.93, 0.98, 0.99]),
        .init("texts from Taiwan", TextCorpora.traditionalTexts, "BIG5", [0.99, 0.99, 0.99]),
        .init("Japanese names", TextCorpora.japaneseNames, "CP932", [0.99, 0.99, 0.99]),
        .init("Japanese texts", TextCorpora.japaneseTexts, "CP932", [0.99, 0.99, 0.99]),
        .init("names in half width", TextCorpora.halfWidthNames, "CP932", [0.88, 0.98, 0.99]),
        .init("Korean names", TextCorpora.koreanNames, "UHC", [0.95, 0.98, 0.99]),
        .init("Korean texts", TextCorpora.koreanTexts, "UHC", [0.97, 0.99, 0.99]),
        .init("Western names", TextCorpora.latinNames, "ISO-8859-1", [0.99, 0.99, 0.99]),
        .init("Western words", TextCorpora.latinWords, "ISO-8859-1", [0.99, 0.99, 0.99]),
        .init(
            "Western words in capitals", TextCorpora.latinWords.map { $0.uppercased() }, "ISO-8859-1",
            [0.98, 0.98, 0.99]),
        .init("Western addresses", TextCorpora.latinTexts, "CP1252", [0.99, 0.99, 0.99]),
        .init("names of central Europe", TextCorpora.centralNames, "ISO-8859-2", [0.66, 0.71, 0.73]),
        .init("addresses of central Europe", TextCorpora.centralTexts, "ISO-8859-2", [0.74, 0.64, 0.82]),
        .init("addresses of central Europe", TextCorpora.centralTexts, "CP1250", [0.75, 0.63, 0.8]),
        .init("Turkish names", TextCorpora.turkishNames, "ISO-8859-9", [0.98, 0.98, 0.98]),
        .init("Icelandic names", TextCorpora.icelandicNames, "ISO-8859-1", [0.89, 0.98, 0.98]),
        .init("Russian given names", TextCorpora.russianNames, "CP1251", [0.96, 0.98, 0.99]),
        .init("Russian texts", TextCorpora.russianTexts, "CP1251", [0.99, 0.99, 0.99]),
        .init("Russian texts", TextCorpora.russianTexts, "KOI8-R", [0.95, 0.98, 0.99]),
        .init("Chinese names", TextCorpora.chineseNames2, "UTF-8", [1, 1, 1]),
        .init("Western words", TextCorpora.latinWords, "UTF-8", [1, 1, 1]),
        .init("Korean names", TextCorpora.koreanNames, "UTF-8", [1, 1, 1]),
        .init("Russian names", TextCorpora.russianNames, "UTF-8", [1, 1, 1]),
    ]

    @Test(arguments: cases) func texts(_ test: Case) throws {
        let seed: UInt64 = 1_999
        var generator = SeededGenerator(seed: seed)
        let pairs = test.texts.indices.map { _ in draw(2, of: test.texts, using: &generator) }
        let fours = test.texts.indices.map { _ in draw(4, of: test.texts, using: &generator) }
        var report = "\(test.testDescription), seed \(seed):"
        for ((length, messages), floor) in zip([(1, test.texts), (2, pairs), (4, fours)], test.floors) {
            var wrong: [String] = []
            for message in messages {
                let bytes = try #require(encode(message, test.charset))
                let result = TextDecoder.decode(bytes)
                if result.text != message { wrong.append("\(message) = \(result.text)") }
            }
            let share = 1 - Double(wrong.count) / Double(messages.count)
            report += " x\(length) \((share * 1000).rounded() / 10) % right \(wrong.prefix(12));"
            #expect(share >= floor, "messages of \(length): wrong are \(wrong)")
        }
        print(report)
    }

    private func draw(_ count: Int, of texts: [String], using generator: inout SeededGenerator) -> String {
        (0..<count).compactMap { _ in texts.randomElement(using: &generator) }.joined(separator: " ")
    }
}
