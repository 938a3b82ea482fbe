import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The reports of `doctor` and `--check`, on any machine.
@Suite(.timeLimit(.minutes(10))) struct DoctorTests {
    private struct Finding: Decodable {
        var area: String
        var state: String
        var message: String
        var remedy: String?
    }

    /// Runs a program whose home is a folder with a configuration.
    private func run(
        _ program: String, _ arguments: [String], in folder: TemporaryFolder, _ configuration: String
    ) async throws -> ProgramResult {
        let file = try folder.file("c.yaml", Array(configuration.utf8))
        var runner = ProgramRunner.built(program)
        runner.environment.append("HOME=\(folder.path)")
        return try await runner(arguments + ["--config", file])
    }

    private func findings(_ folder: TemporaryFolder, _ configuration: String) async throws -> (
        findings: [Finding], result: ProgramResult
    ) {
        let result = try await run("scan-station", ["doctor", "--json"], in: folder, configuration)
        let findings = try result.lines.map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
        return (findings, result)
    }

    @Test func aMachineOnWhichAStationCanStart() async throws {
        let folder = try TemporaryFolder()
        let outbox = folder["outbox.sqlite"]
        let (findings, result) = try await findings(
            folder, "database: \(outbox)\nserver:\n  port: 0\ncamera:\n  device: none\n")
        #expect(result.ending == .exit(0), "\(result.lines) \(result.messages)")
        for area in ["user", "configuration", "outbox", "port", "camera", "devices"] {
            #expect(findings.first { $0.area == area }?.state == "ok", "\(area): \(result.lines)")
        }
        #expect(findings.contains { $0.area == "codecs" } && findings.contains { $0.area == "disk" })
        #expect(findings.allSatisfy { ($0.state == "ok") == ($0.remedy == nil) })
        // Nothing is created.
        #expect(access(outbox, F_OK) != 0)
    }

    @Test(arguments: [
        ("a wrong key", "stations: ward\n", "configuration", "stations"),
        (
            "a missing camera", "camera:\n  device: /dev/none\n", "camera",
            "there is no such device; decode-camera --list shows the cameras"
        ),
        (
            "a missing program of a camera", "camera:\n  device: exec:no-such-program -x\n", "camera",
            "no-such-program is not installed"
        ),
        ("a wrong camera command", "camera:\n  device: \"exec:\"\n", "configuration", "must be followed by a command"),
        (
            "another address", "camera:\n  device: ftp://camera/1\n", "configuration",
            "must begin with rtsp://, rtsps://"
        ),
        ("a missing folder", "database: /nowhere/outbox.sqlite\n", "outbox", "cannot be created in /nowhere"),
        (
            "an address of another machine", "server:\n  address: 192.0.2.1\n", "port",
            "no program can listen at 192.0.2.1"
        ),
    ])
    func faults(_ label: String, _ configuration: String, _ area: String, _ words: String) async throws {
        let folder = try TemporaryFolder()
        let (findings, result) = try await findings(folder, configuration)
        #expect(result.ending == .exit(1), "\(label): \(result.messages)")
        let fault = try #require(findings.first { $0.area == area && $0.state == "fault" }, "\(result.lines)")
        #expect(fault.message.contains(words) && fault.remedy?.isEmpty == false, "\(label): \(fault)")
    }

    @Test(
        "A file with a secret, and the folder above it",
        arguments: [
            ("readable", mode_t(0o644), mode_t(0o755), "warning"),
            ("writable", 0o602, 0o755, "warning"),
            ("readable by its group", 0o640, 0o755, "ok"),
            ("readable in a folder that is closed", 0o644, 0o750, "ok"),
        ])
    func secrets(_ label: String, _ file: mode_t, _ parent: mode_t, _ state: String) async throws {
        let folder = try TemporaryFolder()
        let closed = try folder.folder("quietzone")
        let secret = try folder.file("quietzone/his.secret", Array("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3".utf8))
        #expect(chmod(secret, file) == 0 && chmod(closed, parent) == 0)
        let (findings, result) = try await findings(
            folder,
            """
            database: \(folder["outbox.sqlite"])
            server:
              port: 0
            camera:
              device: none
            destinations:
              his:
                type: http
                url: http://127.0.0.1:1/
                secretFile: \(secret)

            """)
        #expect(result.ending == .exit(0), "\(label): \(result.lines)")
        let found = findings.filter { $0.area == "secrets" }
        #expect(found.map(\.state) == [state], "\(label): \(result.lines)")
        #expect(found.allSatisfy { ($0.remedy?.contains(secret) == true) == (state == "warning") }, "\(label)")
    }

    @Test func aPortThatAnotherHas() async throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #expect(bind(descriptor, $0, size) == 0 && listen(descriptor, 1) == 0)
                #expect(getsockname(descriptor, $0, &size) == 0)
            }
        }
        let port = UInt16(bigEndian: place.sin_port)
        let folder = try TemporaryFolder()
        let (findings, result) = try await findings(
            folder, "database: \(folder["o.sqlite"])\ncamera:\n  device: none\nserver:\n  port: \(port)\n")
        #expect(result.ending == .exit(1))
        let fault = findings.first { $0.area == "port" }
        #expect(fault?.message == "another program listens at 127.0.0.1:\(port)")
        #expect(fault?.remedy?.contains("ss -ltnp") == true)
    }

    @Test func forPeople() async throws {
        let folder = try TemporaryFolder()
        let result = try await run(
            "scan-station", ["doctor"], in: folder, "camera:\n  device: /dev/none\ndatabase: \(folder["o.sqlite"])\n")
        #expect(result.ending == .exit(1))
        let line = try #require(result.lines.firstIndex { $0.hasPrefix("fault    camera         /dev/none: ") })
        #expect(result.lines[line + 1].hasPrefix("                        -> "), "\(result.lines)")
    }

    @Test(arguments: ["scan-station", "scan-devices", "scan-outbox", "watch-folder"])
    func check(_ program: String) async throws {
        let folder = try TemporaryFolder()
        try #require(mkdir(folder["inbox"], 0o700) == 0)
        let arguments: [String] =
            switch program {
            case "scan-devices", "scan-outbox": ["run", "--check"]
            case "watch-folder": [folder["inbox"], "--check"]
            default: ["--check"]
            }
        let devices = program == "scan-devices" ? "devices:\n  gun: {connection: serial, path: /dev/ttyUSB0}\n" : ""
        let outbox = folder["outbox.sqlite"]
        let right =
            "database: \(outbox)\n\(devices)destinations:\n  his: {type: http, unsigned: true, url: http://a/}\n"
        let result = try await run(program, arguments, in: folder, right)
        #expect(result.ending == .exit(0), "\(result.messages)")
        #expect(
            result.lines == ["\(folder["c.yaml"]): valid, outbox \(outbox), destinations: his"], "\(result.messages)")
        let wrong = try await run(program, arguments, in: folder, right + "  lab: {type: http, url: nowhere}\n")
        #expect(wrong.ending == .exit(78) && wrong.lines.isEmpty)
        #expect(wrong.messages.contains("destinations.lab.url"), "\(wrong.messages)")
        let command = "  lab: {type: command, command: [/nowhere/tell]}\n"
        let missing = try await run(program, arguments, in: folder, right + command)
        #expect(missing.ending == .exit(78) && missing.lines.isEmpty)
        #expect(
            missing.messages.contains(
                "destinations.lab.command: there is no program \"/nowhere/tell\" that this user can run"),
            "\(missing.messages)")
        #expect(access(outbox, F_OK) != 0)
    }

    /// A check reports all faults at once: unknown keys, missing files, and invalid paths.
    @Test(arguments: [
        (
            "the database's folder", "database: /nowhere/o.sqlite\n",
            ["no destination is configured", "there is no folder /nowhere;"]
        ),
        (
            "a folder in place of the database", "database: /tmp\n",
            ["no destination is configured", "/tmp is a folder, not an outbox; give the path of a file"]
        ),
        (
            "a file's folder", "destinations:\n  a: {type: file, path: /nowhere/a.csv}\n",
            ["c.yaml:2: destinations.a.path: there is no folder /nowhere;"]
        ),
        (
            "a file in place of a folder", "destinations:\n  a: {type: file, path: /dev/null/a.csv}\n",
            ["c.yaml:2: destinations.a.path: /dev/null is not a folder"]
        ),
        (
            "a folder in place of a file", "destinations:\n  a: {type: file, path: /tmp}\n",
            ["c.yaml:2: destinations.a.path: /tmp is not a regular file"]
        ),
        (
            "a folder of each day", "destinations:\n  a: {type: file, path: \"/nowhere/{{date}}/a.csv\"}\n",
            ["c.yaml:2: destinations.a.path: there is no folder /nowhere;"]
        ),
        (
            "everything is missing",
            "database: /nowhere/o.sqlite\ndestinations:\n  a: {type: file, path: /none/a.csv}\n"
                + "  b: {type: command, command: [/none/tell]}\n",
            [
                "c.yaml:3: destinations.a.path: there is no folder /none;",
                "c.yaml:4: destinations.b.command: there is no program \"/none/tell\"", "there is no folder /nowhere;",
            ]
        ),
        (
            "wrong and not there",
            "database: /nowhere/o.sqlite\nstaton: x\ndestinations:\n  a: {type: file, path: /none/a.csv}\n"
                + "  b: {type: command, command: [/none/tell]}\n",
            [
                "c.yaml:1: database: the outbox /nowhere/o.sqlite cannot be created: there is no folder /nowhere;",
                "c.yaml:2: unknown key \"staton\"", "c.yaml:4: destinations.a.path: there is no folder /none;",
                "c.yaml:5: destinations.b.command: there is no program \"/none/tell\"",
            ]
        ),
        (
            "a home folder",
            "database: ~/o.sqlite\ndestinations:\n  a: {type: file, path: ~/a.csv}\n"
                + "  b: {type: http, url: http://a/, secretFile: ~/secret}\n"
                + "  c: {type: command, command: [~/tell]}\n",
            [
                "c.yaml:1: database: \"~/o.sqlite\" begins with ~, which is not expanded; write the full path",
                "c.yaml:3: destinations.a.path: \"~/a.csv\" begins with ~, which is not expanded",
                "c.yaml:4: destinations.b.secretFile: \"~/secret\" begins with ~, which is not expanded",
                "c.yaml:5: destinations.c.command: \"~/tell\" begins with ~, which is not expanded",
            ]
        ),
    ])
    func checkNamesAll(_ name: String, _ configuration: String, _ expected: [String]) async throws {
        let folder = try TemporaryFolder()
        let result = try await run("scan-outbox", ["run", "--check"], in: folder, configuration)
        #expect(result.ending == .exit(78) && result.lines.isEmpty, "\(name)")
        let lines = result.messages.split(separator: "\n")
        #expect(lines.count == expected.count, "\(name): \(result.messages)")
        for (line, part) in zip(lines, expected) { #expect(line.contains(part), "\(name): \(line)") }
    }

    @Test(arguments: ["before", "afterEach"])
    func commandsOfAFolderAreChecked(_ key: String) async throws {
        let folder = try TemporaryFolder()
        try #require(mkdir(folder["inbox"], 0o700) == 0)
        for (program, isThere) in [("true", true), ("/bin/true", true), ("no-such-program", false), ("/tmp", false)] {
            for section in ["folder:\n  ", "rules:\n  letters:\n    match: [\"*\"]\n    "] {
                let result = try await run(
                    "watch-folder", [folder["inbox"], "--check"], in: folder,
                    "database: \(folder["outbox.sqlite"])\n\(section)\(key): [\(program), x]\n")
                #expect(result.ending == .exit(isThere ? 0 : 78), "\(program): \(result.messages)")
                #expect(result.messages.contains("\(key): there is no program \"\(program)\"") != isThere)
            }
        }
    }
}
