import Glibc
import TestSupport
import Testing

/// kill -9 at random moments while files arrive.
///
/// `QUIETZONE_WATCH_KILLS` says how often, `QUIETZONE_WATCH_FILES` how many files; `make test-watch` takes 20 and 2,000.
@Suite(.timeLimit(.minutes(10))) struct SuddenDeathTests {
    @Test(arguments: ["auto", "poll"])
    func eachFileIsInOnePlaceAndEachCodeCameOnce(_ watching: String) async throws {
        let kills = Setting.number("QUIETZONE_WATCH_KILLS", 4)
        // Polling differs in how files are noticed, and in nothing that a kill could spoil further: a fifth of it.
        let count = Setting.number("QUIETZONE_WATCH_FILES", 200) / (watching == "poll" ? 5 : 1)
        let seed = UInt64.random(in: 0...UInt64.max)
        print("\(watching): \(kills) kills, \(count) files, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let watch = try WatchRun()
        let options = ["--watch", watching, "--poll", "0.2"]
        var usualTime = min(try await firstMove(watch, options), .seconds(1))
        var deadBeforeTheFirst = 0
        for round in 0..<kills {
            let before = watch.files().count { $0.hasPrefix("done/") }
            let watcher = try watch.start(options)
            let files = round * count / kills..<(round + 1) * count / kills
            let moment = usualTime * Double.random(in: 0.2...4, using: &random)
            // Files come all the time: while it starts, while it works, while it is dead.
            let time = usualTime * 1.5
            let producer = Task { try await arrive(files, in: watch, within: time) }
            try await Task.sleep(for: moment)
            if deadBeforeTheFirst == kills - 1 {
                // This machine is slower than it was when the time was measured; one of them comes amid the work.
                let isAtWork = await eventually { watch.files().count { $0.hasPrefix("done/") } > before }
                #expect(isAtWork, "\(watch.log.suffix(2000))")
            }
            #expect(try watcher.end(by: SIGKILL) == .signal(SIGKILL))
            try await producer.value
            if watch.files().count(where: { $0.hasPrefix("done/") }) == before {
                deadBeforeTheFirst += 1
                // Others keep the machine busier than when it was measured.
                usualTime = min(usualTime * 1.2, .seconds(2))
            }
        }
        #expect(deadBeforeTheFirst < kills, "some kills came amid the work")
        let last = try watch.start(options, seconds: 300)
        // Perhaps nothing is left: that it has come up shows when it takes one more.
        try watch.drop(codes: ["last"])
        let isEmpty = await eventually { watch.waiting().isEmpty }
        #expect(isEmpty, "\(watch.waiting()) \(watch.log.suffix(2000))")
        let isTold = await eventually { Set(watch.texts()).count == count + 2 }
        #expect(isTold)
        let ending = try last.stop()
        #expect(ending == .exit(0), "\(watch.log.suffix(2000))")

        let expected = Set(["first", "last"] + (0..<count).map { "code \($0)" })
        let names = ["first.png", "last.png"] + (0..<count).map { Self.name($0) }
        #expect(watch.files() == names.map { "done/\($0)" }.sorted(), "each file in exactly one place")
        let identifiers = Dictionary(grouping: watch.events(), by: \.symbol.text).mapValues { Set($0.map(\.id)) }
        #expect(Set(identifiers.keys) == expected, "no code is missing, none was made up")
        #expect(identifiers.filter { $0.value.count != 1 } == [:], "one event for each code")
        let lines = watch.events().count
        print("\(lines) lines for \(identifiers.count) events; \(deadBeforeTheFirst) kills before the first picture")
    }

    /// The names of files lie in folders of 50, each third of them.
    static func name(_ number: Int) -> String {
        number % 3 == 0 ? "folder \(number / 150)/\(number).png" : "\(number).png"
    }

    /// Writes files in the ways in which they come: at once, under another name, from another folder.
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

    /// How long the program takes from its start to the first file in done/.
    private func firstMove(_ watch: WatchRun, _ options: [String]) async throws -> Duration {
        try watch.drop(codes: ["first"])
        let start = ContinuousClock.now
        let watcher = try watch.start(options)
        let isMoved = await eventually { watch.files() == ["done/first.png"] }
        try #require(isMoved, "\(watch.log)")
        let time = ContinuousClock.now - start
        #expect(try watcher.stop() == .exit(0))
        return time
    }
}
