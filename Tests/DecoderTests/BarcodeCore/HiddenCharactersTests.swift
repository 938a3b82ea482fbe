import BarcodeCore
import Glibc
import Testing

/// Terminal control characters are shown as escapes; readable text is unchanged.
@Suite struct HiddenCharactersTests {
    @Test(
        arguments: [
            ("letters", "Grüße, 条码 — 10 €", "Grüße, 条码 — 10 €"),
            ("an escape sequence", "\u{1B}]0;x\u{7}", "\\u{1b}]0;x\\u{7}"),
            ("a carriage return", "a\rb", "a\\u{d}b"), ("NUL", "a\0b", "a\\u{0}b"), ("DEL", "\u{7F}", "\\u{7f}"),
            ("C1: CSI in one character", "\u{9B}31m", "\\u{9b}31m"), ("the last of C1", "\u{9F}", "\\u{9f}"),
            ("writing from the right", "\u{202E}gpj", "\\u{202e}gpj"),
            ("an isolate", "\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}"),
            ("marks", "\u{200E}\u{200F}\u{61C}", "\\u{200e}\\u{200f}\\u{61c}"),
            ("separators", "a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
            ("without width", "a\u{200B}\u{2060}\u{FEFF}\u{AD}", "a\\u{200b}\\u{2060}\\u{feff}\\u{ad}"),
            ("tags", "\u{E0041}", "\\u{e0041}"),
            (
                "fillers", "\u{34F}\u{115F}\u{1160}\u{17B4}\u{3164}\u{FFA0}\u{1D173}",
                "\\u{34f}\\u{115f}\\u{1160}\\u{17b4}\\u{3164}\\u{ffa0}\\u{1d173}"
            ),
            ("variations stay", "\u{2764}\u{FE0F} \u{1820}\u{180B}", "\u{2764}\u{FE0F} \u{1820}\u{180B}"),
            ("joiners stay", "می\u{200C}خواهم 👩\u{200D}🔬", "می\u{200C}خواهم 👩\u{200D}🔬"),
        ])
    func onOneLine(_ label: String, _ text: String, _ shown: String) {
        #expect(text.printable == shown)
        // A JSON string of the same characters must keep its value and only have visible characters.
        let json = Array(
            "{\"a\":\"\(text.unicodeScalars.filter { $0.value >= 0x20 }.map(String.init).joined())\"}".utf8)
        let hidden = String(decoding: PrintableJSON.escaped(json), as: UTF8.self).unicodeScalars.filter(\.isHidden)
        #expect(hidden.isEmpty)
    }

    @Test func lineFeedsAndTabs() {
        #expect("a\tb\n".printable == "a\\u{9}b\\u{a}")
        #expect("a\tb\n\r\u{1B}".printableLines == "a\tb\n\\u{d}\\u{1b}")
    }

    @Test(
        arguments: [
            ("C1 and DEL", "\"\u{9B}\u{7F}\"", "\"\\u009b\\u007f\""), ("direction", "\"\u{202E}\"", "\"\\u202e\""),
            ("a pair of units", "\"\u{E0041}\"", "\"\\udb40\\udc41\""), ("letters", "\"é条\u{200D}\"", "\"é条\u{200D}\""),
            ("its own line feeds", "{\n \"a\" : 1\n}\n", "{\n \"a\" : 1\n}\n"),
        ])
    func json(_ label: String, _ json: String, _ escaped: String) {
        #expect(String(decoding: PrintableJSON.escaped(Array(json.utf8)), as: UTF8.self) == escaped)
    }
}

/// Errors that count as a shortage of resources, and others.
@Suite struct ResourceShortageTests {
    @Test(
        arguments: [
            ("EMFILE", 24, false, true), ("ENFILE", 23, false, true), ("ENOMEM", 12, false, true),
            ("ENOBUFS", 105, false, true),
            ("EAGAIN of a read", 11, false, false), ("EAGAIN of a fork", 11, true, true), ("ENOENT", 2, true, false),
            ("ECONNREFUSED", 111, false, false), ("ENOSPC", 28, false, false),
        ] as [(String, Int32, Bool, Bool)])
    func errors(_ label: String, _ code: Int32, _ startsProcess: Bool, _ isShortage: Bool) {
        #expect((ResourceShortage(errno: code, startsProcess: startsProcess) != nil) == isShortage)
    }

    @Test func descriptorsThatAreFree() {
        #expect(DescriptorLimit.shortage(of: DescriptorLimit.forProcess) == nil)
        #expect(DescriptorLimit.raise() >= 64)
    }

    /// Counting descriptors must not use one up: other threads that open a file or count at the same time would fail.
    @Test func aLookAtTheDescriptorsTakesNone() async {
        let most = DescriptorLimit.raise()
        let shortages = await withTaskGroup(of: ResourceShortage?.self) { group in
            for _ in 0..<16 { group.addTask { DescriptorLimit.shortage(of: most * 3 / 4) } }
            return await group.reduce(into: [ResourceShortage]()) { all, one in if let one { all.append(one) } }
        }
        #expect(shortages == [])
        #expect(DescriptorLimit.shortage(of: .max) == ResourceShortage(errno: 24))
    }

    /// In a process of its own, because other tests would run out of descriptors too.
    @Test func aStartNeedsFreeDescriptors() async {
        await #expect(processExitsWith: .success) {
            let starts = try (0..<4).map { _ in try ProcessStart.begin() }
            for start in starts { start.end() }
            // Some of these are in use.
            let count = rlim_t(DescriptorLimit.forProcess)
            var limit = rlimit(rlim_cur: count, rlim_max: count)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            let shortage = #expect(throws: ResourceShortage.self) { try ProcessStart.begin() }
            #expect(shortage == ResourceShortage(errno: EMFILE))
        }
    }
}
