import FoundationEssentials
import Glibc
import ImageCodecs
import TestSupport
import Testing

/// Unusual files in a watched folder: they block nothing, and are handled as documented.
@Suite(.timeLimit(.minutes(10))) struct OddFileTests {
    /// An entry that is not a regular file stays, whatever it points to.
    @Test(arguments: ArrivalTests.ways)
    func whatIsNoFile(_ watching: String) async throws {
        let watch = try WatchRun()
        try watch.folder.file("outside.png", Picture.qr("outside"))
        try watch.folder.folder("away")
        try watch.folder.file("away/far.png", Picture.qr("far"))
        try watch.folder.link("inbox/link.png", to: watch.folder["outside.png"])
        try watch.folder.link("inbox/folder", to: watch.folder["away"])
        try watch.folder.link("inbox/nowhere.png", to: "/nowhere")
        _ = try watch.folder.fifo("inbox/fifo.png")
        try shell(
            "cd '\(watch.inbox)' && python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"socket.png\")'")
        try watch.folder.folder("inbox/x.jpg")
        try watch.drop(codes: ["x.jpg/inside"])
        let watcher = try watch.start("--watch", watching, "--poll", "0.2")
        #expect(await watch.reports(["x.jpg/inside"]))
        // One that arrives while the program runs.
        try watch.folder.link("inbox/later.png", to: watch.folder["outside.png"])
        try watch.drop(codes: ["last"])
        #expect(await watch.reports(["last", "x.jpg/inside"]))
        let isEmpty = await eventually { watch.waiting().isEmpty }
        #expect(isEmpty)
        #expect(try watcher.stop() == .exit(0))
        #expect(watch.files() == ["done/last.png", "done/x.jpg/inside.png"])
        let left = try shell("cd '\(watch.inbox)' && ls -d *").lines
        #expect(Set(left).isSuperset(of: ["fifo.png", "folder", "later.png", "link.png", "nowhere.png", "socket.png"]))
        #expect(readFile(watch.folder["outside.png"]) != nil && readFile(watch.folder["away/far.png"]) != nil)
        #expect(watch.log.contains("link.png") && watch.log.contains("fifo.png"), "named in the log: \(watch.log)")
    }

    /// A file above the limit is rejected by its size: a terabyte takes no longer than a small file.
    @Test(arguments: ArrivalTests.ways)
    func hugeFiles(_ watching: String) async throws {
        let watch = try WatchRun()
        for name in ["a.png", "b.png"] {
            try watch.drop(name, Picture.qr("huge"))
            try #require(truncate("\(watch.inbox)/\(name)", 1 << 40) == 0)
        }
        let texts = (0..<9).map { "\($0)" }
        try watch.drop(codes: texts)
        let watcher = try watch.start("--watch", watching, "--poll", "0.2", "--jobs", "4")
        #expect(await watch.reports(texts))
        #expect(await watch.leaves())
        #expect(try await watch.status([]).ending == .exit(0))
        #expect(try watcher.stop() == .exit(0))
        #expect(watch.files().filter { $0.hasPrefix("failed/") && $0.hasSuffix(".png") }.count == 2)
        #expect(watch.count("has 1099511627776 bytes") == 2, "\(watch.log)")
    }

    /// Every name that a file system permits.
    @Test(
        arguments: ArrivalTests.ways,
        [
            ("a line feed", Array("two\nlines.png".utf8)),
            ("no UTF-8", [0x66, 0xFF, 0xFE, 0x2E, 0x70, 0x6E, 0x67]),
            ("a leading dash", Array("--once".utf8)),
            ("as long as can be", Array(String(repeating: "n", count: 251).utf8) + Array(".png".utf8)),
            ("as long as can be, of letters of three bytes", Array(String(repeating: "条", count: 85).utf8)),
            ("quotes and blanks", Array(" '\"\\$(x) .png".utf8)),
            ("no extension", Array("picture".utf8)),
            ("control characters", Array("a\u{1B}[31m\t.png".utf8)),
            ("control characters beyond ASCII, and turned writing", Array("a\u{9B}31m\u{202E}gnp.png".utf8)),
        ] as [(String, [UInt8])])
    func names(_ watching: String, _ name: (label: String, bytes: [UInt8])) async throws {
        let watch = try WatchRun()
        let watcher = try watch.start("--watch", watching, "--poll", "0.2", "--sidecar")
        let inbox = Array("inbox/".utf8)
        // Twice, so that the second one needs another name; and once more as an unreadable file, which gets a report.
        for text in ["one", "two"] {
            try watch.folder.file(inbox + name.bytes, Picture.qr(text))
            let isTaken = await eventually { watch.waiting().isEmpty && watch.texts().contains(text) }
            #expect(isTaken, "\(text): \(watch.files()) \(watch.log)")
        }
        try watch.folder.file(inbox + name.bytes, Array("no picture".utf8))
        let isFailed = await eventually { watch.waiting().isEmpty }
        #expect(isFailed, "\(watch.files()) \(watch.log)")
        #expect(try watcher.stop() == .exit(0))
        let files = watch.files()
        #expect(files.count { $0.hasPrefix("done/") } == 4, "two pictures and their answers: \(files)")
        #expect(files.count { $0.hasPrefix("failed/") } == 2, "the file and its report: \(files)")
        #expect(watch.texts() == ["one", "two"])
        let obeyed = watch.log.unicodeScalars.filter {
            $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E)
        }
        #expect(obeyed.isEmpty, "nothing that a terminal would obey")
    }

    /// A report in failed/.
    private struct Report: Decodable {
        struct Failure: Decodable {
            var code: String
            var message: String
        }
        var file: String
        var error: Failure
        var tries: Int
        var time: String
    }

    @Test func whatIsNoPicture() async throws {
        let watch = try WatchRun()
        let jpeg = try sample("qr-colour.jpg")
        try watch.drop("empty.png", [])
        try watch.drop("text.jpg", Array("Dear Sir or Madam".utf8))
        try watch.drop("gif.png", Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 100))
        try watch.drop("head.jpg", Array(jpeg[..<20]))
        // A header that claims 60,000 by 60,000 pixels.
        try watch.drop("large.pgm", Array("P5\n60000 60000\n255\n".utf8))
        try watch.drop("half.jpg", Array(jpeg[..<(jpeg.count / 2)]))
        try watch.drop("whole.jpg", jpeg)
        #expect(try await watch.once() == .exit(0))
        let failed = ["empty.png", "gif.png", "head.jpg", "large.pgm", "text.jpg"]
        let files = watch.files()
        #expect(files.filter { $0.hasPrefix("failed/") } == failed.flatMap { ["failed/\($0)", "failed/\($0).json"] })
        #expect(files.contains("done/whole.jpg") && watch.waiting().isEmpty)
        #expect(files.count == 2 * failed.count + 2, "half a picture has a place too: \(files)")
        for name in failed {
            let path = try #require(try shell("ls '\(watch.inbox)'/failed/*/\(name).json").lines.first)
            let report = try JSONDecoder().decode(Report.self, from: Data(try #require(readFile(path))))
            #expect(report.file.hasSuffix(name) && !report.error.message.isEmpty && report.time.hasSuffix("Z"))
            #expect((report.error.code == "too_large") == (name == "large.pgm"), "\(name): \(report.error)")
        }
    }

    @Test(arguments: ["again", "skip"])
    func theSameTwice(_ policy: String) async throws {
        let watch = try WatchRun()
        let watcher = try watch.start("--duplicates", policy)
        for (name, text) in [("a", "same"), ("b", "same"), ("a", "other"), ("a", "same")] {
            try watch.drop("\(name).png", Picture.qr(text))
            let isTaken = await eventually { watch.waiting().isEmpty }
            #expect(isTaken)
        }
        #expect(await watch.reports(policy == "skip" ? ["other", "same"] : ["other", "same", "same", "same"]))
        #expect(try watcher.stop() == .exit(0))
        let files = try shell("cd '\(watch.inbox)' && find . -type f | wc -l").text
        #expect(files.trimmed == "4", "all four are kept: \(watch.files())")
        #expect(watch.files().contains("done/a.png") && watch.files().contains("done/a (2).png"))
        // The history of files survives a restart.
        try watch.drop("c.png", Picture.qr("same"))
        #expect(try await watch.once("--duplicates", policy) == .exit(0))
        #expect(watch.texts().count == (policy == "skip" ? 2 : 5))
    }

    @Test func whatIsThereIsNotOverwritten() async throws {
        let watch = try WatchRun()
        let today = try shell("date +%F").text.trimmed
        for place in ["done", "failed", "no-code"] {
            try makeFolder("\(watch.inbox)/\(place)")
            try makeFolder("\(watch.inbox)/\(place)/\(today)")
            for name in ["a.x", "a (2).x", "a.x.json"] { try watch.drop("\(place)/\(today)/\(name)", [1, 2, 3]) }
        }
        for content in [try Picture.qr("code"), Array("text".utf8), Picture.blank()] {
            try watch.drop("a.x", content)
            #expect(try await watch.once("--sidecar") == .exit(0))
        }
        for place in ["done", "failed", "no-code"] {
            for name in ["a.x", "a (2).x", "a.x.json"] {
                #expect(readFile("\(watch.inbox)/\(place)/\(today)/\(name)") == [1, 2, 3], "\(place)/\(name)")
            }
            #expect(watch.files().contains("\(place)/a (3).x"))
        }
        #expect(watch.texts() == ["code"])
    }

    @Test(arguments: ["leave", "delete", "move"])
    func whatFollows(_ after: String) async throws {
        let watch = try WatchRun()
        try watch.drop(codes: ["a"])
        for _ in 0..<2 { #expect(try await watch.once("--after", after) == .exit(0)) }
        #expect(watch.files() == ["leave": ["a.png"], "delete": [], "move": ["done/a.png"]][after])
        #expect(watch.texts() == ["a"], "what was left is not read again")
    }

    @Test func twoOnOneDatabase() async throws {
        let watch = try WatchRun()
        let watcher = try watch.start()
        try watch.drop(codes: ["a"])
        #expect(await watch.reports(["a"]))
        var second = watch.runner()
        second.streams = .init()
        // With another folder; LockTests cover the same one.
        try watch.folder.folder("other")
        var arguments = watch.arguments([])
        arguments[1] = watch.folder["other"]
        let result = try await second(arguments)
        #expect(result.ending == .exit(75))
        #expect(result.messages.contains("outbox.sqlite"), "\(result.messages)")
        #expect(result.messages.contains("\(watcher.program.process)"), "it says who has it: \(result.messages)")
        #expect(try watcher.stop() == .exit(0))
    }
}

extension String {
    /// The text without leading and trailing white space.
    var trimmed: String { String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()) }
}
