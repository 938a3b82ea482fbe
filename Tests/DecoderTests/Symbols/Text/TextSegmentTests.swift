import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

/// Messages with an indication of their character set: an ECI, or a mode.
@Suite struct TextSegmentTests {
    typealias Segment = Reading.Segment

    struct ECICase: CustomTestStringConvertible, Sendable {
        var eci: Int
        var bytes: String
        var text: String
        var charset: String
        var testDescription: String { "ECI \(eci)" }
    }

    static let ecis: [ECICase] = [
        .init(eci: 0, bytes: "5a8172e1", text: "Zürß", charset: "ibm437"),
        .init(eci: 1, bytes: "5afc", text: "Zü", charset: "iso-8859-1"),
        .init(eci: 2, bytes: "e1", text: "ß", charset: "ibm437"),
        .init(eci: 3, bytes: "d5c5ceb0", text: "ÕÅÎ°", charset: "iso-8859-1"),
        .init(eci: 4, bytes: "a3f3", text: "Łó", charset: "iso-8859-2"),
        .init(eci: 5, bytes: "a6", text: "Ĥ", charset: "iso-8859-3"),
        .init(eci: 6, bytes: "ab", text: "Ģ", charset: "iso-8859-4"),
        .init(eci: 7, bytes: "bfe0", text: "Пр", charset: "iso-8859-5"),
        .init(eci: 8, bytes: "c7", text: "ا", charset: "iso-8859-6"),
        .init(eci: 9, bytes: "c1e1", text: "Αα", charset: "iso-8859-7"),
        .init(eci: 10, bytes: "e0", text: "א", charset: "iso-8859-8"),
        .init(eci: 11, bytes: "f0fd", text: "ğı", charset: "iso-8859-9"),
        .init(eci: 12, bytes: "a1", text: "Ą", charset: "iso-8859-10"),
        .init(eci: 13, bytes: "a1", text: "ก", charset: "iso-8859-11"),
        .init(eci: 15, bytes: "a8", text: "Ø", charset: "iso-8859-13"),
        .init(eci: 16, bytes: "d0", text: "Ŵ", charset: "iso-8859-14"),
        .init(eci: 17, bytes: "a4", text: "€", charset: "iso-8859-15"),
        .init(eci: 18, bytes: "aa", text: "Ș", charset: "iso-8859-16"),
        .init(eci: 20, bytes: "93fa967b5c", text: "日本\\", charset: "shift_jis"),
        .init(eci: 21, bytes: "a3", text: "Ł", charset: "windows-1250"),
        .init(eci: 22, bytes: "cff0", text: "Пр", charset: "windows-1251"),
        .init(eci: 23, bytes: "80", text: "€", charset: "windows-1252"),
        .init(eci: 24, bytes: "c7", text: "ا", charset: "windows-1256"),
        .init(eci: 25, bytes: "4f60597d", text: "你好", charset: "utf-16be"),
        .init(eci: 26, bytes: "c3a9", text: "é", charset: "utf-8"),
        .init(eci: 26, bytes: "616263", text: "abc", charset: "utf-8"),
        .init(eci: 27, bytes: "616263", text: "abc", charset: "us-ascii"),
        .init(eci: 28, bytes: "c163", text: "繁", charset: "big5"),
        .init(eci: 29, bytes: "c4e3bac3", text: "你好", charset: "gb18030"),
        .init(eci: 30, bytes: "bec8b3e7", text: "안녕", charset: "euc-kr"),
        .init(eci: 31, bytes: "c4e3e946", text: "你镕", charset: "gbk"),
        .init(eci: 32, bytes: "8139ee39", text: "㐀", charset: "gb18030"),
        .init(eci: 33, bytes: "604f7d59", text: "你好", charset: "utf-16le"),
        .init(eci: 34, bytes: "00004f60", text: "你", charset: "utf-32be"),
        .init(eci: 35, bytes: "604f0000", text: "你", charset: "utf-32le"),
        .init(eci: 170, bytes: "41", text: "A", charset: "us-ascii"),
        .init(eci: 899, bytes: "00ff80", text: "\0ÿ\u{80}", charset: "binary"),
    ]

    @Test(arguments: ecis) func eci(_ test: ECICase) {
        let bytes = hex(test.bytes)
        let segments = [Segment(range: bytes.indices, mode: .bytes, eci: test.eci)]
        let expected = TextDecoder.Result(text: test.text, charset: Charset(name: test.charset, source: .eci))
        #expect(TextDecoder.decode(bytes, segments: segments) == expected)
    }

