import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The exit status of a run for cron, and the files that commands leave.
@Suite(.timeLimit(.minutes(10))) struct EndingTests {
    /// The path of the receiver, the delays after failed attempts, the status, and the message.
    @Test(
        arguments: [
            ("/ok", "[60]", 0, ""),
            (
                "/status/500", "[60]", 3,
                "scan-outbox: his: 2 events are pending; a later run tries again, \"scan-outbox list"
            ),
            ("/status/500", "[0.001]", 4, "scan-outbox: his: 2 events are given up; \"scan-outbox list --state dead"),
            (
                "/status/410", "[60]", 4,
                "scan-outbox: his: 2 events are not sent, the destination is disabled; \"scan-outbox list --state disabled"
            ),
        ] as [(String, String, Int32, String)], ["--once", "--until-delivered"])
    func runsForCron(_ run: (String, String, Int32, String), _ option: String) async throws {
        let (path, waits, status, sentence) = run
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(
            "his:\n  type: http\n  url: \(receiver.base)\(path)\n  unsigned: true\n  retryAfterSeconds: \(waits)")
        try await station.add(report("a", "b"))
        var result = try await station("run", option, "--log-level", "critical")
        // An attempt that is due a millisecond later may be left to the next run, for either event.
        for _ in 0..<100 where waits == "[0.001]" && !result.messages.hasPrefix(sentence) {
            result = try await station("run", option, "--log-level", "critical")
        }
        #expect(result.ending == .exit(status))
        #expect(result.messages.hasPrefix(sentence), "\(result.messages)")
        #expect(result.messages.isEmpty == sentence.isEmpty)
        if status == 3 {
            // The list shows the time.
            let list = try await station("list")
            #expect(list.text.contains(#/his:pending \(tried again in \d+ s\)/#), "\(list.text)")
        }
    }

    /// One line for twenty events if the receiver is down, and one at the end.
    @Test func aDeadReceiverIsOneLine() async throws {
        let station = try Station()
        try station.configure("his:\n  type: http\n  url: http://127.0.0.1:1/\n  unsigned: true")
        try await station.add(report((0..<20).map { "\($0)" }))
        let result = try await station("run", "--once")
        #expect(result.ending == .exit(3))
        let lines = result.messages.split(separator: "\n").filter { $0.contains("127.0.0.1:1") }
        #expect(lines.count == 2, "\(result.messages)")
        #expect(lines.first?.contains(" warning scan-outbox") == true)
        #expect(lines.first?.contains("retry-in=\"5 s\"") == true)
        #expect(lines.first?.contains("Delivery failed, retrying later") == true)
        #expect(lines.last?.contains("failed-attempts=19") == true)
    }

    /// SIGTERM ends it at any moment of its start: by the signal itself, or in an orderly way.
    @Test func itEndsWheneverItIsTold() async throws {
        let station = try Station()
        try station.configure("his:\n  type: http\n  url: http://127.0.0.1:1/\n  unsigned: true")
        let (program, arguments) = (station.runner(), station.arguments(["run", "--log-level", "critical"]))
        var endings: Set<String> = []
        for _ in 0..<40 {
            let result = try await onThread {
                let running = try program.start(arguments)
                usleep(.random(in: 10_000...400_000))
                running.signal(SIGTERM)
                return try running.end()
            }
            endings.insert("\(result.ending)")
        }
        #expect(endings.isSubset(of: ["signal(15)", "exit(0)"]), "\(endings)")
    }

    /// A mistyped path: nothing is created there.
    @Test(arguments: ["status", "list", "export", "verify", "add", "run"])
    func mistypedPaths(_ command: String) async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout")
        let picture = try station.folder.file("picture.jpg", Array("no database at all".utf8))
        for (path, sentence) in [
            (station.folder["no/such/place/outbox.sqlite"], "there is no "),
            (station.folder.path, "is a folder, not an outbox; give the path of a file"),
            (picture, "is damaged or not a database"),
        ] {
            let before = try FileManager.default.contentsOfDirectory(atPath: station.folder.path).sorted()
            let result = try await station.runner()(
                [command, "--config", station.folder["c.yaml"], "--database", path]
                    + (command == "run" ? ["--once"] : []))
            if !(command == "status" && sentence == "there is no ") {
                #expect(result.messages.contains(sentence), "\(result.messages)")
            }
            let after = try FileManager.default.contentsOfDirectory(atPath: station.folder.path).sorted()
            #expect(before == after, "\(command) \(path)")
        }
        // The default folder is only created by commands that store events.
        let result = try await station.runner()(
            [command, "--config", station.folder["c.yaml"]] + (command == "run" ? ["--once"] : []))
        let isThere = access(station.folder[".local/state/quietzone/outbox.sqlite"], F_OK) == 0
        #expect(isThere == ["add", "run"].contains(command), "\(result.messages)")
    }
}
