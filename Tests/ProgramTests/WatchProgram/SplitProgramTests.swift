import Glibc
import TestSupport
import Testing

/// Splitting documents under every fault that could lose a part.
///
/// Each part is complete or absent, none is lost or duplicated, and the document is kept. `QUIETZONE_WATCH_KILLS` is
/// the number of kills of the program; `make test-watch` uses 20.
@Suite(.timeLimit(.minutes(10))) struct SplitProgramTests {
    /// A document of five pages in three parts: the pages before the first code, two pages, and two pages.
    private struct Document {
        var number: Int
        /// A TIFF needs no rendering; the parts of a PDF are written by another program.
        var isPDF: Bool { number % 3 == 0 }
        var tail: String { isPDF ? ".pdf" : ".tif" }
        var name: String { "\(number)\(tail)" }
        var texts: [String] {
            ["page \(number).1", "PART \(number).2", "page \(number).3", "PART \(number).4", "page \(number).5"]
        }
        /// The parts, as paths below `done/`, and the codes on their pages.
        var parts: [String: [String]] {
            [
                "done/parts/\(number) page 1\(tail)": Array(texts[...0]),
                "done/parts/PART \(number).2\(tail)": Array(texts[1...2]),
                "done/parts/PART \(number).4\(tail)": Array(texts[3...4]),
            ]
        }
        var places: [String] { parts.keys + ["done/\(name)"] }

        /// - Parameter room: the number of bytes per page in addition to its code, in a PDF.
        func bytes(room: Int = 0, in folder: TestSupport.TemporaryFolder) throws -> [UInt8] {
            if isPDF {
                return PDFDocument(
                    try texts.map { text in
                        var page = try PDFDocument.Page.qr(text)
                        // A comment, which is preserved.
                        page.content += "%" + String(repeating: "x", count: room)
                        return page
                    }
                ).bytes
            }
            let pages = try texts.enumerated().map { index, text in
                let path = folder["\(number)-\(index).png"]
                try folder.file("\(number)-\(index).png", Picture.qr(text))
                return path
            }
            let path = folder["\(number)-whole.tif"]
            let result = try ProgramRunner(executable: "/usr/bin/env").run(["convert"] + pages + [path])
            try #require(result.ending == .exit(0))
            return try #require(readFile(path))
        }
    }

    private static let rule =
        "{textMatches: \"^PART\", split: code, folder: parts, name: \"{{symbol.text}}\"}"

    private let watch: WatchRun
    private let options: [String]

    init() throws {
        watch = try WatchRun()
        try watch.folder.file("c.yaml", Array("filing:\n  parts: \(Self.rule)\n".utf8))
        // With many other programs running, a page can take longer than the 30 seconds after which a document is
        // given up.
        options = ["--config", watch.folder["c.yaml"], "--rescan", "1", "--timeout", "300"]
    }

    /// The splitting programs, which can kill the program that starts them.
    ///
    /// Each call appends a line to the file `splits`. The call with the number in the file `deadly` kills: before it
    /// starts, with half of the part written, or after writing the part.
    private func deadlyTools() throws -> String {
        let tools = try watch.folder.folder("tools")
        for tool in ["qpdf", "tiffcp"] {
            let script = """
                #!/bin/sh
                cd '\(watch.folder.path)' && echo >>splits && read number moment <deadly
                if [ $(wc -c <splits) -ge "$number" ]; then
                    case $moment in
                    before) kill -9 $PPID;;
                    half) for last; do :; done; echo half >"$last"; kill -9 $PPID; exit 1;;
                    after) /usr/bin/\(tool) "$@"; kill -9 $PPID; exit 0;;
                    esac
                fi
                exec /usr/bin/\(tool) "$@"

                """
            try watch.folder.file("tools/\(tool)", Array(script.utf8))
            try makeExecutable("\(tools)/\(tool)")
        }
        return tools
    }

    private var splits: Int { (readFile(watch.folder["splits"]) ?? []).count }

    private func start(_ more: [String] = [], path: String) throws -> Watcher {
        var runner = watch.runner()
        runner.environment = runner.environment.map { $0.hasPrefix("PATH=") ? "PATH=\(path)" : $0 }
        return Watcher(try runner.start(watch.arguments(options + more)))
    }

    /// Checks that each document and each part is at its path, a part has its pages, and each code was reported once.
    private func expectAll(_ documents: [Document], in folder: String) async throws {
        #expect(Tree.files(below: folder) == documents.flatMap(\.places).sorted())
        let identifiers = Dictionary(grouping: watch.events(), by: \.symbol.text).mapValues { Set($0.map(\.id)).count }
        #expect(identifiers == Dictionary(uniqueKeysWithValues: documents.flatMap(\.texts).map { ($0, 1) }))
        // The parts are decoded in turn; events are delivered in any order.
        let reading = try WatchRun()
        try shell("cp '\(folder)'/done/parts/* '\(reading.inbox)'")
        #expect(try await reading.once("--timeout", "300") == .exit(0), "\(reading.log.suffix(2000))")
        let read = Dictionary(grouping: reading.events(), by: { $0.source.name ?? "" })
            .mapValues { $0.map(\.symbol.text).sorted() }
        let expected = documents.flatMap(\.parts).map {
            ($0.key.split(separator: "/").last.map(String.init) ?? "", $0.value.sorted())
        }
        #expect(read == Dictionary(uniqueKeysWithValues: expected), "\(reading.log.suffix(2000))")
    }

    @Test func killedAmidASplit() async throws {
        let kills = Setting.number("QUIETZONE_WATCH_KILLS", 6)
        let seed = UInt64.random(in: 0...UInt64.max)
        print("\(kills) kills, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let path = try deadlyTools() + ":/usr/local/bin:/usr/bin:/bin"
        let documents = (0..<kills).map { Document(number: $0) }
        for document in documents {
            // One of its three parts, or one of those that the previous kill left.
            let number = splits + Int.random(in: 1...3, using: &random)
            let moment = ["before", "half", "after", "names"][document.number % 4]
            try watch.folder.file("deadly", Array("\(number) \(moment)\n".utf8))
            let watcher = try start(path: path)
            try watch.drop(document.name, document.bytes(in: watch.folder))
            if moment == "names" {
                // From outside, at about the time when the parts get their names.
                let hasBegun = await eventually { splits >= number }
                #expect(hasBegun, "\(watch.log.suffix(2000))")
                try await Task.sleep(for: .milliseconds(Double.random(in: 0...30, using: &random)))
                watcher.program.signal(SIGKILL)
            }
            #expect(try watcher.wait() == .signal(SIGKILL))
        }
        try watch.folder.file("deadly", Array("\(Int.max) never\n".utf8))
        let watcher = try start(path: path)
        #expect(await watch.puts(documents.flatMap(\.places)))
        // An event that was being delivered at the time of the kill comes once more.
        let isTold = await eventually { Set(watch.texts()) == Set(documents.flatMap(\.texts)) }
        #expect(isTold, "\(watch.texts())")
        #expect(try watcher.stop() == .exit(0))
        try await expectAll(documents, in: watch.inbox)
    }

    /// The disk has room for one part but not for all: none gets its name until there is.
    @Test(arguments: [0, 1]) func noRoomForAllParts(_ number: Int) async throws {
        let mount = try watch.folder.folder("small")
        guard try shell("mount -t tmpfs -o size=16m tmpfs '\(mount)'").ending == .exit(0) else {
            print("a full disk is not tested: no tmpfs may be mounted here")
            return
        }
        defer { _ = try? shell("umount -l '\(mount)'") }
        let document = Document(number: 3 * number + number)
        // Pages of 20 kB: the first part fits, the second does not.
        try shell("head -c $((16 * 1024 * 1024 - 40960)) /dev/zero >'\(mount)/filler'")
        if !document.isPDF {
            try shell("dd if=/dev/zero of='\(mount)/filler' bs=4k oflag=append conv=notrunc 2>/dev/null")
        }
        let watcher = try start(["--to", mount], path: "/usr/local/bin:/usr/bin:/bin")
        try watch.drop(document.name, document.bytes(room: 20_000, in: watch.folder))
        #expect(await watch.reports(document.texts))
        #expect(await watch.says("No space left on device"))
        #expect(
            Tree.files(below: mount).filter { !$0.contains(".quietzone-") } == ["filler"], "no part without the others")
        #expect(watch.waiting() == [document.name])
        unlink("\(mount)/filler")
        #expect(await watch.leaves())
        #expect(try watcher.stop() == .exit(0))
        try await expectAll([document], in: mount)
    }

    /// The program fails because the disk is full, and space is freed before anybody looks: the document is still split.
    @Test func spaceIsFreedWhileTheSplitterFails() async throws {
        let mount = try watch.folder.folder("small")
        guard try shell("mount -t tmpfs -o size=16m tmpfs '\(mount)'").ending == .exit(0) else {
            print("a full disk is not tested: no tmpfs may be mounted here")
            return
        }
        defer { _ = try? shell("umount -l '\(mount)'") }
        try shell("head -c $((16 * 1024 * 1024 - 40960)) /dev/zero >'\(mount)/filler'")
        let tools = try watch.folder.folder("tools")
        try watch.folder.file(
            "tools/qpdf",
            Array(
                """
                #!/bin/sh
                if [ -e '\(mount)/filler' ]; then rm '\(mount)/filler'; exit 2; fi
                exec /usr/bin/qpdf "$@"

                """.utf8))
        try makeExecutable("\(tools)/qpdf")
        let document = Document(number: 0)
        let watcher = try start(["--to", mount], path: "\(tools):/usr/local/bin:/usr/bin:/bin")
        try watch.drop(document.name, document.bytes(in: watch.folder))
        #expect(await watch.leaves())
        #expect(try watcher.stop() == .exit(0))
        try await expectAll([document], in: mount)
    }

    /// If a folder is not writable or a program is not installed, it waits, and reports the reason.
    @Test func whatIsMissingIsWaitedFor() async throws {
        let document = Document(number: 0)
        let tools = try watch.folder.folder("few")
        for tool in ["pdfinfo", "pdfimages", "pdftoppm"] {
            try #require(symlink("/usr/bin/\(tool)", "\(tools)/\(tool)") == 0)
        }
        var watcher = try start(path: tools)
        try watch.drop(document.name, document.bytes(in: watch.folder))
        #expect(await watch.says("install the package qpdf"))
        #expect(watch.files() == [document.name])
        #expect(try watcher.stop() == .exit(0))
        watcher = try start(path: "/usr/local/bin:/usr/bin:/bin")
        #expect(await watch.puts(document.places))
        #expect(try watcher.stop() == .exit(0))
        try await expectAll([document], in: watch.inbox)
    }

    /// The splitting program dies: there are no parts, and the document is moved as a whole.
    @Test func theSplitterDies() async throws {
        let document = Document(number: 0)
        let tools = try watch.folder.folder("tools")
        // The second part kills it, half written.
        try watch.folder.file(
            "tools/qpdf",
            Array(
                """
                #!/bin/sh
                case "$*" in *" 2-3 "*) for last; do :; done; echo half >"$last"; kill -9 $$;; esac
                exec /usr/bin/qpdf "$@"

                """.utf8))
        try makeExecutable("\(tools)/qpdf")
        let watcher = try start(path: "\(tools):/usr/local/bin:/usr/bin:/bin")
        try watch.drop(document.name, document.bytes(in: watch.folder))
        #expect(await watch.puts(["done/\(document.name)"]))
        #expect(await watch.reports(document.texts))
        #expect(await watch.says("qpdf was killed by signal 9"))
        #expect(try watcher.stop() == .exit(0))
    }

    /// A document of some kilobytes may unpack to gigabytes.
    @Test(arguments: [("qpdf", 0), ("tiffcp", 1)]) func aSplitterHasLimits(_ tool: String, _ number: Int) async throws {
        let document = Document(number: number)
        let tools = try watch.folder.folder("tools")
        try watch.folder.file(
            "tools/\(tool)",
            Array(
                """
                #!/bin/sh
                echo $(ulimit -d) $(ulimit -t) $(ulimit -c) >>'\(watch.folder["limits"])'
                exec /usr/bin/\(tool) "$@"

                """.utf8))
        try makeExecutable("\(tools)/\(tool)")
        let watcher = try start(path: "\(tools):/usr/local/bin:/usr/bin:/bin")
        try watch.drop(document.name, document.bytes(in: watch.folder))
        #expect(await watch.puts(document.places))
        #expect(try watcher.stop() == .exit(0))
        let limits = try #require(readFile(watch.folder["limits"])?.text).split(separator: "\n")
        #expect(limits.count == 3)
        for limit in limits { #expect(limit.hasPrefix("1048576 ") && limit.hasSuffix(" 0") && !limit.contains("u")) }
    }
}
