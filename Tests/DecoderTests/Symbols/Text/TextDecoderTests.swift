import BarcodeCore
import Glibc
import TestSupport
import Testing

@testable import Symbols

/// Messages without an indication of their character set.
@Suite struct TextDecoderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var label: String
        var bytes: [UInt8]
        var expected: TextDecoder.Result
        var testDescription: String { "\(label): \(expected.charset.name)" }

        init(_ label: String, _ bytes: String, _ text: String, _ charset: String, _ source: Charset.Source) {
            self.label = label
            self.bytes = hex(bytes)
            self.expected = .init(text: text, charset: Charset(name: charset, source: source))
        }
    }

    // The bytes are from Python's codecs.
    static let cases: [Case] = [
        .init("nothing", "", "", "us-ascii", .validity),
        .init("ASCII", "41424320313233", "ABC 123", "us-ascii", .validity),
        .init("controls are kept", "4100010d0a1d7f", "A\0\u{1}\r\n\u{1D}\u{7F}", "us-ascii", .validity),
        .init("umlaut", "5afc72696368", "Zürich", "iso-8859-1", .evidence),
        .init("umlaut in a name", "4dfc6c6c6572", "Müller", "iso-8859-1", .evidence),
        .init("accent at the end", "636166e9", "café", "iso-8859-1", .evidence),
        .init("diaeresis", "6e61ef7665", "naïve", "iso-8859-1", .evidence),
        .init("ring and umlaut", "c56e67737472f66d", "Ångström", "iso-8859-1", .evidence),
        .init("Spanish question", "bf5175e93f", "¿Qué?", "iso-8859-1", .evidence),
        .init("tilde", "7365f16f72", "señor", "iso-8859-1", .evidence),
        .init("two accents", "416e6472e9204c6566e8767265", "André Lefèvre", "iso-8859-1", .evidence),
        .init("sharp s", "4afc7267656e2047726fdf", "Jürgen Groß", "iso-8859-1", .evidence),
        .init("two vowels in a row", "c4e46e656b6f736b69", "Äänekoski", "iso-8859-1", .evidence),
        .init("capital", "c96c6f646965", "Élodie", "iso-8859-1", .evidence),
        .init("capitals", "4ddc4c4c4552", "MÜLLER", "iso-8859-1", .evidence),
        .init("degrees", "3130b043", "10°C", "iso-8859-1", .evidence),
        .init("bare degree", "33372c35b0", "37,5°", "iso-8859-1", .evidence),
        .init("plus-minus", "3520b1203220b56d", "5 ± 2 µm", "iso-8859-1", .evidence),
        .init("euro of Windows", "3130302080", "100 €", "windows-1252", .evidence),
        .init("quotes of Windows", "9344e970f4749420962033", "“Dépôt” – 3", "windows-1252", .evidence),
        .init("euro of Latin-9", "31303020a4", "100 €", "iso-8859-15", .evidence),
        .init("greeting", "c4e3bac3", "你好", "gb18030", .evidence),
        .init("test", "b2e2cad4", "测试", "gb18030", .evidence),
        .init("country", "d6d0bbaac8cbc3f1b9b2bacdb9fa", "中华人民共和国", "gb18030", .evidence),
        .init("name and telephone", "d5c5ceb0203133383030313338303030", "张伟 13800138000", "gb18030", .evidence),
        .init("name of two", "d5c5ceb0", "张伟", "gb18030", .evidence),
        .init("name of two", "cdf5b7bc", "王芳", "gb18030", .evidence),
        .init("name of two", "c0eec4c8", "李娜", "gb18030", .evidence),
        .init("name of two", "c1f5d1f3", "刘洋", "gb18030", .evidence),
        .init("name of two", "b3c2beb2", "陈静", "gb18030", .evidence),
        .init("name of three", "c5b7d1f4d0de", "欧阳修", "gb18030", .evidence),
        .init("name that is UTF-8 by chance", "d0bbceb0", "谢伟", "gb18030", .evidence),
        .init("another", "ccb7ceb0", "谭伟", "gb18030", .evidence),
        .init("and one of one script", "cebaceb0", "魏伟", "gb18030", .evidence),
        .init("rare character of GBK", "d6ece946bbf9", "朱镕基", "gb18030", .evidence),
        .init("four bytes a character", "8139ef318139f338cfc8c9fac4fabac3", "㐂㐱先生您好", "gb18030", .evidence),
        .init("patient label", "d0d5c3fba3bac0eec4c8a3acc4eac1e4a3ba3335cbea", "姓名：李娜，年龄：35岁", "gb18030", .evidence),
        .init("letters and hanzi", "41d7f933b2e35152c2eb", "A座3层QR码", "gb18030", .evidence),
        .init("NUL after a name", "d5c5ceb000", "张伟\0", "gb18030", .evidence),
        .init("separators", "d5c5ceb01dc0eec4c804", "张伟\u{1D}李娜\u{4}", "gb18030", .evidence),
        .init("letter alone", "e9", "é", "iso-8859-1", .evidence),
        .init("word that begins small", "fc626572", "über", "iso-8859-1", .evidence),
        .init("pounds", "a335", "£5", "iso-8859-1", .evidence),
        .init("capital alone", "d1", "Ñ", "iso-8859-1", .evidence),
        .init("half", "bd", "½", "iso-8859-1", .evidence),
        .init("two in a row", "4772f6df65", "Größe", "iso-8859-1", .evidence),
        .init("sharp s in a word", "53747261df65", "Straße", "iso-8859-1", .evidence),
        .init("phrase", "c0206269656e74f474", "À bientôt", "iso-8859-1", .evidence),
        .init("ligature", "c6736972", "Æsir", "iso-8859-1", .evidence),
        .init("micrograms", "3520b5672f6d6c", "5 µg/ml", "iso-8859-1", .evidence),
        .init("inverted exclamation", "a1486f6c6121", "¡Hola!", "iso-8859-1", .evidence),
        .init("cedilla", "43757261e7616f", "Curaçao", "iso-8859-1", .evidence),
        .init("stroke", "d87265", "Øre", "iso-8859-1", .evidence),
        .init(
            "sentence", "4ff920657374206c61206269626c696f7468e8717565203f", "Où est la bibliothèque ?", "iso-8859-1",
            .evidence),
        .init("hyphen", "4a65616e2d4672616ee76f6973", "Jean-François", "iso-8859-1", .evidence),
        .init("Icelandic", "def372f07572", "Þórður", "iso-8859-1", .evidence),
        .init("hospital", "b1b1bea9d0adbacdd2bdd4ba", "北京协和医院", "gb18030", .evidence),
        .init("one character", "cdf5", "王", "gb18030", .evidence),
        .init("one common character", "c4d0", "男", "gb18030", .evidence),
        .init("department", "c4dabfc6", "内科", "gb18030", .evidence),
        .init("outpatients", "c3c5d5ef", "门诊", "gb18030", .evidence),
        .init("laboratory", "bcecd1e9bfc6", "检验科", "gb18030", .evidence),
        .init("label", "d7a1d4babac53a3030313233343520d0d5c3fb3acdf5b7bc", "住院号:0012345 姓名:王芳", "gb18030", .evidence),
        .init("full width", "a3b3a3b0a3b0d4aa", "３００元", "gb18030", .evidence),
        .init("page", "b5da31d2b3", "第1页", "gb18030", .evidence),
        .init("price", "a3a432352e3030d4aa", "￥25.00元", "gb18030", .evidence),
        .init("name and date", "c1f5d1f32031393835c4ea33d4c2", "刘洋 1985年3月", "gb18030", .evidence),
        .init("compound family name", "d6eeb8f0c1c1", "诸葛亮", "gb18030", .evidence),
        .init("Japanese", "93fa967b8cea", "日本語", "shift_jis", .evidence),
        .init("katakana", "836583588367", "テスト", "shift_jis", .evidence),
        .init("half width", "c3debbdeb2dd5152", "ﾃﾞｻﾞｲﾝQR", "shift_jis", .evidence),
        .init("hiragana", "82b182f182c982bf82cd", "こんにちは", "shift_jis", .evidence),
        .init("circled digits", "87408a948eae89ef8ed08741", "①株式会社②", "shift_jis", .evidence),
        .init("backslash and tilde", "5c7e938c8b9e", "\\~東京", "shift_jis", .evidence),
        .init("Korean", "bec8b3e7c7cfbcbcbfe4", "안녕하세요", "euc-kr", .evidence),
        .init("Korean word", "b4ebc7d1b9ceb1b9", "대한민국", "euc-kr", .evidence),
        .init("traditional", "c163c5e9a4a4a4e5b4fab8d5", "繁體中文測試", "big5", .evidence),
        .init("Taiwan", "a578c657a46abec7", "台灣大學", "big5", .evidence),
        .init("Russian", "cff0e8e2e5f2", "Привет", "windows-1251", .evidence),
        .init("Russian sentence", "e4cfc2d2cf20d0cfd6c1cccfd7c1d4d8", "Добро пожаловать", "koi8-r", .evidence),
        .init("UTF-8 umlaut", "5ac3bc72696368", "Zürich", "utf-8", .validity),
        .init("UTF-8 Chinese", "e5bca0e4bc9f", "张伟", "utf-8", .validity),
        .init("UTF-8 emoji", "6f6b20f09f918df09f8fbd", "ok 👍🏽", "utf-8", .validity),
        .init("UTF-8 Russian", "d09fd180d0b8d0b2d0b5d182", "Привет", "utf-8", .validity),
        .init("UTF-8 Greek", "cea9cebcceadceb3ceb1", "Ωμέγα", "utf-8", .validity),
        .init("byte order mark", "efbbbfe697a5e69cac", "日本", "utf-8", .validity),
        .init("byte order mark before ASCII", "efbbbf616263", "abc", "utf-8", .validity),
        .init("little-endian", "fffee5652c672000e900", "日本 é", "utf-16", .validity),
        .init("UTF-32", "fffe0000e56500002c670000", "日本", "utf-32", .validity),
        .init("big-endian", "feff005a00fc0072006900630068", "Zürich", "utf-16", .validity),
    ]

    @Test(arguments: cases) func decodes(_ test: Case) {
        #expect(TextDecoder.decode(test.bytes) == test.expected)
    }

    @Test func everyByteValueIsBinary() {
        let bytes = [UInt8](0...255)
        let result = TextDecoder.decode(bytes)
        #expect(result.charset == Charset(name: "binary", source: .evidence))
        #expect(result.text.unicodeScalars.map(\.value) == bytes.map(UInt32.init))
    }

    @Test func onePairOrByteNeverLosesBytes() {
        // An open converter keeps its library loaded; otherwise each pair would load all of them again.
        let sets = ["GB18030", "CP932", "BIG5", "UHC", "CP1252", "CP1251", "ISO-8859-15", "KOI8-R"]
        let handles = sets.map { iconv_open("UTF-32LE", $0) }
        defer { handles.forEach { _ = iconv_close($0) } }
        for first in UInt8.min...UInt8.max {
            check([first])
            for second in UInt8.min...UInt8.max where first >= 0x80 || second >= 0x80 { check([first, second]) }
        }
    }

    @Test func randomBytesNeverLoseBytes() {
        let seed: UInt64 = 20_261_121
        print("random bytes with seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            check((0..<Int.random(in: 0...60, using: &generator)).map { _ in .random(in: 0...255, using: &generator) })
        }
    }

    @Test func randomBytesOfSomeLengthAreBinary() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<100 {
            let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(TextDecoder.decode(bytes).charset.name == "binary", "\(bytes)")
        }
    }

    /// Encodes the text again, which must give the original bytes.
    private func check(_ bytes: [UInt8]) {
        let result = TextDecoder.decode(bytes)
        let converter =
            switch result.charset.name {
            case "shift_jis": "CP932"
            case "euc-kr": "UHC"
            case let name: name
            }
        switch result.charset.name {
        case "binary", "iso-8859-1", "us-ascii":
            #expect(result.text.unicodeScalars.map(\.value) == bytes.map(UInt32.init), "\(bytes)")
        case "utf-8":
            let mark: [UInt8] = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
            #expect(mark + result.text.utf8 == bytes)
        case let name:
            // A few characters exist twice in Shift_JIS and Big5: the bytes then differ but mean the same.
            let again = encode(result.text, converter) ?? []
            let encoding = CharacterEncoding(name, converter: converter)
            #expect(again == bytes || encoding.decode(again[...]) == result.text, "\(bytes) became \(result)")
        }
    }
}
