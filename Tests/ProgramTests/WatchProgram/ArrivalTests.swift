import Glibc
import TestSupport
import Testing

/// The ways in which files arrive: no file is decoded before it is complete, and none twice.
@Suite(.timeLimit(.minutes(10))) struct ArrivalTests {
    /// Both ways of noticing files.
    static let ways = ["inotify", "poll"]

    /// Starts the program, and waits for the event of a first picture.
    private func started(_ watch: WatchRun, _ watching: String, _ options: [String] = []) async throws
        -> Watcher
    {
        let watcher = try watch.start(["--watch", watching, "--poll", "0.2"] + options)
        try watch.drop(codes: ["first"])
        try #require(await watch.puts(["done/first.png"]))
        return watcher
    }

    /// Waits until no file is left and these texts were reported, and ends the program.
    private func end(_ watcher: Watcher, _ watch: WatchRun, told texts: [String]) async throws {
        #expect(await watch.leaves())
        #expect(await watch.reports(texts))
        #expect(try watcher.stop() == .exit(0))
        #expect(watch.texts() == texts.sorted(), "nothing twice")
    }

    /// A slow upload in bursts, with pauses shorter than the settle time; the writer may close the file between
    /// bursts.
    @Test(arguments: ways, [false, true])
    func aSlowWriter(_ watching: String, _ closes: Bool) async throws {
        let watch = try WatchRun()
        // Much longer than the pauses, so that no pause becomes as long on a busy machine. The writer has a thread of
        // its own, which does not wait for other tests.
        let watcher = try await started(watch, watching, ["--settle", "10"])
        let bytes = try Picture.qr("slow")
        let path = "\(watch.inbox)/slow.png"
        let seen = try await onThread {
            var seen: Set<[String]> = []
            var file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            for part in 0..<10 {
                try writeAll(Array(bytes[part * bytes.count / 10..<(part + 1) * bytes.count / 10]), to: file)
                usleep(300_000)
                seen.insert(watch.files())
                if closes, part < 9 {
                    close(file)
                    file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
                }
            }
            close(file)
            return seen
        }
        #expect(seen == [["done/first.png", "slow.png"]])
        try await end(watcher, watch, told: ["first", "slow"])
        #expect(watch.files() == ["done/first.png", "done/slow.png"])
    }

    /// inotify reports the end of writing, so that a pause longer than the settle time does no harm.
    @Test func aPauseLongerThanTheSettleTime() async throws {
        let watch = try WatchRun()
        let watcher = try await started(watch, "inotify", ["--settle", "0.1"])
        let bytes = try Picture.qr("pausing")
        let file = open("\(watch.inbox)/pausing.png", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try writeAll(Array(bytes[..<(bytes.count / 2)]), to: file)
        // Files are processed in the order in which they settle: a later one has settled.
        try watch.drop(codes: ["later"])
        #expect(await watch.puts(["done/first.png", "done/later.png", "pausing.png"]))
        try writeAll(Array(bytes[(bytes.count / 2)...]), to: file)
        close(file)
        try await end(watcher, watch, told: ["first", "later", "pausing"])
        #expect(watch.files() == ["done/first.png", "done/later.png", "done/pausing.png"])
    }

    /// The same file repeatedly: the same bytes, name and times, and often the inode of the previous one.
    @Test(arguments: ways, ["delete", "leave"]) func theSameFileAgain(_ watching: String, _ after: String) async throws
    {
        let watch = try WatchRun()
        let card = try watch.folder.file("card.png", Picture.qr("card"))
        let watcher = try watch.start(["--watch", watching, "--poll", "0.2", "--after", after])
        for count in 1...8 {
            try #require(shell("cp -p '\(card)' '\(watch.inbox)/card.png'").ending == .exit(0))
            #expect(await watch.reports(Array(repeating: "card", count: count)))
            if after == "leave" {
                // Deleted and copied between two polls.
                try #require(shell("rm '\(watch.inbox)/card.png'").ending == .exit(0))
            } else {
                #expect(await watch.leaves())
            }
        }
        #expect(try watcher.stop() == .exit(0))
    }

    @Test(arguments: ways, [".part", ".partial", ".crdownload", ".tmp", "~"])
    func temporaryNames(_ watching: String, _ ending: String) async throws {
        let watch = try WatchRun()
        let watcher = try await started(watch, watching)
        try watch.drop("a.png\(ending)", Picture.qr("a"))
        try watch.drop(".hidden.png", Picture.qr("hidden"))
        try watch.drop(codes: ["second"])
        #expect(await watch.reports(["first", "second"]))
        #expect(await watch.leaves([".hidden.png", "a.png\(ending)"]))
        try move("\(watch.inbox)/a.png\(ending)", to: "\(watch.inbox)/a.png")
        #expect(await watch.leaves([".hidden.png"]))
        #expect(await watch.reports(["a", "first", "second"]))
        #expect(try watcher.stop() == .exit(0))
        #expect(watch.files() == [".hidden.png", "done/a.png", "done/first.png", "done/second.png"])
    }

    /// A file that is renamed all the time, as is its folder.
    @Test(arguments: ways)
    func aStormOfRenames(_ watching: String) async throws {
        let watch = try WatchRun()
        let watcher = try await started(watch, watching)
        try watch.drop(codes: (0..<10).map { "code \($0)" })
        try watch.folder.folder("inbox/f0")
        for number in 10..<20 { try watch.drop("f0/\(number).png", Picture.qr("code \(number)")) }
        for round in 0..<200 {
            // Some are gone already, because they were processed.
            _ = rename("\(watch.inbox)/f\(round)", "\(watch.inbox)/f\(round + 1)")
            for number in 0..<10 {
                let old = round == 0 ? "code \(number).png" : "\(number)-\(round - 1).png"
                _ = rename("\(watch.inbox)/\(old)", "\(watch.inbox)/\(number)-\(round).png")
            }
            usleep(5000)
        }
        try await end(watcher, watch, told: ["first"] + (0..<20).map { "code \($0)" })
        #expect(watch.files().count == 21)
        #expect(watch.files().allSatisfy { $0.hasPrefix("done/") })
    }

    /// Nested folders that arrive with files in them, and are filled while they are being noticed.
    @Test(arguments: ways)
    func foldersThatMoveIn(_ watching: String) async throws {
        let watch = try WatchRun()
        let watcher = try await started(watch, watching)
        try watch.folder.folder("album")
        try watch.folder.folder("album/deep")
        try watch.folder.folder("album/deep/deeper")
        try watch.folder.file("album/a.png", Picture.qr("a"))
        try watch.folder.file("album/deep/deeper/b.png", Picture.qr("b"))
        try move(watch.folder["album"], to: "\(watch.inbox)/album")
        try watch.drop("album/deep/c.png", Picture.qr("c"))
        try watch.folder.file("d.png", Picture.qr("d"))
        try shell("cd '\(watch.inbox)' && mkdir -p x/y/z && cp ../d.png x/y/z/")
        try watch.folder.folder("inbox/made")
        try watch.folder.folder("inbox/made/now")
        try watch.drop("made/now/e.png", Picture.qr("e"))
        #expect(await watch.reports(["a", "b", "c", "d", "e", "first"]))
        #expect(await watch.leaves())
        // A folder that was moved within the watched folder is followed to its new name.
        try move("\(watch.inbox)/made", to: "\(watch.inbox)/renamed")
        try watch.drop("renamed/now/f.png", Picture.qr("f"))
        try await end(watcher, watch, told: ["a", "b", "c", "d", "e", "f", "first"])
        let expected = [
            "album/a.png", "album/deep/c.png", "album/deep/deeper/b.png", "first.png", "made/now/e.png",
            "renamed/now/f.png", "x/y/z/d.png",
        ]
        #expect(watch.files() == expected.map { "done/\($0)" })
    }

    /// Files with times in the distant past or in the future count as complete too.
    @Test(arguments: ways, ["1970-01-01", "2099-12-31"])
    func timesThatCannotBe(_ watching: String, _ date: String) async throws {
        let watch = try WatchRun()
        // One exists at the start, another one comes later.
        try watch.drop(codes: ["before"])
        try shell("touch -d '\(date)' '\(watch.inbox)/before.png'")
        let watcher = try watch.start("--watch", watching, "--poll", "0.2")
        #expect(await watch.reports(["before"]))
        try watch.folder.file("after.png", Picture.qr("after"))
        try shell("touch -d '\(date)' '\(watch.folder["after.png"])'")
        try move(watch.folder["after.png"], to: "\(watch.inbox)/after.png")
        try await end(watcher, watch, told: ["after", "before"])
        #expect(watch.files() == ["done/after.png", "done/before.png"])
    }

    /// The wall clock jumps while files arrive.
    @Test(arguments: ["-86400", "86400", "-1700000000"])
    func theClockJumps(_ seconds: String) async throws {
        let watch = try WatchRun()
        let library = try Preload.library()
        let offset = try watch.folder.file("offset", Array("0".utf8))
        let variables = ["LD_PRELOAD=\(library)", "QUIETZONE_CLOCK_OFFSET=\(offset)"]
        let watcher = try watch.start("--settle", "0.3", environment: variables)
        try watch.drop(codes: ["first"])
        #expect(await watch.reports(["first"]))
        try watch.drop(codes: ["amid"])
        try watch.folder.file("offset", Array(seconds.utf8))
        try watch.drop(codes: ["after"])
        #expect(await watch.reports(["after", "amid", "first"]))
        try watch.folder.file("offset", Array("0".utf8))
        try watch.drop(codes: ["back"])
        try await end(watcher, watch, told: ["after", "amid", "back", "first"])
        #expect(watch.files() == ["after", "amid", "back", "first"].map { "done/\($0).png" })
    }
}
