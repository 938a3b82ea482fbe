import FoundationEssentials
import Glibc
import ImageCodecs
import TestSupport
import Testing

/// What is taken away while the program runs, such as folders, rights, room and workers: it goes on once it is back.
@Suite(.timeLimit(.minutes(10))) struct LossTests {
    @Test(arguments: ArrivalTests.ways)
    func theFolderIsDeletedAndMadeAnew(_ watching: String) async throws {
        let watch = try WatchRun()
        let watcher = try watch.start("--watch", watching, "--poll", "0.2", "--rescan", "1")
        try watch.folder.folder("inbox/sub")
        try watch.drop(codes: ["a", "sub/b"])
        #expect(await watch.reports(["a", "sub/b"]))
        #expect(await watch.leaves())
        try shell("rm -rf '\(watch.inbox)/sub'")
        /// A folder that goes while it is looked at is none that can be locked.
        func losses() -> Int {
            watch.count("The watched folder is gone") + watch.count("Cannot lock the watched folder; waiting for it")
        }
        for round in 0..<3 {
            let before = losses()
            try shell("rm -rf '\(watch.inbox)'")
            // The first time it may be back before anybody has missed it.
            if round > 0 {
                let isMissed = await eventually { losses() > before }
                #expect(isMissed, "\(watch.log)")
            }
            try watch.folder.folder("inbox")
            try watch.folder.folder("inbox/sub")
            try watch.drop(codes: ["sub/again \(round)", "more \(round)"])
            #expect(await watch.puts(["done/more \(round).png", "done/sub/again \(round).png"]))
        }
        // Moved away as a whole, with another in its place.
        try watch.folder.folder("other")
        try move(watch.inbox, to: watch.folder["old"])
        try move(watch.folder["other"], to: watch.inbox)
        try watch.drop(codes: ["other"])
        #expect(await watch.puts(["done/other.png"]))
        #expect(watcher.isRunning)
        let rounds = (0..<3).flatMap { ["sub/again \($0)", "more \($0)"] }
        #expect(await watch.reports(["a", "sub/b", "other"] + rounds))
        #expect(try watcher.stop() == .exit(0))
    }

    /// A program that runs as nobody: root may write everywhere.
    private func startAsNobody(_ watch: WatchRun, _ options: [String]) throws -> Watcher {
        try shell("chown -R 65534:65534 '\(watch.folder.path)'")
        var runner = watch.runner()
        if getuid() == 0 {
            // Where others may run it: builds may lie where they may not look.
            let copy = watch.folder["watch-folder"]
            _ = try shell("cp '\(runner.executable)' '\(copy)' && chmod 755 '\(copy)'")
            runner.leading = ["--reuid=65534", "--regid=65534", "--clear-groups", copy]
            runner.executable = "/usr/bin/setpriv"
        }
        return Watcher(try runner.start(watch.arguments(options)))
    }

    /// What `status --json` says of the files.
    private struct Status: Decodable {
        struct Files: Decodable {
            var oldestWaitingSeconds: Double?
            var movesPending: Int
            var moveError: String?
            var lastError: String?
        }
        var files: Files
    }

    /// Waits until the running program says of the files what is asked for.
    private func tells(
        _ watch: WatchRun, _ options: [String] = [], _ isWanted: (Status.Files) -> Bool
    ) async -> Bool {
        var last = "nothing"
        let isTold = await eventually {
            guard let result = try? await watch.status(["--json"] + options) else { return false }
            last = result.text
            return (try? JSONDecoder().decode(Status.self, from: Data(result.output))).map { isWanted($0.files) }
                ?? false
        }
        if !isTold { print("status: \(last)\nlog: \(watch.log.suffix(4000))") }
        return isTold
    }

    @Test(arguments: ["done", "no-code", "failed"])
    func aPlaceThatMayNotBeWritten(_ place: String) async throws {
        let watch = try WatchRun()
        let locked = try watch.folder.folder("inbox/\(place)")
        let watcher = try startAsNobody(watch, ["--watch", "poll", "--poll", "0.2"])
        try shell("chown 0:0 '\(locked)'; chmod 555 '\(locked)'")
        let (content, name) =
            switch place {
            case "done": (try Picture.qr("kept"), "kept.png")
            case "failed": (Array("no picture".utf8), "bad.png")
            default: (Picture.blank(), "blank.pgm")
            }
        try watch.drop(name, content)
        #expect(await watch.says(name))
        // Others go on meanwhile.
        try watch.drop("side.x", place == "done" ? Picture.blank() : Picture.qr("side"))
        #expect(await watch.leaves([name]))
        // While the move is being tried it is not pending.
        #expect(await tells(watch) { $0.movesPending == 1 && $0.moveError?.contains("\(place)/") == true })
        // The folder is looked through again, which finds what has come since, and it too.
        for later in ["later", "last"] {
            try watch.drop("\(later).x", place == "done" ? Picture.blank() : Picture.qr(later))
            #expect(await watch.leaves([name]))
        }
        // Read once, told once.
        let texts = place == "done" ? ["kept"] : ["last", "later", "side"]
        #expect(await watch.reports(texts))
        // It is lifted, and the file follows.
        try shell("chmod 755 '\(locked)'; chown 65534:65534 '\(locked)'")
        #expect(await watch.leaves())
        #expect(try watcher.stop() == .exit(0))
        #expect(watch.files().contains("\(place)/\(name)"))
        #expect(watch.texts() == texts)
    }

    @Test func aFileThatMayNotBeRead() async throws {
        let watch = try WatchRun()
        try watch.drop(codes: ["locked"])
        chmod("\(watch.inbox)/locked.png", 0)
        let watcher = try startAsNobody(watch, ["--rescan", "1"])
        try watch.drop(codes: ["open"])
        let isOpen = await eventually { watch.texts() == ["open"] && watch.log.contains("locked.png") }
        #expect(isOpen, "\(watch.log)")
        #expect(await watch.leaves(["locked.png"]))
        // The status is written beside the log, not before it.
        #expect(await tells(watch) { $0.lastError?.contains("locked.png") == true })
        chmod("\(watch.inbox)/locked.png", 0o644)
        #expect(await watch.reports(["locked", "open"]))
        #expect(await watch.leaves())
        #expect(try watcher.stop() == .exit(0))
        #expect(watch.files() == ["done/locked.png", "done/open.png"])
    }

    /// Who has the folder taken once hears by the exit status that something stayed behind.
    @Test func onceSaysThatAFileStaysBehind() async throws {
        let watch = try WatchRun()
        try watch.drop(codes: ["locked", "open"])
        chmod("\(watch.inbox)/locked.png", 0)
        let first = try startAsNobody(watch, ["--once"])
        #expect(try first.wait() == .exit(1))
        #expect(watch.log.contains("1 file stays behind in \(watch.inbox)"), "\(watch.log)")
        #expect(watch.texts() == ["open"] && watch.waiting() == ["locked.png"])
        chmod("\(watch.inbox)/locked.png", 0o644)
        let second = try startAsNobody(watch, ["--once"])
        #expect(try second.wait() == .exit(0))
        #expect(watch.files() == ["done/locked.png", "done/open.png"])
    }

    /// A folder that may not be looked into, and one that is later.
    @Test func aFolderThatMayNotBeRead() async throws {
        let watch = try WatchRun()
        try watch.folder.folder("inbox/closed")
        try watch.drop(codes: ["closed/a"])
        chmod("\(watch.inbox)/closed", 0)
        let watcher = try startAsNobody(watch, ["--rescan", "1"])
        try watch.drop(codes: ["open"])
        #expect(await watch.reports(["open"]))
        chmod("\(watch.inbox)/closed", 0o755)
        #expect(await watch.puts(["done/closed/a.png", "done/open.png"]))
        #expect(try watcher.stop() == .exit(0))
    }

    /// File systems without room, where this process may mount one: that of the moved files, and that of the outbox.
    @Test(arguments: ["to", "database"])
    func aFullDisk(_ what: String) async throws {
        let watch = try WatchRun()
        let mount = try watch.folder.folder("small")
        guard try shell("mount -t tmpfs -o size=16m tmpfs '\(mount)'").ending == .exit(0) else {
            print("a full disk is not tested: no tmpfs may be mounted here")
            return
        }
        defer { _ = try? shell("umount -l '\(mount)'") }
        let options =
            what == "to" ? ["--to", mount, "--rescan", "1"] : ["--database", "\(mount)/o.sqlite", "--rescan", "1"]
        var arguments = watch.arguments(options)
        if what == "database" { arguments.removeSubrange(2...3) }
        let watcher = Watcher(try watch.runner().start(arguments))
        try watch.drop(codes: ["before"])
        #expect(await watch.reports(["before"]))
        #expect(await watch.leaves())
        try shell("dd if=/dev/zero of='\(mount)/filler' bs=4k 2>/dev/null")
        let names = (0..<50).map { "later \($0)" }
        let bytes = [UInt8](repeating: 0, count: 8000)
        for name in names { try watch.drop("\(name).png", Picture.qr(name) + bytes) }
        #expect(await watch.says(what == "to" ? "No space left on device" : "the disk that holds the outbox"))
        // It goes on to try: a move is pending, or a file has waited longer than the first wait before another try.
        let database = what == "database" ? ["--database", "\(mount)/o.sqlite"] : []
        #expect(await tells(watch, database) { $0.movesPending > 0 || ($0.oldestWaitingSeconds ?? 0) > 2 })
        #expect(!watch.waiting().isEmpty && watcher.isRunning, "\(watch.log)")
        unlink("\(mount)/filler")
        #expect(await watch.leaves())
        #expect(await watch.reports(["before"] + names))
        #expect(try watcher.stop() == .exit(0))
        let places = Tree.files(below: what == "to" ? mount : watch.inbox)
        let wanted = (["before"] + names).map { "done/\($0).png" }.sorted()
        #expect(places.filter { !$0.hasPrefix("o.sqlite") } == wanted)
        let identifiers = Dictionary(grouping: watch.events(), by: \.symbol.text).mapValues { Set($0.map(\.id)).count }
        #expect(identifiers == Dictionary(uniqueKeysWithValues: (["before"] + names).map { ($0, 1) }))
    }

    /// Another file system for what was read: a move is a copy there, and the copy is whole.
    @Test func anotherFileSystem() async throws {
        let watch = try WatchRun()
        let mount = try watch.folder.folder("other")
        guard try shell("mount -t tmpfs -o size=8m tmpfs '\(mount)'").ending == .exit(0) else {
            print("another file system is not tested: no tmpfs may be mounted here")
            return
        }
        defer { _ = try? shell("umount -l '\(mount)'") }
        let picture = try Picture.qr("far")
        try watch.drop("far.png", picture)
        try shell("touch -d 2020-02-02 '\(watch.inbox)/far.png'; chmod 640 '\(watch.inbox)/far.png'")
        #expect(try await watch.once("--to", mount) == .exit(0))
        #expect(Tree.files(below: mount) == ["done/far.png"] && watch.files() == [])
        let path = try #require(try shell("ls '\(mount)'/done/*/far.png").lines.first)
        #expect(readFile(path) == picture)
        #expect(try shell("stat -c '%a %y' '\(path)'").text.hasPrefix("640 2020-02-02"), "its time and rights too")
    }

    /// Workers die over a picture: it is tried again, and put aside when it costs each of them.
    @Test(arguments: [false, true])
    func workersThatAreKilled(_ isEach: Bool) async throws {
        let watch = try WatchRun()
        let watcher = try watch.start("--jobs", "1", "--timeout", "600")
        try watch.drop(codes: ["first"])
        #expect(await watch.reports(["first"]))
        // 100 megapixels are a second's work, and show by the memory that the worker takes.
        let large = try PNGWriter.encode(
            gray: [UInt8](repeating: 255, count: 10_000 * 10_000), width: 10_000, height: 10_000)
        try watch.drop("large.png", large)
        try watch.drop(codes: ["second"])
        let program = watcher.program.process
        let killed = try await onThread {
            var killed: Set<pid_t> = []
            let deadline = ContinuousClock.now + .seconds(240)
            while ContinuousClock.now < deadline, watch.waiting() != [] {
                for child in children(of: program) where !killed.contains(child) && residentMegabytes(child) > 80 {
                    if killed.isEmpty || isEach {
                        kill(child, SIGKILL)
                        killed.insert(child)
                    }
                }
                usleep(3000)
            }
            return killed
        }
        #expect(watch.waiting() == [], "\(watch.log)")
        #expect(await watch.reports(["first", "second"]))
        #expect(try watcher.stop() == .exit(0))
        let place = isEach ? ["failed/large.png", "failed/large.png.json"] : ["no-code/large.png"]
        #expect(watch.files() == (["done/first.png", "done/second.png"] + place).sorted())
        // A worker that had read others before is not yet a proof against the picture.
        #expect(isEach ? (2...4).contains(killed.count) : killed.count == 1, "\(killed.count) workers")
        if isEach {
            let report = try shell("cat '\(watch.inbox)'/failed/*/large.png.json").text
            #expect(report.contains("reader_crashed") && report.contains("\"tries\":2"), "\(report)")
        }
    }

    /// A picture that takes longer than it may is tried once more as well.
    @Test func aPictureThatTakesTooLong() async throws {
        let watch = try WatchRun()
        let large = try PNGWriter.encode(
            gray: [UInt8](repeating: 255, count: 8000 * 8000), width: 8000, height: 8000)
        try watch.drop("large.png", large)
        #expect(try await watch.once("--timeout", "0.1") == .exit(0))
        #expect(watch.files() == ["failed/large.png", "failed/large.png.json"])
        let report = try shell("cat '\(watch.inbox)'/failed/*/large.png.json").text
        #expect(report.contains("timed_out") && report.contains("\"tries\":2"), "\(report)")
    }
}

/// The memory that a process has now.
private func residentMegabytes(_ process: pid_t) -> Int {
    let words = (readFile("/proc/\(process)/statm") ?? []).text.split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 / 1_000_000 : 0
}
