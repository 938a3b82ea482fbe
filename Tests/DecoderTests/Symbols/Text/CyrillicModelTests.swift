import BarcodeCore
import Testing

@testable import Symbols

/// Messages that repeat a word: an unlikely word must not become likely by repetition.
@Suite("Latin and Cyrillic words without a named character set")
struct CyrillicModelTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var words: String
        var charset = "ISO-8859-1"
        var testDescription: String { "\(words) in \(charset)" }
    }

    static let latin: [Case] = [
        Case(words: "MÜLLER"), Case(words: "Müller"), Case(words: "Straße"), Case(words: "Öl"), Case(words: "ÖL"),
        Case(words: "Ö-Norm"), Case(words: "Äpfel & Öl"), Case(words: "Crème brûlée"), Case(words: "CRÈME BRÛLÉE"),
        Case(words: "thé à la crème"), Case(words: "ÎLE"), Case(words: "OÙ"), Case(words: "ZOË"),
        Case(words: "É. Zola"), Case(words: "çà et là"), Case(words: "œuvre", charset: "CP1252"),
        Case(words: "Señor Núñez"), Case(words: "ESPAÑA"), Case(words: "él y tú"), Case(words: "São Paulo"),
        Case(words: "Åsa Öberg"), Case(words: "Malmö å"), Case(words: "blåbærgrød"), Case(words: "kääntää"),
        Case(words: "Reykjavík"),
    ]

    @Test("Letters with accents in Latin words are not Cyrillic, however often they repeat", arguments: latin)
    func latinWords(_ test: Case) throws {
        for count in [1, 2, 3, 5, 8] {
            let text = [String](repeating: test.words, count: count).joined(separator: " ")
            #expect(TextDecoder.decode(try #require(encode(text, test.charset))).text == text)
        }
    }

    @Test(
        "Words of central European languages are not Cyrillic, although their character set is not guessed",
        arguments: ["Kraków", "Łódź", "Dvořák", "příliš žluťoučký kůň"])
    func centralEuropeanWords(words: String) throws {
        for count in [1, 2, 3, 5, 8] {
            let text = [String](repeating: words, count: count).joined(separator: " ")
            let decoded = TextDecoder.decode(try #require(encode(text, "ISO-8859-2"))).text
            #expect(!decoded.unicodeScalars.contains { (0x400...0x52F).contains($0.value) }, "\(decoded)")
        }
    }

    static let cyrillic: [Case] = [
        Case(words: "Москва", charset: "CP1251"), Case(words: "Иванов И. И.", charset: "CP1251"),
        Case(words: "молоко 3,2%", charset: "CP1251"), Case(words: "Цена 100 руб", charset: "CP1251"),
        Case(words: "ООО Ромашка", charset: "CP1251"), Case(words: "ABC Москва", charset: "CP1251"),
        Case(words: "iPhone чехол", charset: "CP1251"), Case(words: "размер XLБ красный", charset: "CP1251"),
        Case(words: "Україна", charset: "CP1251"), Case(words: "България", charset: "CP1251"),
        Case(words: "София", charset: "CP1251"), Case(words: "Привет мир", charset: "KOI8-R"),
        Case(words: "Добро пожаловать", charset: "KOI8-R"),
    ]

    @Test("Cyrillic words stay Cyrillic, beside Latin ones too", arguments: cyrillic)
    func cyrillicWords(_ test: Case) throws {
        for count in [1, 2, 3, 5, 8] {
            let text = [String](repeating: test.words, count: count).joined(separator: " ")
            #expect(TextDecoder.decode(try #require(encode(text, test.charset))).text == text)
        }
    }
}
