import FoundationEssentials
import Glibc
import ImageCodecs
import TestSupport
import Testing

/// Losses during a run, such as folders, permissions, disk space and workers: the program continues when they are
/// back.
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
        /// A folder that disappears during a check cannot be locked.
        func losses() -> Int {
            watch.count("The watched folder is gone") + watch.count("Cannot lock the watched folder; waiting for it")
        }
        for round in 0..<3 {
            let before = losses()
            try shell("rm -rf '\(watch.inbox)'")
            // The first time, it may be back before it is missed.
            if round > 0 {
                let isMissed = await eventually { losses() > before }
                #expect(isMissed, "\(watch.log)")
            }
            try watch.folder.folder("inbox")
            try watch.folder.folder("inbox/sub")
            try watch.drop(codes: ["sub/again \(round)", "more \(round)"])
            #expect(await watch.puts(["done/more \(round).png", "done/sub/again \(round).png"]))
        }
        // Moved away as a whole, and replaced by another folder.
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

    /// Starts the program as the user nobody, because root may always write.
    private func startAsNobody(_ watch: WatchRun, _ options: [String]) throws -> Watcher {
        try shell("chown -R 65534:65534 '\(watch.folder.path)'")
        var runner = watch.runner()
        if getuid() == 0 {
            // The program is copied to a path where others may run it, because they may not have access to the build.
            let copy = watch.folder["watch-folder"]
            _ = try shell("cp '\(runner.executable)' '\(copy)' && chmod 755 '\(copy)'")
            runner.leading = ["--reuid=65534", "--regid=65534", "--clear-groups", copy]
            runner.executable = "/usr/bin/setpriv"
        }
        return Watcher(try runner.start(watch.arguments(options)))
    }

    /// The files in `status --json`.
    private struct Status: Decodable {
        struct Files: Decodable {
            var oldestWaitingSeconds: Double?
            var movesPending: Int
            var moveError: String?
            var lastError: String?
        }
        var files: Files
    }

    /// Waits until the running program reports a status that matches.
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

    /// Files may not be taken out of their folder: the reason names that folder, not the target.
    @Test(
        .enabled(if: geteuid() == 0, "only the superuser can write where the program may not"),
        arguments: [
            ("555", "Permission denied; give this program's user the right to write in the folder others"),
            ("1777", "the folder others has the sticky bit, so that only the owner of a file may move it"),
        ])
    func aFolderThatKeepsItsFiles(_ mode: String, _ reason: String) async throws {
        let watch = try WatchRun()
        let folder = try watch.folder.folder("inbox/others")
        let watcher = try startAsNobody(watch, ["--watch", "poll", "--poll", "0.2"])
        try shell("chown 0:0 '\(folder)'; chmod \(mode) '\(folder)'")
        try watch.drop("others/kept.png", Picture.qr("kept"))
        #expect(await watch.says(reason))
        #expect(await watch.leaves(["others/kept.png"]))
        try shell("chown -R 65534:65534 '\(folder)'; chmod 755 '\(folder)'")
        #expect(await watch.puts(["done/others/kept.png"]))
        #expect(try watcher.stop() == .exit(0))
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
        // Other files are processed meanwhile.
        try watch.drop("side.x", place == "done" ? Picture.blank() : Picture.qr("side"))
        #expect(await watch.leaves([name]))
        // During an attempt to move, the move is not pending.
        #expect(await tells(watch) { $0.movesPending == 1 && $0.moveError?.contains("\(place)/") == true })
        // Another scan of the folder finds new files, and this one too.
        for later in ["later", "last"] {
            try watch.drop("\(later).x", place == "done" ? Picture.blank() : Picture.qr(later))
            #expect(await watch.leaves([name]))
        }
        // Decoded once, reported once.
        let texts = place == "done" ? ["kept"] : ["last", "later", "side"]
        #expect(await watch.reports(texts))
        // Once the lock is removed, the file is moved.
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
        // The status is written at the same time as the log, not before it.
        #expect(await tells(watch) { $0.lastError?.contains("locked.png") == true })
        chmod("\(watch.inbox)/locked.png", 0o644)
        #expect(await watch.reports(["locked", "open"]))
        #expect(await watch.leaves())
        #expect(try watcher.stop() == .exit(0))
        #expect(watch.files() == ["done/locked.png", "done/open.png"])
    }

    /// With `--once`, the exit status shows that a file was left behind.
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

    /// A folder that cannot be read at first, and can later.
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

    /// Full file systems, if this process may mount one: that of the moved files, and that of the outbox.
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
        // It goes on trying: a move is pending, or a file has waited longer than the first retry delay.
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

    /// The processed files go to another file system: the move is a copy there, and the copy is complete.
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

    /// Workers die over a picture: it is retried, and moved to failed/ if every worker dies.
    @Test(arguments: [false, true])
    func workersThatAreKilled(_ isEach: Bool) async throws {
        let watch = try WatchRun()
        let watcher = try watch.start("--jobs", "1", "--timeout", "600")
        try watch.drop(codes: ["first"])
        #expect(await watch.reports(["first"]))
        // Decoding 100 megapixels takes a second, and is recognizable by the worker's memory.
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
        // The death of a worker that had decoded other pictures does not yet count against the picture.
        #expect(isEach ? (2...4).contains(killed.count) : killed.count == 1, "\(killed.count) workers")
        if isEach {
            let report = try shell("cat '\(watch.inbox)'/failed/*/large.png.json").text
            #expect(report.contains("reader_crashed") && report.contains("\"tries\":2"), "\(report)")
        }
    }

    /// A picture that exceeds its time limit is also retried once.
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

/// Returns the resident memory of a process, in megabytes.
private func residentMegabytes(_ process: pid_t) -> Int {
    let words = (readFile("/proc/\(process)/statm") ?? []).text.split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 / 1_000_000 : 0
}
