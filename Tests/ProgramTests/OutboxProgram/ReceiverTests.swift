import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// All kinds of receivers, with the built program.
@Suite(.timeLimit(.minutes(10))) struct ReceiverTests {
    @Test(
        arguments: [
            // The path, the final state, the minimum number of attempts, the last one's message, and its status.
            ("/ok", "delivered", 1, nil, 204),
            ("/fail/2", "delivered", 3, nil, 204),
            ("/status/400", "dead", 5, "answered 400", 400),
            ("/status/401", "dead", 5, "answered 401; check the secret, the token or the password", 401),
            ("/status/404", "dead", 5, "answered 404; check the URL and the method", 404),
            ("/status/413", "dead", 5, "answered 413; the receiver takes no event of this size", 413),
            ("/hang", "dead", 5, "no answer within 1 s", nil),
            ("/reset", "dead", 5, "the connection failed", nil),
            ("/half", "dead", 5, "the connection failed", nil),
            ("/redirect", "dead", 5, "answered 307, a redirect", 307),
            ("/status/410", "disabled", 1, "answered 410 Gone", 410),
        ] as [(String, String, Int, String?, Int?)])
    func behaviors(_ path: String, _ state: String, _ attempts: Int, _ error: String?, _ status: Int?) async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: path, timeout: path == "/hang" ? 1 : 60)
        let ids = try await station.add(report("a"))
        try await station.deliver()
        let delivery = try #require(try await station.export().first?.deliveries.first)
        #expect(delivery.state == state)
        #expect(delivery.attempts == attempts)
        #expect(delivery.lastStatus == status)
        if let error {
            #expect(delivery.lastError?.contains(error) == true, "\(delivery)")
        } else {
            #expect(delivery.lastError == nil)
        }
        // Every attempt has the same identifier, and redirects are not followed.
        #expect(receiver.entries.count == attempts)
        #expect(Set(receiver.entries.compactMap(\.id)) == Set(ids))
        #expect(Set(receiver.entries.map(\.path)) == [path])
    }

    @Test(arguments: ["seconds", "date"])
    func retryAfterIsHonored(_ form: String) async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: "/throttle/\(form)", more: "concurrency: 1")
        try await station.add(report("a", "b", "c"))
        try await station.deliver()
        let entries = receiver.entries
        #expect(entries.map(\.status) == [429, 204, 204, 204])
        let wait = entries[1].time - entries[0].time
        #expect(wait >= 1.9, "the whole destination is left alone, \(wait) s")
    }

    /// A pause is shown with its end, and can be ended early.
    @Test func aPauseByRetryAfter() async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: "/pause/7200")
        try await station.add(report("a"))
        let refused = try await station("enable", "his")
        #expect(refused.ending == .exit(1) && refused.messages.contains("his is neither disabled nor paused"))
        let run = try await station("run", "--once")
        #expect(run.messages.contains("Destination paused: the receiver asked to retry later"), "\(run.messages)")
        try await station.add(report("b"))
        #expect(try await station("status").text.contains(#/his .* paused until \d{4}-\d\d-\d\dT/#))
        #expect(try await station("list").text.ranges(of: "his:pending (paused for 119 min)").count == 2)
        let replay = try await station("replay", "--since", "1h")
        #expect(replay.messages.contains("2 deliveries due now"))
        #expect(replay.messages.contains("his is paused until 20"), "\(replay.messages)")
        #expect(try await station("run", "--once").ending == .exit(3))
        #expect(receiver.entries.count == 1)
        #expect(try await station("enable", "his").ending == .exit(0))
        #expect(try await !station("status").text.contains("paused"))
        #expect(try await station("run", "--once").ending == .exit(0))
        #expect(receiver.received.count == 2)
    }

    /// Events for a destination that is no longer configured.
    @Test func aDestinationThatWasRenamed() async throws {
        let station = try Station()
        try station.configure("old:\n  type: http\n  url: http://127.0.0.1:1/\n  unsigned: true")
        try await station.add(report("a", "b"))
        try station.configure("new:\n  type: stdout")
        let check = try await station("run", "--check")
        #expect(check.ending == .exit(0))
        #expect(check.text.contains("2 events wait for old, which is not configured"), "\(check.text)")
        let metrics = station.folder["counts.prom"]
        let run = try await station("run", "--once", "--metrics-file", metrics)
        #expect(run.messages.contains("Events wait for a destination that is not configured"), "\(run.messages)")
        #expect(run.messages.contains("destination=old") && run.messages.contains("pending=2"), "\(run.messages)")
        #expect((readFile(metrics) ?? []).text.contains("scan_outbox_queue_depth{destination=\"old\"} 2"))
        // As the message advises.
        #expect(try await station("replay", "--since", "1h", "--to", "new").ending == .exit(0))
        #expect(try await station("run", "--once").lines.count == 2)
    }

    /// A check finds an outbox that cannot be opened or created, and accepts one that is in use.
    @Test func checkingTheOutbox() async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout")
        let missing = try await station.runner()(
            [
                "run", "--check", "--config", station.folder["c.yaml"], "--database", station.folder["none/o.sqlite"],
            ])
        #expect(missing.ending == .exit(78), "\(missing.text)")
        #expect(missing.messages.contains("there is no folder \(station.folder["none"])"), "\(missing.messages)")
        #expect(try await station("run", "--check").ending == .exit(0))
        #expect(access(station.database, F_OK) != 0, "nothing is made")
        let run = try station.start("run", "--add")
        try run.send(report("a"))
        #expect(run.line() != nil)
        #expect(try await station("run", "--check").ending == .exit(0))
        run.signal(SIGTERM)
        #expect(try run.end().ending == .exit(0))
    }

    /// A line that a stop cuts off is not a wrong one.
    @Test func aStopAmidALine() async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout")
        let run = try station.start("run", "--add")
        try run.send(report("a"))
        #expect(run.line() != nil)
        let next = report("b")
        try run.send(String(next.prefix(next.count / 2)))
        run.signal(SIGTERM)
        // Its input stays open until it has ended.
        while run.line() != nil {}
        let end = try run.end()
        #expect(end.ending == .exit(0), "\(end.messages)")
        #expect(end.messages.contains("stopped amid line 2 of standard input"), "\(end.messages)")
    }

    @Test func goneDisablesAndEnableBringsBack() async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: "/status/410", more: "concurrency: 1")
        try await station.add(report((0..<20).map { "\($0)" }))
        try await station.deliver()
        #expect(try await station.counts() == Station.Counts(disabled: 20))
        #expect(receiver.entries.count == 1)
        try await station.add(report("late"))
        try await station.deliver()
        #expect(try await station.counts() == Station.Counts(disabled: 21))
        #expect(receiver.entries.count == 1)
        try station.configure(receiver, path: "/ok")
        #expect(try await station("enable", "his").ending == .exit(0))
        #expect(try await station("enable", "his").ending == .exit(1))
        #expect(try await station("replay", "--disabled").messages.contains("21 deliveries due now"))
        try await station.deliver()
        #expect(try await station.counts() == Station.Counts(delivered: 21))
        #expect(Set(receiver.received).count == 21)
    }

    @Test func deadLettersAreReplayedWithTheirIdentifiers() async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: "/status/500")
        let ids = try await station.add(report("a", "b"))
        try await station.deliver()
        #expect(try await station.counts() == Station.Counts(dead: 2))
        #expect(try await station("list", "--state", "dead").lines.count == 3)
        try station.configure(receiver, path: "/ok")
        #expect(try await station("replay", "--dead").ending == .exit(0))
        try await station.deliver()
        #expect(Set(receiver.received) == Set(ids))
        #expect(try await station("replay", ids[0]).ending == .exit(0))
        try await station.deliver()
        #expect(receiver.received.filter { $0 == ids[0] }.count == 2)
        let bodies = receiver.entries.filter { $0.id == ids[0] }.map(\.body)
        #expect(Set(bodies).count == 1, "the very bytes of the first attempt")
    }

    @Test func certificates() async throws {
        let folder = try TemporaryFolder()
        let certificates = try Support.certificates(in: folder)
        let receiver = try Receiver(certificates: certificates)
        let untrusting = try Station()
        try untrusting.configure(receiver, path: "/ok")
        try await untrusting.add(report("a"))
        let test = try await untrusting("send-test")
        #expect(test.ending == .exit(1))
        #expect(test.messages.contains("no trusted TLS connection"), "\(test.messages)")
        try await untrusting.deliver()
        #expect(try await untrusting.counts() == Station.Counts(dead: 1))
        #expect(receiver.entries.isEmpty)

        let trusting = try Station()
        try trusting.configure(receiver, path: "/ok", more: "certificateAuthorities: \(certificates)/ca.pem")
        let ids = try await trusting.add(report("a"))
        try await trusting.deliver()
        #expect(receiver.received == ids)

        // A name that is pinned to an address; its certificate is still verified by the name.
        let named = try Receiver(certificates: certificates, certificate: "named.pem")
        for (name, isRight) in [("localhost", true), ("other.example", false)] {
            let pinned = try Station()
            try pinned.configure(
                """
                his:
                  type: http
                  url: https://\(name):\(named.port)/ok
                  unsigned: true
                  address: 127.0.0.1
                  certificateAuthorities: \(certificates)/ca.pem
                """)
            let result = try await pinned("send-test")
            #expect(result.ending == .exit(isRight ? 0 : 1), "\(name): \(result.messages)")
        }
    }

    @Test func signaturesVerifyByAnIndependentImplementation() async throws {
        let receiver = try Receiver()
        let station = try Station()
        let old = [UInt8](repeating: 0xA5, count: 24)
        let new = [UInt8]((0..<64))
        let secrets = [new, old].map { "whsec_" + Data($0).base64EncodedString() }
        let hex = { (bytes: [UInt8]) in bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        let file = try station.folder.file("secret", Array(secrets.joined(separator: "\n").utf8))
        let destination = { (name: String, key: [UInt8]) in
            "\(name):\n  type: http\n  url: \(receiver.base)/check/\(hex(key))\n  secretFile: \(file)\n  timeoutSeconds: 5"
        }
        // Each receiver knows one of the two secrets, as during a rotation; the third knows neither.
        try station.configure(
            [destination("old", old), destination("new", new), destination("other", [UInt8](repeating: 1, count: 24))]
                .joined(separator: "\n"))
        try await station.add(report("é\0\"", "b"))
        let result = try await station("run", "--once")
        #expect(result.ending == .exit(3))
        #expect(try await station.counts("old") == Station.Counts(delivered: 2))
        #expect(try await station.counts("new") == Station.Counts(delivered: 2))
        #expect(try await station.counts("other") == Station.Counts(pending: 2))
        for entry in receiver.entries { #expect(entry.signature?.split(separator: " ").count == 2) }
        // No message contains a secret.
        for secret in secrets { #expect(!(result.messages + result.text).contains(String(secret.dropFirst(6)))) }
        let test = try await station("send-test", "new")
        #expect(test.messages.contains("new: delivered, status 204"))
    }

    @Test func theClockGoesBackAnHour() async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: "/fail/2")
        let library = try Preload.library()
        let offset = try station.folder.file("offset", Array("0".utf8))
        station.environment = ["LD_PRELOAD=\(library)", "QUIETZONE_CLOCK_OFFSET=\(offset)"]
        let run = try station.startWithLog("run", "--add", "--log-level", "warning")
        try run.send(report("before"))
        let begun = await eventually { receiver.entries.count >= 1 }
        #expect(begun)
        try station.folder.file("offset", Array("-3600".utf8))
        try run.send(report("after"))
        let arrived = await eventually {
            receiver.received.count == 2 && station.log.contains("The system clock was set back")
        }
        #expect(arrived, "\(station.log)")
        run.signal(SIGTERM)
        #expect(try run.end().ending == .exit(0), "\(station.log)")
        // Across a restart: an event that was postponed by a wrong clock is due after its delay.
        try station.configure(receiver, path: "/fail/1/b", retryAfter: "[60]")
        try station.folder.file("offset", Array("3600".utf8))
        try await station.add(report("third"))
        for (offset, status) in [("3600", 3), ("0", 3), ("90", 0)] as [(String, Int32)] {
            try station.folder.file("offset", Array(offset.utf8))
            let once = try await station("run", "--once")
            #expect(once.ending == .exit(status), "\(offset): \(once.messages)")
        }
        #expect(try await station.counts() == Station.Counts(delivered: 3))
    }

    @Test func aHangingDestinationHoldsUpNoOther() async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(
            """
            hangs:
              type: http
              url: \(receiver.base)/hang
              unsigned: true
              timeoutSeconds: 30
            his:
              type: http
              url: \(receiver.base)/ok
              unsigned: true
            """)
        let ids = try await station.add(report((0..<100).map { "\($0)" }))
        let run = try station.start("run")
        let arrived = await eventually { Set(receiver.received) == Set(ids) }
        #expect(arrived)
        run.signal(SIGKILL)
        _ = try run.end()
    }

    @Test func aStopLetsAttemptsEnd() async throws {
        let receiver = try Receiver()
        let station = try Station()
        let gate = station.folder["gate"]
        try station.configure(receiver, path: "/gate\(gate)")
        let ids = try await station.add(report((0..<20).map { "\($0)" }))
        let run = try station.startWithLog("run", "--log-level", "debug")
        let begun = await eventually { receiver.entries.count > 0 }
        #expect(begun)
        run.signal(SIGTERM)
        let isHeard = await eventually { station.log.contains("Signal caught") }
        #expect(isHeard, "\(station.log)")
        try station.folder.file("gate", [])
        #expect(try run.end().ending == .exit(0))
        // Every response of the receiver was recorded: nothing is sent twice.
        let counts = try await station.counts()
        #expect(counts.delivered == receiver.received.count)
        #expect(counts.delivered + counts.pending == 20 && counts.pending > 0)
        try await station.deliver()
        #expect(receiver.received.sorted() == ids.sorted())
    }
}
