import Glibc
import TestSupport
import Testing

/// The ways in which files arrive: nothing is read before it is whole, and nothing twice.
@Suite(.timeLimit(.minutes(10))) struct ArrivalTests {
    /// Both ways of noticing files.
    static let ways = ["inotify", "poll"]

    /// A program that is at work, which one picture has shown.
    private func started(_ watch: WatchRun, _ watching: String, _ options: [String] = []) async throws
        -> Watcher
    {
        let watcher = try watch.start(["--watch", watching, "--poll", "0.2"] + options)
        try watch.drop(codes: ["first"])
        try #require(await watch.puts(["done/first.png"]))
        return watcher
    }

    /// Waits until nothing waits and these texts have come, and ends the program.
    private func end(_ watcher: Watcher, _ watch: WatchRun, told texts: [String]) async throws {
        #expect(await watch.leaves())
        #expect(await watch.reports(texts))
        #expect(try watcher.stop() == .exit(0))
        #expect(watch.texts() == texts.sorted(), "nothing twice")
    }

    /// Bursts with pauses shorter than the settle time: a slow upload, by a writer that does or does not close between.
    @Test(arguments: ways, [false, true])
    func aSlowWriter(_ watching: String, _ closes: Bool) async throws {
        let watch = try WatchRun()
        // So much longer than the pauses that no busy machine makes one of them as long; on a thread, which waits for
        // no other test.
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

    /// inotify sees the end of the writing, so that a pause longer than the settle time does no harm.
    @Test func aPauseLongerThanTheSettleTime() async throws {
        let watch = try WatchRun()
        let watcher = try await started(watch, "inotify", ["--settle", "0.1"])
        let bytes = try Picture.qr("pausing")
        let file = open("\(watch.inbox)/pausing.png", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try writeAll(Array(bytes[..<(bytes.count / 2)]), to: file)
        // Files are taken in the order in which they have settled: one that came later has.
        try watch.drop(codes: ["later"])
        #expect(await watch.puts(["done/first.png", "done/later.png", "pausing.png"]))
        try writeAll(Array(bytes[(bytes.count / 2)...]), to: file)
        close(file)
        try await end(watcher, watch, told: ["first", "later", "pausing"])
        #expect(watch.files() == ["done/first.png", "done/later.png", "done/pausing.png"])
    }

    /// The same card again and again: the same bytes, name and times, and often the inode of the one before.
    @Test(arguments: ways, ["delete", "leave"]) func theSameFileAgain(_ watching: String, _ after: String) async throws
    {
        let watch = try WatchRun()
        let card = try watch.folder.file("card.png", Picture.qr("card"))
        let watcher = try watch.start(["--watch", watching, "--poll", "0.2", "--after", after])
        for count in 1...8 {
            try #require(shell("cp -p '\(card)' '\(watch.inbox)/card.png'").ending == .exit(0))
            #expect(await watch.reports(Array(repeating: "card", count: count)))
            if after == "leave" {
                // Removed and copied within one look of somebody who polls.
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

    /// A file that is renamed all the time, and its folder too.
    @Test(arguments: ways)
    func aStormOfRenames(_ watching: String) async throws {
        let watch = try WatchRun()
        let watcher = try await started(watch, watching)
        try watch.drop(codes: (0..<10).map { "code \($0)" })
        try watch.folder.folder("inbox/f0")
        for number in 10..<20 { try watch.drop("f0/\(number).png", Picture.qr("code \(number)")) }
        for round in 0..<200 {
            // Some are gone already: they were taken.
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

    /// Folders that come with files in them, in them and so on, and are filled while they are being noticed.
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
        // A folder that has been moved within the drop folder is followed to its new name.
        try move("\(watch.inbox)/made", to: "\(watch.inbox)/renamed")
        try watch.drop("renamed/now/f.png", Picture.qr("f"))
        try await end(watcher, watch, told: ["a", "b", "c", "d", "e", "f", "first"])
        let expected = [
            "album/a.png", "album/deep/c.png", "album/deep/deeper/b.png", "first.png", "made/now/e.png",
            "renamed/now/f.png", "x/y/z/d.png",
        ]
        #expect(watch.files() == expected.map { "done/\($0)" })
    }

    /// What was written long ago or in the future is as whole as anything else.
    @Test(arguments: ways, ["1970-01-01", "2099-12-31"])
    func timesThatCannotBe(_ watching: String, _ date: String) async throws {
        let watch = try WatchRun()
        // There at the start, and coming later.
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

    /// The time of day jumps while files come.
    @Test(arguments: ["-86400", "86400", "-1700000000"])
    func theClockJumps(_ seconds: String) async throws {
        let watch = try WatchRun()
        let library = try Preload.library(in: watch.folder)
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
