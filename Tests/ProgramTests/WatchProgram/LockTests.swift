import Glibc
import TestSupport
import Testing

/// Only one watcher at a time may use a folder, whatever its outbox.
@Suite(.timeLimit(.minutes(10))) struct LockTests {
    /// Returns the arguments of a second watcher with an outbox of its own.
    private func second(_ watch: WatchRun, _ inbox: String, _ more: [String]) -> [String] {
        ["run", inbox, "--database", watch.folder["second.sqlite"], "--settle", "0.1"] + more
    }

    private func runner(_ watch: WatchRun) -> ProgramRunner {
        var runner = WatchRun.program
        runner.environment += ["HOME=\(watch.folder.path)"]
        runner.seconds = 300
        return runner
    }

    @Test(arguments: [[], ["--once"], ["--watch", "poll"]])
    func aSecondWatcherWithAnotherOutbox(_ options: [String]) async throws {
        let watch = try WatchRun()
        let watcher = try watch.start()
        try watch.drop(codes: ["a"])
        #expect(await watch.reports(["a"]))
        let result = try await runner(watch)(second(watch, watch.inbox, options))
        #expect(result.ending == .exit(75), "\(result.messages)")
        #expect(result.messages.contains("process \(watcher.program.process)"), "names the holder: \(result.messages)")
        #expect(result.messages.contains(watch.inbox) && result.text.isEmpty)
        #expect(access(watch.folder["second.sqlite"], F_OK) != 0, "no outbox was made for nothing")
        // The same folder under another name.
        try watch.folder.link("other", to: watch.inbox)
        #expect(try await runner(watch)(second(watch, watch.folder["other"], options)).ending == .exit(75))
        #expect(try watcher.stop() == .exit(0))
        // No lock remains for the next watcher, and no file in the folder.
        try watch.drop(codes: ["b"])
        #expect(try await runner(watch)(second(watch, watch.inbox, ["--once"])).ending == .exit(0))
        #expect(try shell("ls -A '\(watch.inbox)'").lines == ["done"])
    }

    /// The kernel releases the lock of a killed process; `--wait` waits for one that ends.
    @Test(arguments: [SIGKILL, SIGTERM]) func theLockEndsWithItsHolder(_ signal: Int32) async throws {
        let watch = try WatchRun()
        let watcher = try watch.start()
        try watch.drop(codes: ["a"])
        #expect(await watch.reports(["a"]))
        let isPutAway = await eventually { watch.waiting().isEmpty }
        #expect(isPutAway)
        var runner = runner(watch)
        runner.streams.error = .append(watch.folder["second.log"])
        let waiting = try runner.start(second(watch, watch.inbox, ["--once", "--wait", "50"]))
        try watcher.end(by: signal)
        #expect(try waiting.end().ending == .exit(0))
    }

    @Test func foldersInFolders() async throws {
        let watch = try WatchRun()
        try watch.folder.folder("inbox/sub")
        try watch.folder.folder("inbox/done")
        // A folder inside a watched one.
        var watcher = try watch.start("--rescan", "0.2")
        try watch.drop(codes: ["a"])
        #expect(await watch.reports(["a"]))
        let result = try await runner(watch)(second(watch, watch.inbox + "/sub", ["--once"]))
        #expect(result.ending == .exit(75), "\(result.messages)")
        #expect(result.messages.contains("\(watch.inbox) is being watched"), "\(result.messages)")
        // A folder that the watcher excludes may have another watcher.
        #expect(try await runner(watch)(second(watch, watch.inbox + "/done", ["--once"])).ending == .exit(0))
        #expect(try watcher.stop() == .exit(0))
        // A folder that contains a watched one: the files of that one are left to its watcher.
        var other = runner(watch)
        other.streams = .init(
            input: .file("/dev/null"), output: .append(watch.folder["ours"]), error: .file("/dev/null"))
        let inner = Watcher(try other.start(second(watch, watch.inbox + "/sub", ["--after", "leave"])))
        try watch.drop(codes: ["sub/own"])
        let isTheirs = await eventually { readFile(watch.folder["ours"])?.text.contains("own") == true }
        #expect(isTheirs)
        watcher = try watch.start("--rescan", "0.2")
        try watch.drop(codes: ["b", "sub/own too"])
        #expect(await watch.reports(["a", "b"]))
        let isRead = await eventually { readFile(watch.folder["ours"])?.text.contains("own too") == true }
        #expect(isRead)
        #expect(await watch.says("another watcher has locked"))
        #expect(watch.texts() == ["a", "b"])
        // They are processed once that watcher has ended.
        #expect(try inner.stop() == .exit(0))
        #expect(await watch.reports(["a", "b", "sub/own", "sub/own too"]))
        #expect(try watcher.stop() == .exit(0))
    }

    /// A folder that replaces the watched one is locked too.
    @Test func aFolderInItsPlace() async throws {
        let watch = try WatchRun()
        let watcher = try watch.start("--poll", "0.1", "--rescan", "0.2")
        try watch.drop(codes: ["a"])
        #expect(await watch.reports(["a"]))
        try move(watch.inbox, to: watch.folder["old"])
        try watch.folder.folder("inbox")
        try watch.drop(codes: ["b"])
        #expect(await watch.reports(["a", "b"]))
        #expect(try await runner(watch)(second(watch, watch.inbox, ["--once"])).ending == .exit(75))
        // The old one is unlocked.
        let result = try await runner(watch)(second(watch, watch.folder["old"], ["--once"]))
        #expect(result.ending == .exit(0), "\(result.messages)")
        #expect(try watcher.stop() == .exit(0))
    }
}
