import BarcodeCore
import Foundation
import GRDB
import ScanEvents
import Synchronization
import TestSupport
import Testing

@testable import DropFolder
@testable import ScanOutbox

/// Splitting documents: all parts or none, each once, whenever the program ends.
@Suite(.timeLimit(.minutes(10))) struct SplitTests {
    private static func filing(_ name: String) -> Filing { Filing(folder: Array("by".utf8), name: Array(name.utf8)) }

    @Test(
        "The parts of a document",
        arguments: [
            (6, [1, 3, 4], .code, ["1-2 A", "3-3 B", "4-6 C"]), (6, [3], .code, ["1-2 -", "3-6 A"]),
            (6, [1], .code, []), (1, [1], .code, []), (6, [], .code, []), (2, [1, 2], .code, ["1-1 A", "2-2 B"]),
            (6, [1, 4], .separator, ["2-3 A", "5-6 B"]), (6, [3], .separator, ["1-2 -", "4-6 A"]),
            (6, [1, 2, 6], .separator, ["3-5 B"]), (6, [6], .separator, ["1-5 -"]), (1, [1], .separator, []),
            (6, [], .separator, []), (2, [1, 2], .separator, []),
        ] as [(Int, [Int], SplitPolicy, [String])])
    func plans(_ pages: Int, _ matches: [Int], _ policy: SplitPolicy, _ expected: [String]) {
        let names = ["A", "B", "C"]
        let parts = DocumentPart.parts(
            pages: pages, matches: matches.enumerated().map { ($0.element, Self.filing(names[$0.offset])) }, by: policy)
        let shown = parts.map { part in
            let name = part.filing?.name.map { String(decoding: $0, as: UTF8.self) } ?? "-"
            return "\(part.pages.lowerBound)-\(part.pages.upperBound) \(name)"
        }
        #expect(shown == expected)
    }

    /// The target of a document and its parts, by the codes of its pages.
    @Test(
        "Rules for the parts of a document",
        arguments: [
            (["A-1", "", "A-2", "x"], .code, "1-2 A-1.pdf, 3-4 A-2.pdf"),
            (["", "A-1", "x"], .code, "1-1 -, 2-3 A-1.pdf"),
            (["A-1", "", "x"], .code, "whole A-1.pdf"), (["x", "", "y"], .code, "nothing"),
            (["A-1"], .code, "whole A-1.pdf"),
            (["A-1 A-9", "x A-2 A-3", ""], .code, "1-1 A-1.pdf, 2-3 A-2.pdf"),
            (["A-1", "", "A-2", "x"], .separator, "2-2 A-1.pdf, 4-4 A-2.pdf"),
            (["A-1", "", "A-2", "x"], nil, "whole A-1.pdf"),
        ] as [([String], SplitPolicy?, String)])
    func rules(_ pages: [String], _ policy: SplitPolicy?, _ expected: String) throws {
        var rule = FilingRule(name: "rule")
        rule.filter = EventFilter(pattern: try TextPattern("^A-"))
        rule.fileName = try PathTemplate(name: "{{symbol.text}}")
        rule.split = policy
        let decision = Self.decision(rule, pages)
        func name(_ filing: Filing?) -> String { filing?.name.map { String(decoding: $0, as: UTF8.self) } ?? "-" }
        let shown =
            decision.map { decision in
                decision.parts.isEmpty
                    ? "whole \(name(decision.filing))"
                    : decision.parts.map { "\($0.pages.lowerBound)-\($0.pages.upperBound) \(name($0.filing))" }
                        .joined(separator: ", ")
            } ?? "nothing"
        #expect(shown == expected)
        #expect(decision?.parts.isEmpty != false || decision?.filing == nil)
    }

    /// The texts of each page, and the parts by stickers that begin with A and separators with P.
    @Test(arguments: [
        (["A-1", "", "P", "x", "A-2"], "1-2 A-1.pdf, 4-4 folder, 5-5 A-2.pdf"),
        (["x", "P", "A-1"], "1-1 folder, 3-3 A-1.pdf"), (["P", "A-1", "P"], "2-2 A-1.pdf"),
        (["A-1", "P A-2", ""], "1-1 A-1.pdf, 2-3 A-2.pdf"), (["x", "P", "x"], ""),
        (["A-1", "P", "P", "x"], "1-1 A-1.pdf, 4-4 folder"),
    ])
    func separatorsBetweenCodes(_ pages: [String], _ expected: String) throws {
        var rule = FilingRule(name: "rule")
        rule.filter = EventFilter(pattern: try TextPattern("^A-"))
        rule.folder = try PathTemplate(folder: "folder")
        rule.fileName = try PathTemplate(name: "{{symbol.text}}")
        (rule.split, rule.separator) = (.code, try TextPattern("^P$"))
        let decision = Self.decision(rule, pages)
        let shown: [String] = (decision?.parts ?? []).map { part in
            let name: [UInt8] = part.filing?.name ?? part.filing?.folder ?? []
            return "\(part.pages.lowerBound)-\(part.pages.upperBound) \(String(decoding: name, as: UTF8.self))"
        }
        #expect(shown.joined(separator: ", ") == expected)
    }

    /// The decision of a rule for a document with these texts on its pages, separated by spaces.
    private static func decision(_ rule: FilingRule, _ pages: [String]) -> FilingDecision? {
        var settings = DropFolderSettings(folder: [])
        settings.filing = [rule]
        let symbols = pages.enumerated().flatMap { page, texts in
            texts.split(separator: " ").map { text in
                var symbol = ScannedSymbol(symbology: .qrCode, text: String(text), bytes: Array(text.utf8))
                (symbol.page, symbol.pages) = (page + 1, pages.count)
                return symbol
            }
        }
        return settings.filing(
            of: RelativePath("a.pdf"), ScanSubmission(symbols: symbols, source: ScanSource(kind: .folder)),
            keys: nil, station: "test", time: Date())
    }

    /// The folder of a rule, and that of the pages before the first code.
    @Test(arguments: [("letters", "letters"), ("letters/{{symbol.text}}", nil), (nil, nil)] as [(String?, String?)])
    func leadingPages(_ folder: String?, _ expected: String?) throws {
        var rule = FilingRule(name: "rule")
        rule.filter = EventFilter(pattern: try TextPattern("^A-"))
        rule.folder = try folder.map { try PathTemplate(folder: $0) }
        rule.fileName = try PathTemplate(name: "{{symbol.text}}")
        rule.split = .separator
        let leading = try #require(Self.decision(rule, ["", "A-1", ""])?.parts.first)
        #expect(leading.pages == 1...1)
        #expect(leading.filing?.folder.map { String(decoding: $0, as: UTF8.self) } == expected)
        #expect(leading.filing?.name == nil)
    }

    /// Documents for real splitting programs, if these are installed.
    struct Documents {
        let folder: TemporaryFolder

        /// Creates a document whose pages are 101, 102 and so on points or pixels wide.
        func make(_ kind: DocumentSplitter.Kind, pages: Int) throws -> [UInt8] {
            switch kind {
            case .pdf:
                let page = { (number: Int) in
                    "\(number + 2) 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(100 + number) 50]>>endobj\n"
                }
                let kids = (1...pages).map { "\($0 + 2) 0 R" }.joined(separator: " ")
                // Without a cross-reference table, which the programs repair.
                let text =
                    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
                    + "2 0 obj<</Type/Pages/Count \(pages)/Kids[\(kids)]>>endobj\n" + (1...pages).map(page).joined()
                    + "trailer<</Root 1 0 R/Size \(pages + 3)>>\n%%EOF\n"
                let raw = try folder.file("raw.pdf", Array(text.utf8))
                _ = try ProgramRunner(executable: "/usr/bin/qpdf").run(
                    ["--no-warn", "--warning-exit-0", raw, folder["whole.pdf"]])
                return try #require(readFile(folder["whole.pdf"]))
            case .tiff:
                let names = try (1...pages).map { number in
                    let pixels = [UInt8](repeating: 0, count: (100 + number) * 8)
                    let header = Array("P5\n\(100 + number) 8\n255\n".utf8)
                    try folder.file("\(number).pgm", header + pixels)
                    _ = try ProgramRunner(executable: "/usr/bin/ppm2tiff").run(
                        [folder["\(number).pgm"], folder["\(number).tif"]])
                    return folder["\(number).tif"]
                }
                _ = try ProgramRunner(executable: "/usr/bin/tiffcp").run(names + [folder["whole.tif"]])
                return try #require(readFile(folder["whole.tif"]))
            }
        }

        /// Returns the widths of a document's pages.
        func widths(_ kind: DocumentSplitter.Kind, _ path: String) throws -> [Int] {
            switch kind {
            case .pdf:
                let json = try ProgramRunner(executable: "/usr/bin/qpdf").run(
                    ["--qdf", "--object-streams=disable", path, "-"]
                ).output
                let text = String(decoding: json, as: UTF8.self)
                return text.matches(of: /MediaBox \[\s*0\s+0\s+(\d+)/).compactMap { Int($0.output.1) }
            case .tiff:
                let text = try ProgramRunner(executable: "/usr/bin/tiffinfo").run([path]).text
                return text.matches(of: /Image Width: (\d+)/).compactMap { Int($0.output.1) }
            }
        }
    }

    static let kinds = DocumentSplitter.Kind.allCases.filter { ProgramSearch.finds($0.tool.program) }
    private static let day = Placement.day(of: Date(timeIntervalSince1970: 0))

    private let inbox: DropTestFolder
    private let documents: Documents

    init() throws {
        inbox = try DropTestFolder()
        documents = Documents(folder: try TemporaryFolder())
    }

    /// The recorded parts.
    private final class Noted: Sendable {
        let parts = Mutex<[[DocumentPart]]>([])
    }

    private func archiver(_ noted: Noted = Noted()) -> FileArchiver {
        FileArchiver(
            destination: inbox.bytes, noteTarget: { _, _ in },
            noteParts: { _, parts in noted.parts.withLock { $0.append(parts) } })
    }

    /// Creates a document of five pages: two parts are filed by code, one follows the document.
    private func document(_ kind: DocumentSplitter.Kind) throws -> FileRecord {
        let name = kind == .pdf ? "sub/a.pdf" : "sub/a.tif"
        try inbox.write(name, "")
        try Data(documents.make(kind, pages: 5)).write(to: URL(fileURLWithPath: inbox.path + "/" + name))
        var record = try inbox.record(name)
        let tail = String(name.suffix(4))
        record.parts = DocumentPart.parts(
            pages: 5, matches: [(2, Self.filing("B" + tail)), (4, Self.filing("B" + tail))], by: .code)
        return record
    }

    private func expectAll(_ kind: DocumentSplitter.Kind, _ tail: String) throws {
        let places = [
            "done/by/B\(tail)": [102, 103], "done/by/B (2)\(tail)": [104, 105],
            "done/\(Self.day)/sub/a page 1\(tail)": [101],
            "done/\(Self.day)/sub/a\(tail)": [101, 102, 103, 104, 105],
        ]
        #expect(inbox.files() == places.keys.sorted())
        for (place, widths) in places { #expect(try documents.widths(kind, inbox.path + "/" + place) == widths) }
    }

    @Test(arguments: kinds) func aDocumentInParts(_ kind: DocumentSplitter.Kind) async throws {
        let record = try document(kind)
        let noted = Noted()
        let archived = try await archiver(noted).archive(record, from: inbox.handle(), after: .move)
        #expect(archived.refusal == nil && archived.isNew)
        let tail = kind == .pdf ? ".pdf" : ".tif"
        try expectAll(kind, tail)
        #expect(noted.parts.withLock { $0.count } == 1, "noted at once, before any has its name")
    }

    /// The program ended with some parts moved, and possibly with partial files.
    @Test(arguments: kinds, [0, 1, 2, 3]) func afterACrash(_ kind: DocumentSplitter.Kind, _ placed: Int) async throws {
        var record = try document(kind)
        let tail = kind == .pdf ? ".pdf" : ".tif"
        let noted = Noted()
        let whole = try #require(inbox.data("sub/a" + tail))
        _ = try await archiver(noted).archive(record, from: inbox.handle(), after: .move)
        record.parts = try #require(noted.parts.withLock { $0.last })
        // Restores the earlier state: the document is back, and only some parts are moved.
        try FileManager.default.removeItem(atPath: inbox.path + "/done/\(Self.day)/sub/a" + tail)
        for part in record.parts.dropFirst(placed) {
            let target = try #require(part.target)
            let path = inbox.path + "/" + String(decoding: target, as: UTF8.self)
            try FileManager.default.removeItem(atPath: path)
        }
        try inbox.write("done/by/.quietzone-1-1.part", "half")
        try whole.write(to: URL(fileURLWithPath: inbox.path + "/sub/a" + tail))
        record.identity = try inbox.identity("sub/a" + tail)
        // A process that another test is starting may have the file open for a moment.
        let isRemoved = try await eventually { PartFile.removeStale(in: try inbox.handle()) == 1 }
        #expect(isRemoved)
        let archived = try await archiver().archive(record, from: inbox.handle(), after: .move)
        #expect(archived.refusal == nil)
        try expectAll(kind, tail)
    }

    /// Existing names are kept, even those created after the names were recorded.
    @Test(arguments: kinds.prefix(1)) func takenNames(_ kind: DocumentSplitter.Kind) async throws {
        let record = try document(kind)
        let tail = kind == .pdf ? ".pdf" : ".tif"
        try inbox.write("done/by/B" + tail, "not ours")
        let path = inbox.path
        let archiver = FileArchiver(
            destination: inbox.bytes, noteTarget: { _, _ in },
            noteParts: { _, _ in
                // Another process takes the name first, once.
                let late = path + "/done/by/B (2)" + tail
                if !FileManager.default.fileExists(atPath: late) {
                    try Data("not ours either".utf8).write(to: URL(fileURLWithPath: late))
                }
            })
        let archived = try await archiver.archive(record, from: inbox.handle(), after: .move)
        #expect(archived.refusal == nil)
        #expect(inbox.read("done/by/B" + tail) == "not ours")
        #expect(inbox.read("done/by/B (2)" + tail) == "not ours either")
        #expect(inbox.files("done/by").count == 4)
        #expect(inbox.files().count == 6)
    }

    /// A document that cannot be split stays whole.
    @Test(arguments: [
        ("%PDF-1.4 nothing", "splitting a.pdf: the command qpdf ended"),
        ("II*\u{0}", "splitting a.pdf: the command tiffcp"),
        ("picture", "it is not a PDF or TIFF"),
    ]) func whatCannotBeSplit(_ content: String, _ words: String) async throws {
        try inbox.write("a.pdf", content)
        var record = try inbox.record("a.pdf")
        record.parts = [DocumentPart(pages: 1...1, filing: Self.filing("A.pdf")), DocumentPart(pages: 2...2)]
        if words.contains("tiffcp") && !Self.kinds.contains(.tiff)
            || words.contains("qpdf") && !Self.kinds.contains(.pdf)
        {
            return
        }
        let archived = try await archiver().archive(record, from: inbox.handle(), after: .move)
        #expect(archived.refusal?.contains(words) == true, "\(archived.refusal ?? "")")
        #expect(inbox.files() == ["done/\(Self.day)/a.pdf"])
    }

    @Test func theJournalKnowsTheParts() async throws {
        let state = try DropTestFolder()
        let outbox = try Outbox(path: state.path + "/outbox.sqlite")
        let journal = FileJournal(outbox)
        try await journal.prepare()
        try inbox.write("a.pdf", "x")
        var record = try inbox.record("a.pdf")
        record.parts = [DocumentPart(pages: 1...2), DocumentPart(pages: 3...3, filing: Self.filing("A.pdf"))]
        let receipt = try await journal.enter(record, [])
        let number = try #require(receipt.record.number)
        #expect(try await journal.open(folder: inbox.bytes).map(\.parts) == [record.parts])
        record.parts[1].target = Array("done/x".utf8)
        record.parts[1].hash = [1, 2]
        try await journal.setParts(record.parts, of: number)
        #expect(try await journal.open(folder: inbox.bytes).map(\.parts) == [record.parts])
        // The same file under another name continues from there.
        try inbox.write("b.pdf", "x")
        var renamed = record
        renamed.path = Array("b.pdf".utf8)
        renamed.parts = []
        #expect(try await journal.enter(renamed, []).record.parts == record.parts)
        try await journal.close([(number, nil)])
        #expect(
            try await outbox.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM intake_part WHERE file = 1") } == 0)
    }
}
