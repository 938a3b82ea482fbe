import BarcodeCore
import Foundation
import ScanEvents
import TestSupport
import Testing

@testable import DropFolder
@testable import ScanOutbox

/// Files named and filed by their codes: each file ends up at exactly one path, whatever its code contains.
@Suite(.timeLimit(.minutes(10))) struct FilingTests {
    let inbox: DropTestFolder
    let state: DropTestFolder
    let day = Placement.day(of: Date())

    init() throws {
        inbox = try DropTestFolder()
        state = try DropTestFolder()
    }

    private func pass(_ rules: FilingRule...) throws -> SinglePass {
        var pass = try SinglePass(inbox, database: state)
        pass.settings.filing = rules
        return pass
    }

    private static func rule(
        folder: String? = nil, name: String? = nil, match: [String] = [], filter: EventFilter = EventFilter()
    ) throws -> FilingRule {
        var rule = FilingRule(name: "rule")
        rule.patterns = match
        rule.filter = filter
        rule.folder = try folder.map { try PathTemplate(folder: $0) }
        rule.fileName = try name.map { try PathTemplate(name: $0) }
        return rule
    }

    // MARK: file names

    @Test(
        "File names from texts",
        arguments: [
            ("INV-2026.11", "INV-2026.11"), ("Größe 漢 🎈", "Größe 漢 🎈"), ("a b", "a b"),
            ("../../etc/passwd", "___.._etc_passwd"),
            ("/etc/passwd", "_etc_passwd"), ("..", "__"), (".", "_"), ("...", "___"), (".hidden", "_hidden"),
            ("a/b\\c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"), ("a\u{0}b\u{1B}[31m\n", "a_b_[31m_"),
            ("gpj\u{202E}exe", "gpj_exe"), ("zero\u{200B}width", "zero_width"), ("\u{E000}private", "_private"),
            ("-rf", "_rf"), ("~root", "_root"), ("  blanks  ", "blanks"), ("dots...", "dots"), ("a. .", "a"),
            ("CON", "_CON"), ("con.txt", "_con.txt"), ("Com1", "_Com1"), ("COM10", "COM10"), ("console", "console"),
            ("", nil), ("   ", nil), (" . ", "_"), ("\u{1D}01", "_01"),
        ] as [(String, String?)])
    func safeNames(_ text: String, _ name: String?) {
        #expect(SafeName.name(text).map { String(decoding: $0, as: UTF8.self) } == name)
    }

    /// For any text, the name is a single component: not hidden, valid UTF-8, short, and stable.
    @Test func anyText() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let letters: [Unicode.Scalar] = [
            "a", "/", "\\", ".", " ", "-", "~", "\u{0}", "\n", "\u{202E}", "漢", "🎈", "C", "O", "N", ":", "\u{85}",
        ]
        for _ in 0..<2000 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...320, using: &random) {
                view.append(letters.randomElement(using: &random) ?? "a")
            }
            guard let name = SafeName.name(String(view)) else { continue }
            #expect(!name.isEmpty && name.count <= SafeName.maximumLength)
            #expect(!name.contains(0x2F) && !name.contains(0) && name.first != 0x2E && name.first != 0x2D)
            let text = try #require(String(validating: name, as: UTF8.self))
            #expect(SafeName.name(text) == name)
        }
    }

    @Test func longTextsStayApart() throws {
        let texts = ["a", "b"].map { String(repeating: "x", count: 300) + $0 }
        let names = try texts.map { try #require(SafeName.name($0)) }
        #expect(Set(names).count == 2)
        #expect(names.allSatisfy { $0.count == SafeName.maximumLength })
        let wide = try #require(SafeName.name(String(repeating: "漢", count: 100)))
        #expect(String(validating: wide, as: UTF8.self) != nil)
    }

    @Test(
        "Invalid templates",
        arguments: [
            ("/srv/{{symbol.text}}", nil, "begins with a slash"), ("../{{symbol.text}}", nil, "is not a safe name"),
            ("a//b", nil, "is not a safe name"), ("", nil, "is not a safe name"),
            ("a/{{symbol.text}}/", nil, "is not a safe name"),
            ("{{symbol.txet}}", nil, "has the field \"symbol.txet\""), ("{{symbol.text", nil, "without \"}}\""),
            ("{{id}}", nil, "cannot be part of a name"), ("{{event}}", nil, "cannot be part of a name"),
            ("1/2/3/4/5/6/7/8/9", nil, "has 9"),
            ("CON/{{symbol.text}}", nil, "is not a safe name"), ("{{content.gs2.10}}", nil, "is not a kind of content"),
            (nil, "a/{{symbol.text}}", "contains a slash"), (nil, ".{{symbol.text}}", "is not a safe name"),
            (nil, "-{{symbol.text}}", "is not a safe name"), (nil, "{{symbol.text}}.", "is not a safe name"),
            (nil, "a:{{symbol.text}}", "is not a safe name"),
            (nil, String(repeating: "x", count: 201), "is not a safe name"),
        ] as [(String?, String?, String)])
    func templatesThatAreNone(_ folder: String?, _ name: String?, _ words: String) {
        let error = #expect(throws: SyntaxError.self) { try Self.rule(folder: folder, name: name) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    // MARK: folders

    @Test(
        "Paths of files with one code",
        arguments: [
            ("{{symbol.text}}", nil, "INV-1", "done/INV-1/a.jpg"),
            (nil, "{{symbol.text}}", "INV-1", "done/DAY/sub/INV-1.jpg"),
            ("{{symbol.format}}/{{symbol.text}}", "{{station}} {{symbol.text}}", "X", "done/qr_code/X/test X.jpg"),
            ("{{symbol.text}}", "{{symbol.text}}", "../../etc/passwd", "done/___.._etc_passwd/___.._etc_passwd.jpg"),
            ("{{symbol.text}}", nil, "..", "done/__/a.jpg"), ("{{symbol.text}}", nil, "a\nb", "done/a_b/a.jpg"),
            (nil, "{{symbol.text}}", "CON", "done/DAY/sub/_CON.jpg"),
            (nil, "{{symbol.text}}", "x.exe", "done/DAY/sub/x.exe.jpg"),
            // If a code lacks the value for a name, the file goes where it goes without the rule.
            ("{{content.gs1.10}}", nil, "INV-1", "done/DAY/sub/a.jpg"),
            ("{{symbol.addOn}}", "{{symbol.text}}", "INV-1", "done/DAY/sub/a.jpg"),
            ("{{content.url.host}}", nil, "https://example.org/a", "done/example.org/a.jpg"),
        ] as [(String?, String?, String, String)])
    func places(_ folder: String?, _ name: String?, _ text: String, _ place: String) async throws {
        try inbox.write("sub/a.jpg", "code \(text)")
        let pass = try pass(Self.rule(folder: folder, name: name))
        try await pass.run()
        let expected = place.replacing("DAY", with: day)
        #expect(inbox.files() == [expected])
        #expect(try await pass.texts() == [text])
    }

    /// The first rule that matches a code of the file applies; other files go to the default folder.
    @Test func rulesInTheirOrder() async throws {
        try inbox.write("orders/1.jpg", "code ORDER-1")
        try inbox.write("orders/2.jpg", "code https://example.org/2")
        try inbox.write("orders/3.jpg", "nothing")
        try inbox.write("4.jpg", "code ORDER-4")
        try inbox.write("5.jpg", "code other")
        try inbox.write("6.jpg", "refused")
        let orders = try EventFilter(pattern: TextPattern("^ORDER-[0-9]+$"))
        let links = try EventFilter(symbologies: [.qrCode], content: [ContentCondition("url.host=example")])
        try await pass(
            Self.rule(folder: "orders", name: "{{symbol.text}}", match: ["orders/*"], filter: orders),
            Self.rule(folder: "links/{{content.url.host}}", filter: links),
            Self.rule(folder: "late", filter: orders),
            Self.rule(folder: "never", filter: EventFilter(symbologies: [.ean13]))
        ).run()
        #expect(
            inbox.files() == [
                "done/\(day)/5.jpg", "done/late/4.jpg", "done/links/example.org/2.jpg", "done/orders/ORDER-1.jpg",
                "failed/\(day)/6.jpg", "failed/\(day)/6.jpg.json", "no-code/\(day)/orders/3.jpg",
            ])
    }

    /// Two files with the same code, and one whose name is in use: no file is lost.
    @Test func equalCodes() async throws {
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try inbox.write(name, "code A \(name)") }
        try inbox.write("done/A/A.jpg", "not ours")
        var pass = try pass(Self.rule(folder: "{{symbol.text}}", name: "{{symbol.text}}"))
        pass.settings.writesSidecars = true
        try await pass.run()
        let names = ["A (2).jpg", "A (3).jpg", "A (4).jpg"]
        #expect(inbox.files() == (names + names.map { $0 + ".json" } + ["A.jpg"]).sorted().map { "done/A/" + $0 })
        #expect(inbox.read("done/A/A.jpg") == "not ours")
        #expect(Set(names.compactMap { inbox.read("done/A/" + $0) }).count == 3)
    }

    @Test func aDuplicateGoesWhereTheFirstOneWent() async throws {
        var pass = try pass(Self.rule(folder: "first", name: "{{symbol.text}}"))
        pass.settings.duplicates = .skip
        try inbox.write("a.jpg", "code A")
        try await pass.run()
        // The rule has changed since; an already decoded file is filed by the earlier rule.
        pass.settings.filing = [try Self.rule(folder: "second")]
        try inbox.write("b.jpg", "code A")
        try inbox.write("c.jpg", "code C")
        try await pass.run()
        #expect(inbox.files() == ["done/first/A (2).jpg", "done/first/A.jpg", "done/second/c.jpg"])
        #expect(try await pass.texts() == ["A", "C"])
    }

    @Test(arguments: [AfterPolicy.leave, .delete]) func whatIsNotMovedIsNotFiled(_ after: AfterPolicy) async throws {
        var pass = try pass(Self.rule(folder: "x"))
        pass.settings.after = after
        try inbox.write("a.jpg", "code A")
        try await pass.run()
        #expect(inbox.files() == (after == .leave ? ["a.jpg"] : []))
    }

    /// A file is in the way of the folder: the picture goes where it goes without the rule, once.
    @Test func aFolderThatCannotBeMade() async throws {
        try inbox.write("done/A", "a file")
        try inbox.write("a.jpg", "code A")
        let pass = try pass(Self.rule(folder: "{{symbol.text}}"))
        let status = try await pass.run()
        #expect(status.movesPending == 0)
        #expect(inbox.files() == ["done/\(day)/a.jpg", "done/A"])
    }

    @Test func aLinkInTheWayLeadsNowhere() async throws {
        let outside = try DropTestFolder()
        try inbox.write("done/keep", "")
        try FileManager.default.createSymbolicLink(
            atPath: inbox.path + "/done/A", withDestinationPath: outside.path)
        try inbox.write("a.jpg", "code A")
        let status = try await pass(Self.rule(folder: "{{symbol.text}}")).run()
        #expect(status.moveError?.contains(": \(inbox.path)/done/A is a symbolic link") == true)
        #expect(outside.files() == [] && inbox.read("a.jpg") == "code A")
    }

    // MARK: faults

    /// The program ended at one of the steps of a journaled move: the file reaches the same path, once.
    @Test(arguments: ["nothing", "note", "note and file", "file moved"]) func afterACrash(_ step: String) async throws {
        let archiver = FileArchiver(destination: inbox.bytes) { _, _ in }
        try inbox.write("a.jpg", "picture")
        var record = try inbox.record("a.jpg", note: "report")
        record.filing = Filing(folder: Array("A/B".utf8), name: Array("INV.jpg".utf8))
        record.target = Array("done/A/B/INV (2).jpg".utf8)
        try inbox.write("done/A/B/INV.jpg", "another")
        if step != "nothing" { try inbox.write("done/A/B/INV (2).jpg.json", "report") }
        if step == "note and file" { try inbox.write("done/A/B/INV (2).jpg", "picture") }
        if step == "file moved" {
            try FileManager.default.moveItem(
                atPath: inbox.path + "/a.jpg", toPath: inbox.path + "/done/A/B/INV (2).jpg")
        }
        let result = try await archiver.archive(record, from: inbox.handle(), after: .move)
        #expect(result == .init(place: RelativePath("done/A/B/INV (2).jpg"), isNew: step != "file moved"))
        #expect(inbox.files() == ["INV (2).jpg", "INV (2).jpg.json", "INV.jpg"].map { "done/A/B/" + $0 })
    }

    /// The path without the rule was journaled and the file copied there when the program ended: it stays there.
    @Test func aCopyOfBeforeACrashIsFoundWhereverItIs() async throws {
        let archiver = FileArchiver(destination: inbox.bytes) { _, _ in }
        try inbox.write("a.jpg", "picture")
        try inbox.write("done/2026-11-21/a.jpg", "picture")
        var record = try inbox.record("a.jpg")
        record.filing = Filing(folder: Array("A".utf8), name: nil)
        record.target = Array("done/2026-11-21/a.jpg".utf8)
        let result = try await archiver.archive(record, from: inbox.handle(), after: .move)
        #expect(result.place == RelativePath("done/2026-11-21/a.jpg"))
        #expect(inbox.files() == ["done/2026-11-21/a.jpg"])
    }

    /// A file decoded before a crash goes where its journal row says, regardless of the current configuration.
    @Test func theRowDecides() async throws {
        try inbox.write("a.jpg", "code A")
        let pass = try pass(Self.rule(folder: "now"))
        var record = try inbox.record("a.jpg", time: Date())
        record.filing = Filing(folder: Array("then".utf8), name: Array("A.jpg".utf8))
        try await pass.enter(record)
        try await pass.run()
        #expect(inbox.files() == ["done/then/A.jpg"])
        #expect(pass.reader.readings == [])
    }
}
