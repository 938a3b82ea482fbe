import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Shortages of the machine delay the work: no valid picture fails because of them, and no receiver is blamed.
@Suite(.timeLimit(.minutes(10))) struct WatchShortageTests {
    /// Returns the program with a limit that it cannot raise.
    private func runner(_ watch: WatchRun, descriptors: Int) -> ProgramRunner {
        var runner = watch.runner()
        runner.leading = ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", runner.executable]
        runner.executable = "/bin/bash"
        return runner
    }

    /// From too few to open the outbox to as many as needed: the program ends by itself or waits, and loses nothing.
    @Test(arguments: [8, 24, 48, 72, 76, 80, 84, 88, 92, 96, 100, 104, 112, 160])
    func fewDescriptors(_ limit: Int) async throws {
        let watch = try WatchRun()
        let hook = try watch.folder.file("hook", Array("#!/bin/sh\nexit 0\n".utf8))
        try makeExecutable(hook)
        try watch.folder.file(
            "c.yaml",
            Array(
                """
                folder: {before: [\(hook)], afterEach: [\(hook)]}
                destinations:
                  out: {type: stdout, form: event}
                  command: {type: command, command: [/bin/true], retryAfterSeconds: [0.1]}
                """.utf8))
        let names = (0..<12).map { "\($0)" }
        try watch.drop(codes: names)
        let options = watch.arguments(["--config", watch.folder["c.yaml"]])
        let short = Watcher(try runner(watch, descriptors: limit).start(options))
        // It has started, or has reported why it cannot.
        let isSeen = await eventually { !short.isRunning || watch.log.contains("Watching for changes") }
        #expect(isSeen)
        let isDone = await eventually(within: limit >= 160 ? 240 : 3) { !short.isRunning || watch.waiting().isEmpty }
        let isRunning = short.isRunning
        let ending = try short.end(by: SIGTERM)
        #expect(
            ending == .exit(0) || (!isRunning && ending == .exit(1)), "\(limit): \(ending) \(watch.log.suffix(3000))")
        if limit >= 160 { #expect(isDone) }
        if !isRunning {
            #expect(watch.log.contains("too many open files"))
            // With the fewest, even its configuration cannot be read.
            if limit > 8 { #expect(watch.log.contains("the limit is \(limit)")) }
        }
        #expect(!watch.files().contains { $0.hasPrefix("failed/") }, "\(watch.log.suffix(3000))")
        // With enough of them all work is done, once, and no receiver is given up.
        let rest = try watch.start("--config", watch.folder["c.yaml"])
        #expect(await watch.reports(names))
        var counts: [String: Int] = [:]
        let isDelivered = await eventually {
            guard let status = try? await watch.status(["--json", "--config", watch.folder["c.yaml"]]),
                let report = try? JSONDecoder().decode(Report.self, from: Data(status.output))
            else { return false }
            counts = [
                "delivered": report.destinations["command"]?.delivered ?? 0,
                "dead": report.destinations["command"]?.dead ?? 0,
            ]
            return counts["delivered"] == names.count
        }
        #expect(isDelivered, "\(counts) \(watch.log.suffix(2000))")
        #expect(try rest.stop() == .exit(0))
        #expect(watch.files() == names.map { "done/\($0).png" }.sorted())
    }

    private struct Report: Decodable {
        struct Deliveries: Decodable {
            var delivered: Int
            var dead: Int
        }
        var destinations: [String: Deliveries]
    }

    /// The soft limit is raised to the hard limit, without a message if that is enough.
    @Test func theLimitIsRaised() async throws {
        let watch = try WatchRun()
        var runner = watch.runner()
        runner.leading = ["-c", "ulimit -Sn 64; exec \"$0\" \"$@\"", runner.executable]
        runner.executable = "/bin/bash"
        try watch.drop(codes: ["a"])
        let watcher = Watcher(try runner.start(watch.arguments([])))
        #expect(await watch.reports(["a"]))
        let limits = (readFile("/proc/\(watcher.program.process)/limits") ?? []).text
        let words = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }?.split(separator: " ") ?? []
        let soft = words.dropFirst(3).first.flatMap { Int($0) } ?? 0
        #expect(soft > 64, "\(limits)")
        #expect(!watch.log.contains("Fewer files"), "\(watch.log)")
        #expect(try watcher.stop() == .exit(0))
    }
}
