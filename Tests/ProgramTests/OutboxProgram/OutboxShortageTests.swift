import Glibc
import TestSupport
import Testing

/// A shortage of file descriptors is this machine's fault, and does not count as an attempt.
@Suite(.timeLimit(.minutes(10))) struct OutboxShortageTests {
    @Test(arguments: ["http", "command"]) func fewDescriptors(_ type: String) async throws {
        let receiver = try Receiver()
        let station = try Station()
        let way = type == "http" ? "url: \(receiver.base)/ok\n  unsigned: true" : "command: [/bin/true]"
        // A second attempt would come an hour later, and a third never.
        try station.configure("his:\n  type: \(type)\n  \(way)\n  retryAfterSeconds: [3600]")
        try await station.add(report((0..<40).map { "\($0)" }))
        // With fewer, the runtime itself may fail to create its event loop before the program can report anything.
        for limit in [24, 48, 72, 76, 78, 80, 82, 84, 86, 88, 92, 100] {
            var runner = station.runner()
            runner.leading = ["-c", "ulimit -n \(limit); exec \"$0\" \"$@\"", runner.executable]
            runner.executable = "/bin/bash"
            runner.streams.error = .append(station.folder["log-\(limit)"])
            let short = try runner.start(station.arguments(["run"]))
            func log() -> String { readFile(station.folder["log-\(limit)"])?.text ?? "" }
            // It ends, retries, or reports that it cannot.
            _ = await eventually { !isRunning(short.process) || log().contains("Delivering") }
            _ = await eventually(within: 1) { log().contains("postponed") }
            short.signal(SIGTERM)
            let result = try short.end()
            #expect([.exit(0), .exit(1)].contains(result.ending), "\(limit): \(result.ending) \(log().suffix(2000))")
            let counts = try await station.counts()
            #expect(counts.dead == 0 && counts.pending + counts.delivered == 40, "\(limit): \(counts)")
            let failed = try await station.export().flatMap(\.deliveries).filter {
                $0.state == "pending" && $0.attempts > 0
            }
            #expect(failed.isEmpty, "\(limit): \(failed.first?.lastError ?? "")")
        }
        let result = try await station("run", "--once")
        #expect(result.ending == .exit(0))
        #expect(try await station.counts() == Station.Counts(delivered: 40))
    }
}
