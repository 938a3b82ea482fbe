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

    /// Writes splitting programs that run `script` before they become the real ones.
    ///
    /// They can start no other process, and read and write only what the real ones may.
    private func tools(_ script: String) throws -> String {
        let tools = watch.folder["tools"]
        if access(tools, F_OK) != 0 { try watch.folder.folder("tools") }
        for tool in ["qpdf", "tiffcp"] {
            try watch.folder.file("tools/\(tool)", "#!/bin/sh\n\(script)\nexec /usr/bin/\(tool) \"$@\"\n")
            try makeExecutable("\(tools)/\(tool)")
        }
        return tools
    }

    /// The commands that run `script` if they write a part, which is 0, 1 or 2.
    private static func inPart(_ part: Int, _ script: String) -> String {
        let pages = [("1-1", ",0"), ("2-3", ",1,2"), ("4-5", ",3,4")][part]
        return "case \"$*\" in *' \(pages.0) '*|*'\(pages.1) '*) \(script);; esac"
    }

    /// Waits until a splitting program has become `sleep`, and returns its process.
    private func sleeper(of watcher: Watcher) async -> pid_t? {
        var found: pid_t?
        _ = await eventually {
            found = watcher.program.children.first { readFile("/proc/\($0)/comm")?.text == "sleep\n" }
            return found != nil
        }
        return found
    }

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
        let documents = (0..<kills).map { Document(number: $0) }
        for document in documents {
            let part = Int.random(in: 0...2, using: &random)
            let moment = ["before", "half", "names"][document.number % 3]
            let script = ["before": "exec sleep 600", "half": "echo half; exec sleep 600"][moment]
            let tools = try tools(script.map { Self.inPart(part, $0) } ?? "")
            let watcher = try start(path: tools + ":/usr/local/bin:/usr/bin:/bin")
            try watch.drop(document.name, document.bytes(in: watch.folder))
            if script != nil {
                #expect(await sleeper(of: watcher) != nil, "\(watch.log.suffix(2000))")
            } else {
                // At about the time when the parts get their names.
                let first = "done/parts/\(document.number) page"
                let hasBegun = await eventually {
                    watch.files().contains { $0.hasPrefix(first) || $0.hasSuffix("-2.part") }
                }
                #expect(hasBegun, "\(watch.log.suffix(2000))")
                try await Task.sleep(for: .milliseconds(Double.random(in: 0...30, using: &random)))
            }
            #expect(try watcher.end(by: SIGKILL) == .signal(SIGKILL))
        }
        let watcher = try start(path: "/usr/local/bin:/usr/bin:/bin")
        #expect(await watch.puts(documents.flatMap(\.places)))
        // An event that was being delivered at the time of the kill comes once more.
        let isTold = await eventually { Set(watch.texts()) == Set(documents.flatMap(\.texts)) }
        #expect(isTold, "\(watch.texts())")
        let ending = try watcher.stop()
        #expect(ending == .exit(0), "\(watch.log.suffix(2000))")
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

    /// The program fails while the disk is full, and space is freed before anybody looks: the document is still split.
    @Test func spaceIsFreedWhileTheSplitterFails() async throws {
        let mount = try watch.folder.folder("small")
        guard try shell("mount -t tmpfs -o size=16m tmpfs '\(mount)'").ending == .exit(0) else {
            print("a full disk is not tested: no tmpfs may be mounted here")
            return
        }
        defer { _ = try? shell("umount -l '\(mount)'") }
        try shell("head -c $((16 * 1024 * 1024 - 40960)) /dev/zero >'\(mount)/filler'")
        let document = Document(number: 0)
        let watcher = try start(["--to", mount], path: try tools("exec sleep 600") + ":/usr/local/bin:/usr/bin:/bin")
        try watch.drop(document.name, document.bytes(in: watch.folder))
        let splitter = try #require(await sleeper(of: watcher), "\(watch.log.suffix(2000))")
        _ = try tools("")
        unlink("\(mount)/filler")
        kill(splitter, SIGKILL)
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
        // The second part kills it, half written, by a system call that it may not use.
        let tools = try tools(Self.inPart(1, "echo half; exec unshare --mount true"))
        let watcher = try start(path: "\(tools):/usr/local/bin:/usr/bin:/bin")
        try watch.drop(document.name, document.bytes(in: watch.folder))
        #expect(await watch.puts(["done/\(document.name)"]))
        #expect(await watch.reports(document.texts))
        #expect(await watch.says("qpdf was killed by signal \(SIGSYS)"))
        #expect(try watcher.stop() == .exit(0))
    }

    /// A document of some kilobytes may unpack to gigabytes.
    @Test(arguments: [("qpdf", 0), ("tiffcp", 1)]) func aSplitterHasLimits(_ tool: String, _ number: Int) async throws {
        let document = Document(number: number)
        let tools = try tools("ulimit -d >&2; ulimit -t >&2; exit 1")
        let watcher = try start(path: "\(tools):/usr/local/bin:/usr/bin:/bin")
        try watch.drop(document.name, document.bytes(in: watch.folder))
        #expect(await watch.puts(["done/\(document.name)"]))
        #expect(await watch.says("\(tool) ended with status 1: 1048576; 60"))
        #expect(try watcher.stop() == .exit(0))
    }

    /// A document that takes over the program that splits it gets at nothing but its own pages.
    @Test(arguments: [0, 1]) func aSplitterThatIsTakenOver(_ number: Int) async throws {
        let version = try await ProgramRunner.built("decode-image")(["--version"])
        guard version.lines.contains(where: { $0.contains("seccomp, Landlock") }) else {
            print("the sandbox of splitting programs is not tested: this machine has none")
            return
        }
        let secret = watch.folder["secret"]
        try watch.folder.file("secret", "a key\n")
        let written = watch.folder["written"]
        let tools = try tools(
            """
            if read line <'\(secret)'; then echo "read $line" >&2; exit 1; fi
            if echo x >>'\(secret)'; then echo appended >&2; exit 1; fi
            if echo x >'\(written)'; then echo written >&2; exit 1; fi
            if kill -0 $PPID; then echo signaled >&2; exit 1; fi
            """)
        let document = Document(number: number)
        let watcher = try start(path: "\(tools):/usr/local/bin:/usr/bin:/bin")
        try watch.drop(document.name, document.bytes(in: watch.folder))
        #expect(await watch.puts(document.places))
        #expect(try watcher.stop() == .exit(0))
        #expect(readFile(secret)?.text == "a key\n" && readFile(written) == nil)
        try await expectAll([document], in: watch.inbox)
    }
}