    @Test(arguments: [14, 19, 36, 169, 811_799]) func anUnknownECIIsPassedOver(_ eci: Int) {
        let result = decode(("5afc72696368", .bytes, eci))
        #expect(result == .init(text: "Zürich", charset: Charset(name: "iso-8859-1", source: .evidence)))
    }

    @Test func anECIThatTheBytesBelieIsPassedOver() {
        let utf8 = decode(("d5c5ceb0", .bytes, 26))
        #expect(utf8 == .init(text: "张伟", charset: Charset(name: "gb18030", source: .evidence)))
        let ascii = decode(("c3a9e4bda0", .bytes, 27))
        #expect(ascii == .init(text: "é你", charset: Charset(name: "utf-8", source: .validity)))
    }

    @Test func kanjiModeIsShiftJIS() {
        let result = decode(("93fa967b", .kanji, nil), ("313233", .ascii, nil), ("c3bdc4", .bytes, nil))
        #expect(result == .init(text: "日本123ﾃｽﾄ", charset: Charset(name: "shift_jis", source: .kanjiMode)))
    }

    @Test func bytesBesideKanjiMayBeUTF8() {
        let result = decode(("93fa", .kanji, nil), ("e29882e4bda0", .bytes, nil))
        #expect(result == .init(text: "日☂你", charset: Charset(name: "utf-8", source: .validity)))
        let kanji = decode(("93fa967b93fa", .kanji, 26), ("c3a9", .bytes, 26))
        #expect(kanji == .init(text: "日本日é", charset: Charset(name: "shift_jis", source: .kanjiMode)))
    }

    @Test func aCharacterMayBeSplitOverSegments() {
        let utf8 = decode(("e4bd", .bytes, nil), ("a0e5a5bd", .bytes, nil))
        #expect(utf8 == .init(text: "你好", charset: Charset(name: "utf-8", source: .validity)))
        // The second byte of the first character is a capital A in an alphanumeric segment.
        let shiftJIS = decode(("83", .bytes, nil), ("41", .ascii, nil), ("83438358", .bytes, nil))
        #expect(shiftJIS == .init(text: "アイス", charset: Charset(name: "shift_jis", source: .evidence)))
    }

    @Test func stretchesOfSeveralSetsAreJoined() {
        let result = decode(("4869", .ascii, nil), ("e9", .bytes, 3), ("cff0e8", .bytes, 22), ("e4bda0", .bytes, 899))
        #expect(result == .init(text: "HiéПриä½\u{A0}", charset: Charset(name: "windows-1251", source: .eci)))
    }

    @Test func digitsAreASCIIWhateverTheECI() {
        let result = decode(("31323334", .ascii, 25))
        #expect(result == .init(text: "1234", charset: Charset(name: "us-ascii", source: .validity)))
    }

    @Test func segmentsThatDoNotFitAreCutToFit() {
        let bytes = hex("5afc72696368")
        let segments = [
            Segment(range: 4..<90, mode: .bytes, eci: 3), Segment(range: 1..<5, mode: .bytes, eci: 3),
            Segment(range: 50..<60, mode: .kanji, eci: nil),
        ]
        #expect(TextDecoder.decode(bytes, segments: segments).text == "Zürich")
    }

    @Test func randomSegmentsNeverCrash() {
        let seed: UInt64 = 77
        print("random segments with seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let segments = (0..<4).map { _ in
                let lower = Int.random(in: 0...25, using: &generator)
                let modes: [Segment.Mode] = [.ascii, .bytes, .kanji]
                let eci = Bool.random(using: &generator) ? Int.random(in: 0...40, using: &generator) : nil
                return Segment(
                    range: lower..<(lower + .random(in: 0...9, using: &generator)),
                    mode: modes.randomElement(using: &generator) ?? .bytes, eci: eci)
            }
            _ = TextDecoder.decode(bytes, segments: segments)
        }
    }

    private func decode(_ parts: (bytes: String, mode: Segment.Mode, eci: Int?)...) -> TextDecoder.Result {
        var bytes: [UInt8] = []
        var segments: [Segment] = []
        for part in parts {
            let start = bytes.count
            bytes += hex(part.bytes)
            segments.append(Segment(range: start..<bytes.count, mode: part.mode, eci: part.eci))
        }
        return TextDecoder.decode(bytes, segments: segments)
    }
}
