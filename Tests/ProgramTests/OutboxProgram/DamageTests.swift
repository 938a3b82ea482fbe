import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Partially corrupt outboxes: readable rows are read, unreadable ones are named, and every command ends.
@Suite(.timeLimit(.minutes(30))) struct DamageTests {
    /// Changes a database in a way that its schema does not allow.
    ///
    /// The entries of an index that is named stay as they are.
    private func change(_ station: Station, _ sql: String, keeping index: String = "none") throws {
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            c.execute("PRAGMA writable_schema=ON")
            old = c.execute("SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL").fetchall()
            c.execute("UPDATE sqlite_schema SET sql = replace(replace(sql, 'NOT NULL', ''), 'STRICT', '') "
                      "WHERE type = 'table' AND name IN ('event', 'delivery')")
            c.execute("UPDATE sqlite_schema SET sql = sql || 'WITHOUT ROWID' WHERE name = 'nothing'")
            c.execute("UPDATE sqlite_schema SET sql = replace(sql, ') , WITHOUT', ') WITHOUT') WHERE name = 'delivery'")
            c.execute("UPDATE sqlite_schema SET sql = replace(sql, 'state = 0', 'state = 99') WHERE name = ?",
                      (sys.argv[3],))
            c.commit(); c.close()
            c = sqlite3.connect(sys.argv[1])
            c.execute(sys.argv[2]); c.commit()
            c.execute("PRAGMA writable_schema=ON")
            for name, sql in old: c.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, name))
            c.commit()
            """
        let result = try ProgramRunner(executable: "/usr/bin/env").run(
            ["python3", "-c", script, station.database, sql, index])
        try #require(result.ending == .exit(0), "\(result.messages)")
    }

    @Test(
        arguments: [
            ("UPDATE event SET body = NULL WHERE number = 2", "row 2 of the table event", 2),
            ("UPDATE event SET body = 7 WHERE number = 2", "row 2 of the table event", 2),
            ("UPDATE event SET body = CAST('{' AS BLOB) WHERE number = 2", "row 2 of the table event", 2),
            ("UPDATE delivery SET attempts = NULL WHERE event = 2", "row 2 of the table delivery", 3),
            ("UPDATE delivery SET state = 'x' WHERE event = 2", "row 2 of the table delivery", 3),
            ("UPDATE delivery SET state = 9 WHERE event = 2", "row 2 of the table delivery", 3),
            ("UPDATE delivery SET next_attempt_at = NULL WHERE event = 2", "row 2 of the table delivery", 3),
        ])
    func oneDamagedRowIsLeftOut(_ sql: String, _ row: String, _ left: Int) async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout\n  form: template\n  template: '[\"{{symbol.text}}\"]'")
        let ids = try await station.add(report("one", "two", "three"))
        try change(station, sql)
        let list = try await station("list")
        #expect(list.ending == .exit(1))
        #expect(list.messages.contains(row) && list.messages.contains(station.database), "\(list.messages)")
        #expect(list.lines.count == 1 + left)
        let export = try await station("export")
        #expect(export.ending == .exit(1) && export.messages.contains(row))
        #expect(export.lines.count == left)
        for (id, other) in [(ids[0], ids[2])] {
            #expect(export.text.contains(id) && export.text.contains(other))
        }
        #expect(try await station("show", ids[0]).ending == .exit(0))
        #expect(try await station("show", ids[1]).ending == .exit(1))
        let status = try await station("status")
        #expect([.exit(0), .exit(1)].contains(status.ending), "\(status.messages)")
        #expect(try await station("verify").ending == .exit(1))
        let run = try await station("run", "--once")
        #expect([.exit(0), .exit(1)].contains(run.ending), "\(run.messages)")
        #expect(run.lines.contains("[\"one\"]") && run.lines.contains("[\"three\"]"), "\(run.messages)")
    }

    @Test func aDeliveryWithoutABodyIsNamedByRun() async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout")
        try await station.add((0..<100).map { report("\($0)") }.joined())
        try change(station, "UPDATE event SET body = NULL WHERE number <= 90")
        let run = try await station("run", "--once")
        #expect(run.ending == .exit(1), "\(run.messages)")
        #expect(run.lines.count == 10, "the events after the damaged ones are delivered")
        #expect(run.messages.contains("row 1 of the table delivery is damaged and was skipped"))
        #expect(run.messages.contains("the outbox \(station.database) is damaged: 90 rows were skipped"))
    }

    /// Such an entry was found due again after each delivery.
    @Test(
        arguments: [
            "UPDATE delivery SET state = 1 WHERE event = 2",
            "UPDATE delivery SET next_attempt_at = next_attempt_at + 1000000 WHERE event = 2",
        ])
    func anIndexEntryThatIsNotTrueEndsTheRun(_ sql: String) async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout")
        try await station.add(report("one", "two", "three"))
        try change(station, sql, keeping: "delivery_due")
        let run = try await station("run", "--once")
        #expect(run.ending == .exit(1))
        #expect(run.messages.contains("the outbox \(station.database) is damaged"), "\(run.messages)")
        #expect(run.lines.count <= 3)
    }

    /// `QUIETZONE_DAMAGES` is the number of corrupted files.
    @Test func noFlippedBitEndsACommandOtherwise() async throws {
        let count = getenv("QUIETZONE_DAMAGES").flatMap { Int(String(cString: $0)) } ?? 25
        let seed = getenv("QUIETZONE_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 0...UInt64.max)
        print("\(count) damaged files, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let station = try Station()
        try station.configure("lines:\n  type: stdout\n  form: event\nhis:\n  type: command\n  command: ['false']")
        for part in 0..<3 {
            try await station.add((0..<25).map { report("\(part) \($0)", "more") }.joined())
            if part == 0 { _ = try await station("run", "--once", "--log-level", "critical") }
        }
        let intact = try #require(readFile(station.database))
        var endings: [Int32: Int] = [:]
        for number in 0..<count {
            var bytes = intact
            // One bit or several; the headers of pages determine the meaning of the rest.
            for _ in 0..<[1, 1, 2, 16].randomElement(using: &random)! {
                let page = Int.random(in: 0..<(bytes.count / 4096), using: &random) * 4096
                let place = Bool.random(using: &random) ? 4096 : 160
                bytes[page + Int.random(in: 0..<place, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            for words in [
                ["list"], ["list", "--state", "pending"], ["export"], ["export", "--form", "csv"], ["status"],
                ["verify"],
                ["replay", "--dead"], ["run", "--once", "--log-level", "critical"],
            ] {
                for name in ["-wal", "-shm", ".lock"] { unlink(station.database + name) }
                try station.folder.file("outbox.sqlite", bytes)
                let result = try await station.runner()(station.arguments(words))
                // 3 and 4 mean pending or dead events, because there is no receiver.
                guard case .exit(let status) = result.ending, [0, 1, 3, 4].contains(status) else {
                    let kept = "/tmp/quietzone-damaged-\(seed)-\(number).sqlite"
                    _ = try ProgramRunner(executable: "/bin/cp").run([station.database, kept])
                    Issue.record(
                        "seed \(seed), file \(number), \(words): \(result.ending), \(result.messages.suffix(2000))")
                    continue
                }
                if status == 1 {
                    #expect(!result.messages.isEmpty, "it says why: \(words)")
                }
                endings[status, default: 0] += 1
            }
        }
        print("ends by status: \(endings)")
        #expect((endings[1] ?? 0) > 0, "something was damaged")
    }

    /// To SQLite, a truncated write-ahead log looks like one that was never longer.
    @Test(arguments: ["removed", "cut in half", "emptied", "a bit", "whole"])
    func aLogThatIsCutOff(_ damage: String) async throws {
        let station = try Station()
        let run = try station.start("add")
        var ids: [String] = []
        for number in 0..<20 {
            try run.send(report("\(number)"))
            ids.append(try #require(run.line()))
        }
        run.signal(SIGKILL)
        _ = try run.end()
        let log = station.database + "-wal"
        var bytes = try #require(readFile(log))
        #expect(bytes.count > 100_000)
        switch damage {
        case "removed": unlink(log)
        case "cut in half": truncate(log, off_t(bytes.count / 2))
        case "emptied": truncate(log, 0)
        case "a bit":
            bytes[bytes.count / 2] ^= 1
            try station.folder.file("outbox.sqlite-wal", bytes)
        default: break
        }
        for command in ["status", "verify", "verify"] {
            let result = try await station(command)
            if damage == "whole" {
                #expect(result.ending == .exit(0), "\(result.messages)")
            } else if command == "verify" {
                #expect(result.ending == .exit(1), "\(result.text)")
                #expect(result.text.contains("transactions that were stored are missing"), "\(result.text)")
                #expect(!result.text.contains("in order"))
            } else {
                #expect(result.messages.contains("transactions that were stored are missing"))
            }
        }
        if damage == "whole" { #expect(Set(try await station.export().map(\.event.id)) == Set(ids)) }
    }
}
