import Glibc
import TestSupport
import Testing

/// kill -9 at random moments while files arrive.
///
/// `QUIETZONE_WATCH_KILLS` is the number of kills, `QUIETZONE_WATCH_FILES` the number of files; `make test-watch`
/// uses 20 and 2,000.
@Suite(.timeLimit(.minutes(10))) struct KillRecoveryTests {
    /// The way in which files are noticed, and their target.
    enum Way: String, CaseIterable {
        case inotify, poll
        /// Named and filed by their codes.
        case filing
        /// The same, on another file system.
        case filingElsewhere
    }

    @Test(arguments: Way.allCases)
    func eachFileIsInOnePlaceAndEachCodeCameOnce(_ way: Way) async throws {
        let kills = Setting.number("QUIETZONE_WATCH_KILLS", 4)
        // The other ways only differ in how files are noticed or where they go, not in their vulnerability to kills:
        // a fifth is enough.
        let count = Setting.number("QUIETZONE_WATCH_FILES", 200) / (way == .inotify ? 1 : 5)
        let seed = UInt64.random(in: 0...UInt64.max)
        print("\(way): \(kills) kills, \(count) files, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let watch = try WatchRun()
        let elsewhere = way == .filingElsewhere ? try TemporaryFolder(in: "/dev/shm") : nil
        let isFiled = way == .filing || way == .filingElsewhere
        var options = ["--watch", way == .poll ? "poll" : "auto", "--poll", "0.2"]
        if isFiled {
            let rule = "{folder: \"by/{{symbol.format}}\", name: \"{{symbol.text}}\"}"
            try watch.folder.file("c.yaml", Array("filing:\n  all: \(rule)\n".utf8))
            options += ["--config", watch.folder["c.yaml"]] + (elsewhere.map { ["--to", $0.path] } ?? [])
        }
        /// Returns the processed files, in the form of ``WatchRun/files()``.
        func done() -> [String] { Tree.files(below: elsewhere?.path ?? watch.inbox).filter { $0.hasPrefix("done/") } }
        let place = isFiled ? "done/by/qr_code/" : "done/"
        var usualTime = min(try await firstMove(watch, options) { done() == [place + "first.png"] }, .seconds(1))
        var deadBeforeTheFirst = 0
        for round in 0..<kills {
            let before = done().count
            let watcher = try watch.start(options)
            let files = round * count / kills..<(round + 1) * count / kills
            let moment = usualTime * Double.random(in: 0.2...4, using: &random)
            // Files arrive all the time: during the start, during the work, and while the program is dead.
            let time = usualTime * 1.5
            let producer = Task { try await arrive(files, in: watch, within: time) }
            try await Task.sleep(for: moment)
            if deadBeforeTheFirst == kills - 1 {
                // The machine is slower now than during the measurement; one of the kills must come during the work.
                let isAtWork = await eventually { done().count > before }
                #expect(isAtWork, "\(watch.log.suffix(2000))")
            }
            #expect(try watcher.end(by: SIGKILL) == .signal(SIGKILL))
            try await producer.value
            if done().count == before {
                deadBeforeTheFirst += 1
                // The machine is busier now than during the measurement.
                usualTime = min(usualTime * 1.2, .seconds(2))
            }
        }
        #expect(deadBeforeTheFirst < kills, "some kills came amid the work")
        let last = try watch.start(options, seconds: 300)
        // Perhaps no file is left: one more shows that the program has started.
        try watch.drop(codes: ["last"])
        let isEmpty = await eventually { watch.waiting().isEmpty }
        #expect(isEmpty, "\(watch.waiting()) \(watch.log.suffix(2000))")
        let isTold = await eventually { Set(watch.texts()).count == count + 2 }
        #expect(isTold)
        let ending = try last.stop()
        #expect(ending == .exit(0), "\(watch.log.suffix(2000))")

        let expected = Set(["first", "last"] + (0..<count).map { "code \($0)" })
        let names = ["first.png", "last.png"] + (0..<count).map { isFiled ? "code \($0).png" : Self.name($0) }
        #expect(done() == names.map { place + $0 }.sorted(), "each file in exactly one place")
        #expect(watch.files() == (elsewhere == nil ? done() : []), "and nowhere else")
        let identifiers = Dictionary(grouping: watch.events(), by: \.symbol.text).mapValues { Set($0.map(\.id)) }
        #expect(Set(identifiers.keys) == expected, "no code is missing, none was made up")
        #expect(identifiers.filter { $0.value.count != 1 } == [:], "one event for each code")
        let lines = watch.events().count
        print("\(lines) lines for \(identifiers.count) events; \(deadBeforeTheFirst) kills before the first picture")
    }

    /// Returns the name of a file; every third one is in a folder of 50 files.
    static func name(_ number: Int) -> String {
        number % 3 == 0 ? "folder \(number / 150)/\(number).png" : "\(number).png"
    }

    /// Writes files in different ways: at once, under another name first, or from another folder.
    private func arrive(_ numbers: Range<Int>, in watch: WatchRun, within time: Duration) async throws {
        try makeFolder(watch.folder["elsewhere"])
        for number in numbers {
            let name = Self.name(number)
            if let slash = name.lastIndex(of: "/") { try makeFolder("\(watch.inbox)/\(name[..<slash])") }
            let picture = try Picture.qr("code \(number)")
            switch number % 4 {
            case 0: try move(watch.folder.file("inbox/\(name).part", picture), to: "\(watch.inbox)/\(name)")
            case 1: try move(watch.folder.file("elsewhere/\(number)", picture), to: "\(watch.inbox)/\(name)")
            default: try watch.drop(name, picture)
            }
            try await Task.sleep(for: time / numbers.count)
        }
    }

    /// Measures the time from the start of the program to the first file in done/.
    private func firstMove(
        _ watch: WatchRun, _ options: [String], isMoved: @escaping () -> Bool
    ) async throws -> Duration {
        try watch.drop(codes: ["first"])
        let start = ContinuousClock.now
        let watcher = try watch.start(options)
        let hasMoved = await eventually { isMoved() }
        try #require(hasMoved, "\(watch.log)")
        let time = ContinuousClock.now - start
        #expect(try watcher.stop() == .exit(0))
        return time
    }

    /// A program that is stopped while it starts ends as one that is stopped later.
    @Test func aStopAtTheStart() throws {
        let watch = try WatchRun()
        for _ in 0..<10 {
            let ending = try watch.start().stop()
            #expect(ending == .exit(0), "\(watch.log.suffix(2000))")
        }
    }
}
