import Glibc
import TestSupport
import Testing

/// More files than a queue can hold.
///
/// `QUIETZONE_WATCH_FLOOD` is the number of files; `make test-watch` uses 20,000.
@Suite(.serialized, .timeLimit(.minutes(15))) struct FloodTests {
    private let count = Setting.number("QUIETZONE_WATCH_FLOOD", 1500)

    /// A full folder that is moved in by a single rename.
    @Test func aFolderOfManyFilesAtOnce() async throws {
        let watch = try WatchRun()
        let watcher = try watch.start("--settle", "0", "--log-level", "warning", seconds: 900)
        try watch.drop(codes: ["first"])
        let isReady = await eventually { watch.files() == ["done/first.png"] }
        #expect(isReady)
        let before = try #require(watcher.peakKilobytes)
        try watch.folder.folder("many")
        for number in 0..<count { try watch.folder.file("many/\(number).pgm", Picture.blank(number)) }
        try watch.folder.file("many/last.png", Picture.qr("last"))
        let start = ContinuousClock.now
        try move(watch.folder["many"], to: "\(watch.inbox)/many")
        let isEmpty = await eventually(within: 800) {
            await pause(0.5); return watch.waiting().isEmpty
        }
        #expect(isEmpty)
        let time = ContinuousClock.now - start
        let after = try #require(watcher.peakKilobytes)
        print("\(count) files in \(time): \(before) kB before, \(after) kB at most")
        #expect(await watch.reports(["first", "last"]))
        #expect(try watcher.stop() == .exit(0))
        let expected = (0..<count).map { "no-code/many/\($0).pgm" } + ["done/first.png", "done/many/last.png"]
        #expect(watch.files() == expected.sorted())
        #expect(watch.texts() == ["first", "last"])
        // At most two kilobytes per waiting file, plus the fixed cost of a worker pool and a database.
        #expect(after - before < 40_000 + 2 * count)
    }

    /// The kernel's event queue overflows while the program is stopped; polling has no queue.
    @Test(arguments: ["inotify", "poll"])
    func theQueueRunsOver(_ watching: String) async throws {
        let limit = Int((readFile("/proc/sys/fs/inotify/max_queued_events") ?? []).text.filter(\.isNumber)) ?? 16384
        let watch = try WatchRun()
        let options = ["--watch", watching, "--poll", "0.2", "--settle", "0", "--log-level", "info"]
        let watcher = try watch.start(options, seconds: 300)
        try watch.drop(codes: ["first"])
        let isReady = await eventually { watch.files() == ["done/first.png"] }
        #expect(isReady)
        // Each close after writing is an event. Hidden files fill the queue and are ignored.
        watcher.program.signal(SIGSTOP)
        try shell("cd '\(watch.inbox)' && for i in {1..\(limit + 500)}; do : > .$((i % 50)); done")
        try watch.drop(codes: ["after", "wards"])
        try watch.folder.folder("inbox/new")
        try watch.drop(codes: ["new/deep"])
        watcher.program.signal(SIGCONT)
        let isEmpty = await eventually { watch.waiting().allSatisfy { $0.hasPrefix(".") } }
        #expect(isEmpty, "\(watch.files())")
        #expect(await watch.reports(["after", "first", "new/deep", "wards"]))
        if watching == "inotify" {
            #expect(await watch.says("overflow"))
        }
        // It continues to notice new files.
        try watch.drop(codes: ["new/later"])
        #expect(await watch.reports(["after", "first", "new/deep", "new/later", "wards"]))
        #expect(try watcher.stop() == .exit(0))
    }
}

/// Waits between polls that are expensive.
func pause(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }
