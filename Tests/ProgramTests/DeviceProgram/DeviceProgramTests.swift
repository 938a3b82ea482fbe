import Glibc
import TestSupport
import Testing

/// scan-devices as its users run it, with devices simulated by pseudoterminals.
@Suite(.timeLimit(.minutes(10))) struct DeviceProgramTests {
    @Test func scansAreStoredAndDelivered() async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        let ports = [try run.port(), try run.port()]
        try run.configure([
            ("left", ports[0].path, []), ("right", ports[1].path, ["identifiers: true", "suffix: '#'"]),
        ])
        let program = try run.start("run")
        try #require(await run.connects(2), "\(run.log)")
        try ports[0].send("4006381333931\r".utf8)
        #expect(await run.reports(["4006381333931"]))
        try ports[1].send("]C1010400638133393110A#\r\n".utf8)
        #expect(await run.reports(["4006381333931", "010400638133393110A"]))
        program.signal(SIGTERM)
        #expect(try program.end().ending == .exit(0), "\(run.log)")
        let lines = run.lines
        #expect(lines.map { $0.source?.name } == ["left", "right"] && lines.allSatisfy { $0.source?.kind == "device" })
        #expect(lines.map { $0.symbol?.format } == ["unknown", "code_128"])
        #expect(lines.map { $0.symbol?.identifier } == [nil, "]C1"])
        #expect(!run.log.contains("4006381333931"), "scanned codes are not logged")
    }

    /// The program is killed repeatedly while a gun scans: each scan is one event, which may be repeated with the
    /// same id.
    @Test func suddenDeath() async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        let port = try run.port()
        try run.configure([("gun", port.path, [])])
        var sent: [String] = []
        for round in 0..<4 {
            let program = try run.start("run")
            try #require(await run.connects(round + 1), "\(run.log)")
            for number in 0..<20 {
                sent.append("code \(round)-\(number)")
                try port.send("code \(round)-\(number)\r".utf8)
            }
            // Each of these was written to standard output, so it was on disk.
            let expected = sent
            #expect(await run.reports(expected, mayRepeat: true))
            program.signal(SIGKILL)
            _ = try program.end()
        }
        #expect(Set(run.lines.compactMap(\.id)).count == sent.count)
    }

    @Test func theWeightOfTheMoment() async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        let (gun, scale) = (try run.port(), try run.port())
        try run.configure([("gun", gun.path, []), ("scale", scale.path, ["kind: scale", "protocol: sics"])])
        let program = try run.start("run")
        try #require(await run.connects(2), "\(run.log)")
        // The program decides when to read an answer, so the scale answers repeatedly.
        var texts: [String] = []
        let isCarried = try await eventually {
            _ = try scale.receive(4)
            try scale.send("S S   1.250 kg\r\n".utf8)
            texts.append("code \(texts.count)")
            try gun.send("\(texts[texts.count - 1])\r".utf8)
            try #require(await run.reports(texts))
            return run.lines.last?.source?.details == ["weight": "1.250", "weightUnit": "kg"]
        }
        #expect(isCarried, "\(run.lines)")
        program.signal(SIGTERM)
        #expect(try program.end().ending == .exit(0))
    }

    @Test func learning() async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        let port = try run.port()
        var runner = run.runner()
        runner.streams = .init(
            input: .file("/dev/null"), output: .append(run.folder["lines"]), error: .append(run.folder["log"]))
        let program = try runner.start(["learn", "left", "--code", "LEARN-1", "--port", port.path])
        try #require(await eventually { run.log.contains("Listening to \(port.path)") }, "\(run.log)")
        try port.send("another\rLEARN-1\r".utf8)
        #expect(try program.end().ending == .exit(0), "\(run.log)")
        #expect(
            readFile(run.folder["lines"])?.text
                == "devices:\n  left:\n    connection: serial\n    path: \(port.path)\n")
    }

    @Test func watching() async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        let port = try run.port()
        try run.configure([
            ("scale", port.path, ["kind: scale", "protocol: toledo", "unit: lb", "speed: 1200", "parity: even"])
        ])
        let program = try run.start("watch")
        #expect(await eventually { run.lines.map(\.event) == ["connected"] }, "\(run.log)")
        try port.send([0x02] + Array("01234".utf8) + [0x0D])
        #expect(await eventually { run.lines.last?.weight == "12.34" }, "\(run.log)")
        program.signal(SIGTERM)
        #expect(try program.end().ending == .exit(0))
        #expect(access(run.folder["outbox.sqlite"], F_OK) != 0, "nothing is stored")
    }

    /// `watch` delivers nothing, so unlike `run` it needs no secrets or files of destinations.
    @Test(arguments: [
        "secretEnvironment: UNSET", "secretFile: /nowhere",
        "unsigned: true\n    certificateAuthorities: /nowhere",
    ])
    func watchingNeedsNoDestination(_ lines: String) async throws {
        let folder = try TemporaryFolder()
        try folder.file("scans", Array("{\"device\":\"gun\",\"event\":\"scan\",\"text\":\"4006381333931\"}\n".utf8))
        try folder.file(
            "c.yaml",
            Array(
                """
                devices:
                  gun: {connection: serial, path: /dev/null}
                destinations:
                  his:
                    type: http
                    url: http://127.0.0.1:1/
                    \(lines)
                """.utf8))
        var runner = ProgramRunner.built("scan-devices")
        runner.environment.append("HOME=\(folder.path)")
        let options = ["--config", folder["c.yaml"], "--simulate", folder["scans"]]
        let watch = try runner.start(["watch"] + options)
        #expect(watch.line()?.contains("connected") == true)
        watch.signal(SIGTERM)
        #expect(try watch.end().ending == .exit(0))
        let run = try await runner(["run"] + options)
        #expect(run.ending == .exit(78) && run.messages.contains("destinations.his."), "\(run.messages)")
    }

    @Test(arguments: [
        ("scans", "has no event to play"), ("none", "cannot be read: No such file or directory"),
        ("folder", "cannot be read: it is not a file"),
    ])
    func simulationWithoutEventsIsAnError(_ name: String, _ words: String) async throws {
        let folder = try TemporaryFolder()
        try folder.file("scans", Array("\n".utf8))
        try folder.folder("folder")
        let file = folder[name]
        try folder.file("c.yaml", Array("devices: {gun: {connection: serial, path: /dev/null}}".utf8))
        var runner = ProgramRunner.built("scan-devices")
        runner.environment.append("HOME=\(folder.path)")
        let result = try await runner(["watch", "--config", folder["c.yaml"], "--simulate", file])
        #expect(result.ending == .exit(78))
        #expect(result.messages.contains("\(file) \(words)"), "\(result.messages)")
    }

    /// All faults of a configuration are reported at once.
    @Test(arguments: [
        ("connection: usb", "\"usb\" is not keyboard, hid, serial or bluetooth"),
        ("layout: xx", "\"xx\" is not one of us, gb"),
        ("vendor: lidl", "four hexadecimal digits"), ("kind: oven", "\"oven\" is not gun, scale or sensor"),
        ("separatorKeys: [f8, ctrl]", "\"ctrl\" is not one of F1 to F24"), ("parity: some", "none, even or odd"),
        ("service: \"181d\"", "is for devices with connection: bluetooth"),
        ("kind: sensor", "a sensor needs connection: bluetooth"),
        ("connection: bluetooth\n    source: serviceData", "codes are read from notifications"),
        ("connection: bluetooth\n    kind: scale\n    source: manufacturerData", "the format of the number"),
        ("connection: bluetooth\n    kind: sensor\n    format: uint8", "the service and the characteristic"),
        ("connection: bluetooth\n    manufacturerData: 59f", "pairs of hexadecimal digits"),
        ("connection: bluetooth\n    factor: 0", "a number above zero"),
        ("speed: 9601", "one of 1200"), ("color: red", "color"), ("endSeconds: 0", "a number from 0.01 to 60"),
    ])
    func configurationFaults(_ line: String, _ words: String) async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        try run.configure([("gun", "/dev/null", [])])
        try run.folder.file(
            "c.yaml", Array("devices:\n  gun:\n    path: /dev/null\n    \(line)\n".utf8))
        let result = try await run.runner()(["run", "--config", run.folder["c.yaml"]])
        #expect(result.ending == .exit(78) && result.messages.contains(words), "\(result.messages)")
    }

    /// A misspelled protocol is not also a missing one.
    @Test func aProtocolThatIsNotKnown() async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        try run.folder.file(
            "c.yaml",
            Array("devices:\n  a: {connection: serial, path: /dev/null, kind: scale, protocol: sicss}\n".utf8))
        let result = try await run.runner()(["run", "--config", run.folder["c.yaml"]])
        #expect(result.ending == .exit(78))
        let lines = result.messages.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].contains("\"sicss\" is not one of hid, "), "\(lines)")
    }

    @Test func noDevice() async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        try run.folder.file("c.yaml", Array("station: a\n".utf8))
        let result = try await run.runner()(["run", "--config", run.folder["c.yaml"]])
        #expect(result.ending == .exit(78) && result.messages.contains("no device is configured"))
        let list = try await run.runner()(["list"])
        // The status is 1 if a device cannot be opened; the messages only go to standard error.
        #expect([.exit(0), .exit(1)].contains(list.ending), "\(list.messages)")
        #expect(!list.lines.isEmpty || list.messages.hasPrefix("scan-devices: "), "\(list.messages)")
    }
}
