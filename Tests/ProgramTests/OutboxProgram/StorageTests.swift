import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Failing disks and files, with the built program.
@Suite(.timeLimit(.minutes(10))) struct StorageTests {
    /// Adds events with a file size limit, which SQLite sees as a full disk.
    @Test func aFullDiskIsNotSaved() async throws {
        let station = try Station()
        let before = try await station.add(report("before"))
        // In blocks of 1024 bytes: the database exists, and its log has no room for many events.
        var shell = station.runner()
        shell.executable = "/bin/bash"
        shell.leading = ["-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\"", Station.program]
        let lines = (0..<40).map {
            report((0..<50).map { "\($0)-" + String(repeating: "x", count: 200) }, source: "\($0)")
        }
        let run = try shell.start(["add", "--database", station.database])
        var acknowledged: [String] = []
        for line in lines { try run.send(line) }
        let result = try run.end()
        acknowledged += result.lines
        #expect(result.ending == .exit(1))
        #expect(result.messages.contains("not saved"), "\(result.messages)")
        #expect(acknowledged.count < 2000)
        // Acknowledged events are stored, and stored events are complete.
        #expect(try await station("verify").ending == .exit(0))
        let stored = Set(try await station.export().map(\.event.id))
        #expect(stored.isSuperset(of: acknowledged + before))
        #expect(try await station.add(report("after")).count == 1)
    }

    /// A real full file system, if this process may mount one.
    @Test func aFullFileSystem() async throws {
        let station = try Station()
        let mount = try station.folder.folder("small")
        let mounting = try ProgramRunner(executable: "/usr/bin/env").run(
            ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", mount])
        guard mounting.ending == .exit(0) else {
            print("a full file system is not tested: no tmpfs may be mounted here")
            return
        }
        defer { _ = try? ProgramRunner(executable: "/usr/bin/env").run(["umount", "-l", mount]) }
        let database = "\(mount)/outbox.sqlite"
        let input = (0..<40).map {
            report((0..<50).map { "\($0)-" + String(repeating: "x", count: 200) }, source: "\($0)")
        }
        let result = try await station.runner()(["add", "--database", database], input: Array(input.joined().utf8))
        #expect(result.ending == .exit(1))
        #expect(result.messages.contains("not saved: the disk that holds the outbox \(database) is full"))
        #expect(try await station.runner()(["verify", "--database", database]).ending == .exit(0))
        let exported = try await station.runner()(["export", "--database", database])
        for id in result.lines { #expect(exported.text.contains(id)) }
    }

    /// As a user without write permission: root may always write.
    @Test(arguments: ["chmod 444 outbox.sqlite", "chmod 555 ."])
    func readOnly(_ change: String) async throws {
        let station = try Station()
        try await station.add(report("a"))
        if change.hasSuffix(".") { unlink(station.database + ".lock") }
        let result = try await asNobody(
            station, after: change, ["add", "--database", station.database], input: report("b"))
        #expect(result.ending == .exit(1), "\(result.messages)")
        #expect(result.text.isEmpty)
        #expect(
            result.messages.contains("cannot be written") || result.messages.contains("cannot be opened"),
            "\(result.messages)")
    }

    /// A check finds a file that cannot be written, and a folder in which it cannot be created.
    @Test(arguments: [
        ("chmod 444 a.csv", "a.csv", "the file FOLDER/a.csv cannot be written: Permission denied"),
        ("chmod 555 .", "b-{{date}}.csv", "no file can be created in FOLDER: Permission denied"),
        ("chmod 555 .", "a.csv", nil), ("chmod 555 .", "{{date}}/a.csv", nil),
    ])
    func checkingAFile(_ change: String, _ file: String, _ problem: String?) async throws {
        let station = try Station()
        try station.folder.file("a.csv", [])
        try station.configure("a:\n  type: file\n  path: \"\(station.folder[file])\"")
        let arguments = ["run", "--check", "--config", station.folder["c.yaml"]]
        let result = try await asNobody(station, after: change, arguments)
        #expect(result.ending == .exit(problem == nil ? 0 : 78), "\(result.messages)")
        let sentence = problem?.replacing("FOLDER", with: station.folder.path) ?? ""
        #expect(result.messages.contains(sentence) || problem == nil, "\(result.messages)")
    }

    /// Runs the program as a user who owns the folder of a station, after a change there.
    private func asNobody(
        _ station: Station, after change: String, _ arguments: [String], input: String = ""
    ) async throws -> ProgramResult {
        // The program is copied to a path where others may run it, because they may not have access to the build.
        let elsewhere = try TemporaryFolder()
        let copy = elsewhere["scan-outbox"]
        var shell = ProgramRunner(executable: "/bin/bash")
        let own = "cp \(Station.program) \(copy) && chmod 755 \(copy) && cd '\(station.folder.path)' && \(change)"
        #expect(try shell.run(["-c", own]).ending == .exit(0))
        shell.executable = copy
        if getuid() == 0 {
            let chown = ProgramRunner(executable: "/bin/chown")
            #expect(try chown.run(["-R", "65534", station.folder.path]).ending == .exit(0))
            shell.executable = "/usr/bin/setpriv"
            shell.leading = ["--reuid=65534", "--clear-groups", copy]
        }
        shell.environment.append("HOME=\(station.folder.path)")
        defer { withExtendedLifetime(elsewhere) {} }
        return try await shell(arguments, input: Array(input.utf8))
    }

    /// A user with write permission for the folder must not be able to choose a file to be overwritten.
    @Test func aLockThatIsALink() async throws {
        let station = try Station()
        try await station.add(report("a"))
        let content = Array("the file of somebody else, longer than the number of a process".utf8)
        let victim = try station.folder.file("victim", content)
        unlink(station.database + ".lock")
        #expect(symlink(victim, station.database + ".lock") == 0)
        for command in ["add", "list"] {
            let result = try await station(command, input: report("b"))
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains("outbox.sqlite.lock: it is a link; remove it"), "\(result.messages)")
        }
        #expect(readFile(victim) == content)
    }

    /// After the outbox was deleted or moved, events are not acknowledged, and the program ends with an error.
    @Test(
        arguments: ["rm -r outbox.sqlite*", "rm outbox.sqlite-wal", "mkdir away; mv outbox.sqlite* away"],
        [true, false])
    func anOutboxThatGoesWhileItIsInUse(_ command: String, _ delivers: Bool) async throws {
        let station = try Station()
        try station.configure("his:\n  type: http\n  url: http://127.0.0.1:1/\n  unsigned: true")
        let run = delivers ? try station.start("run", "--add", "--log-level", "critical") : try station.start("add")
        try run.send(report("before"))
        #expect(run.line() != nil)
        let change = try ProgramRunner(executable: "/bin/sh").run(["-c", "cd '\(station.folder.path)' && \(command)"])
        try #require(change.ending == .exit(0), "\(change.messages)")
        try run.send((0..<20).map { report("after \($0)") }.joined())
        let result = try run.end()
        #expect(result.ending == .exit(1))
        #expect(result.lines.isEmpty, "none of them is acknowledged")
        #expect(result.messages.contains("not saved: \(station.database)"), "\(result.messages)")
        #expect(result.messages.contains("was deleted or moved"), "\(result.messages)")
    }

    /// An unreachable outbox is not taken for one that does not exist yet.
    @Test(arguments: [("loop/x", "Too many levels of symbolic links"), ("file/x", "Not a directory")])
    func placesThatCannotBeReached(_ path: String, _ reason: String) async throws {
        let station = try Station()
        try station.folder.file("file", [])
        #expect(symlink("loop", station.folder["loop"]) == 0)
        for command in ["list", "status", "export", "verify"] {
            let result = try await station.runner()([command, "--database", station.folder[path]])
            #expect(result.ending == .exit(1), "\(command)")
            #expect(result.messages.contains("\(path) cannot be opened: \(reason)"), "\(command): \(result.messages)")
        }
    }

    @Test func aDamagedFile() async throws {
        let station = try Station()
        try await station.add((0..<200).map { report("event \($0)") }.joined())
        var bytes = try #require(readFile(station.database))
        let intact = bytes
        // Pages in the middle, and then the first one.
        for index in (bytes.count / 2)..<(bytes.count / 2 + 20_000) { bytes[index] = 0xA5 }
        try station.folder.file("outbox.sqlite", bytes)
        let verify = try await station("verify")
        #expect(verify.ending == .exit(1))
        #expect(verify.messages.contains("damaged"), "\(verify.messages)")
        bytes = intact
        for index in 0..<100 { bytes[index] = 0xA5 }
        try station.folder.file("outbox.sqlite", bytes)
        for command in ["add", "status", "run", "verify"] {
            if command == "run" { try station.configure("lines:\n  type: stdout") }
            let result = try await station(command, input: report("x"))
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains("is damaged or not a database"), "\(command): \(result.messages)")
            #expect(result.text.split(separator: "\n").allSatisfy { $0.hasPrefix("outbox  ") })
        }
        #expect(readFile(station.database) == bytes, "a damaged file is left as it was")
    }

    @Test func aNewerSchema() async throws {
        let station = try Station()
        try await station.add(report("a"))
        let sqlite = try ProgramRunner(executable: "/usr/bin/env").run(
            [
                "python3", "-c",
                "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); "
                    + "c.execute(\"INSERT INTO grdb_migrations VALUES ('99')\"); c.commit()", station.database,
            ])
        try #require(sqlite.ending == .exit(0))
        for command in ["add", "list", "verify"] {
            let result = try await station(command, input: report("b"))
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains("newer version of this program"), "\(result.messages)")
        }
    }
}
