import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The commands as a person uses them.
@Suite(.timeLimit(.minutes(10))) struct CommandTests {
    @Test func withoutAnyConfiguration() async throws {
        let station = try Station()
        let runner = station.runner()
        let database = "\(station.folder.path)/.local/state/quietzone/outbox.sqlite"
        #expect(try await runner(["status"]).text == "outbox  \(database)\nevents  0, not created yet\n")
        #expect(try await runner(["list"]).messages.contains("there is no outbox at \(database) yet"))
        let added = try await runner(["add"], input: Array((report("one", "two") + report("three")).utf8))
        #expect(added.ending == .exit(0))
        #expect(added.lines.count == 3)
        #expect(added.messages.contains("3 events of 2 pictures stored"))
        #expect(try await runner(["status"]).text == "outbox  \(database)\nevents  3\n")
        let list = try await runner(["list"])
        #expect(list.lines.count == 4)
        for (line, text) in zip(list.lines.dropFirst(), ["three", "two", "one"]) {
            #expect(line.hasSuffix("  \(text)"))
        }
        #expect(try await runner(["verify"]).text == "in order: 3 events\n")
        let run = try await runner(["run"])
        #expect(run.ending == .exit(78))
        #expect(run.messages.contains("no destination is configured"))
    }

    /// Escape sequences in codes, names and responses never reach a terminal, and are visible in JSON.
    @Test func nothingIsObeyed() async throws {
        let station = try Station()
        let hostile = "\u{1B}]0;title\u{7}\u{9B}31m\u{202E}gpj\u{7F}"
        try station.configure(
            """
            his: {type: command, command: ["/nowhere/\\e]0;x\\a\\u009b"]}
            """)
        try await station.add(report(hostile, source: hostile))
        for words in [
            ["list"], ["status"], ["export"], ["run", "--once"], ["list", "--bad\u{1B}[1m\u{9B}"],
        ] {
            let result = try await station.runner()(station.arguments(words))
            let text = result.text + result.messages
            let hidden = text.unicodeScalars.filter {
                $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E)
            }
            #expect(hidden.isEmpty && !text.isEmpty, "\(words): \(text.debugDescription)")
        }
        let exported = try #require(try await station.export().first?.event.symbol.text)
        #expect(exported == hostile, "the value is the same")
    }

    @Test func whatAddSaysOfItsLines() async throws {
        let station = try Station()
        let failed =
            "{\"error\":{\"code\":\"not_found\",\"message\":\"x\"},\"height\":0,"
            + "\"milliseconds\":{\"decode\":0,\"load\":0},\"orientation\":1,\"schema\":1,\"source\":\"b\","
            + "\"symbols\":[],\"truncated\":false,\"width\":0}\n"
        let result = try await station("add", input: report("a") + "no json\n\n" + failed + report())
        #expect(result.ending == .exit(1))
        #expect(result.lines.count == 1)
        #expect(
            result.messages.contains(
                "line 2 of standard input skipped: it is not JSON; each line must be a report of decode-image --json"))
        #expect(
            result.messages.contains("1 event of 3 pictures stored, 1 picture could not be read, 1 line skipped"))
        // The last line may lack its line feed.
        #expect(try await station("add", input: String(report("b").dropLast())).lines.count == 1)
        let repeated = report("x", "x") + report("x") + report("y")
        let deduplicated = try await station("add", "--deduplicate", "until-gone", input: repeated)
        #expect(deduplicated.lines.count == 2)
        #expect(deduplicated.messages.contains("2 repetitions dropped"))
    }

    @Test(
        arguments: [
            ("UTF-8", "\\u{FF}", "it is not UTF-8 from byte"), ("JSON", "{\"schema\":1", "it is not JSON"),
            ("another object", "{\"schema\":1}", "not a report of decode-image --json: source is missing"),
            ("a list", "[]", "not a report of decode-image --json: it is not an object"),
            ("schema", "schema 7", "the report has schema 7; this program reads schema 1"),
            ("base64", "base64", "symbols[0].rawBytes is not base64"),
            ("type", "type", "width is missing or of another type"),
            ("long", "long", "it has 80000000 bytes; the limit is 67108864"),
        ])
    func linesThatAreLeftOut(_ name: String, _ line: String, _ reason: String) async throws {
        let station = try Station()
        let good = report("a")
        var bad = Array(line.utf8)
        switch name {
        case "UTF-8": bad = Array("{\"schema\":1,\"source\":\"".utf8) + [0xFF] + Array("\"}".utf8)
        case "schema": bad = Array(good.replacing("\"schema\":1", with: "\"schema\":7").utf8.dropLast())
        case "base64": bad = Array(good.replacing("\"YQ==\"", with: "\"Y?\"").utf8.dropLast())
        case "type": bad = Array(good.replacing("\"width\":640", with: "\"width\":\"x\"").utf8.dropLast())
        case "long": bad = [UInt8](repeating: 0x61, count: 80_000_000)
        default: break
        }
        // A valid line before it and one after it, which must not be lost.
        let input = Array(good.utf8) + bad + [0x0A] + Array(report("b").utf8)
        let result = try await station.runner()(station.arguments(["add"]), input: input)
        #expect(result.ending == .exit(1))
        #expect(result.lines.count == 2, "the good lines are stored")
        #expect(
            result.messages.contains("line 2 of standard input skipped: ") && result.messages.contains(reason),
            "\(result.messages)")
        #expect(result.messages.contains("2 events of 2 pictures stored, 1 line skipped"))
    }

    @Test func csvIsSafeInASpreadsheet() async throws {
        let station = try Station()
        let texts = ["=1+1", "+1", "-1", "@x", "＝1", "＋1", "－1", "＠1", " =1", "\u{200B}=1"]
        let harmless = ["a=1", "1-1", "'=1"]
        // The second quotation mark and the combining mark are one `Character`.
        let marks = "x\"\u{338},=1\"\u{338}"
        try await station.add(report(texts + harmless + [marks], source: "=cmd|'/c calc'!A0.jpg"))
        let guarded = try await station("export", "--form", "csv").text
        let raw = try await station("export", "--form", "csv", "--raw-cells").text
        for text in texts {
            #expect(guarded.contains("'" + text), "\(text.debugDescription) is guarded")
            #expect(!raw.contains("'" + text) && raw.contains(text), "\(text.debugDescription) is as it is")
        }
        for text in harmless { #expect(guarded.contains(",\(text),") && raw.contains(",\(text),")) }
        let quoted = Array("\"x\"\"\u{338},=1\"\"\u{338}\",".utf8)
        for table in [guarded, raw] { #expect(Array(table.utf8).firstRange(of: quoted) != nil, "\(table)") }
        #expect(guarded.contains(",'=cmd|") && raw.contains(",=cmd|"))
        #expect(try await station("export", "--raw-cells").ending == .exit(64))
    }

    @Test func listShowAndExport() async throws {
        let station = try Station()
        let ids = try await station.add(report("plain", "a,\"b\"\u{1B}") + report("plain more"))
        let list = try await station("list", "--text", "plain")
        #expect(list.lines.count == 2 && list.lines[1].contains(ids[0]))
        #expect(try await station("list", "--prefix", "plain").lines.count == 3)
        #expect(try await station("list", "--state", "dead").messages.contains("no event"))
        #expect(try await station("list", "--format", "qr_code", "--limit", "1").lines.count == 2)
        #expect(try await station("list", "--since", "1h").lines.count == 4)
        #expect(try await station("list", "--until", "1h").lines.count == 0)
        // Cursor controls are shown as escapes.
        #expect(try await station("list", "--prefix", "a,").text.contains("a,\"b\"\\u{1b}"))
        let shown = try await station("show", ids[1])
        let event = try JSONDecoder().decode(Station.Exported.self, from: Data(shown.output))
        #expect(event.event.symbol.text == "a,\"b\"\u{1b}")
        #expect(try await station("show", "01a1fde6-17d6-700b-8ba2-56c9b12374ab").ending == .exit(1))
        #expect(try await station.export().map(\.event.id) == ids)
        let csv = try await station("export", "--form", "csv")
        #expect(csv.text.hasPrefix("time,id,station,source,name,format,text,"))
        #expect(csv.text.contains(",qr_code,\"a,\"\"b\"\"\u{1b}\","))
    }

    @Test(
        arguments: [
            (["list", "--state", "lost"], "lost"), (["list", "--format", "qr"], "no such symbology"),
            (["list", "--since", "yesterday"], "yesterday"), (["list", "--limit", "0"], "from 1 to"),
            (["list", "--text", "a", "--prefix", "b"], "one of them"), (["replay"], "give exactly one of"),
            (["replay", "--dead", "--disabled"], "give exactly one of"), (["show", "x"], "x"),
            (["add", "--source", "tape"], "tape"),
            (["add", "--deduplicate", "often"], "often"), (["run", "--log-level", "loud"], "loud"),
            (["status", "--set", "station"], "key"),
        ])
    func argumentsThatAreWrong(_ words: [String], _ part: String) async throws {
        let result = try await Station().runner()(words)
        #expect(result.ending == .exit(64))
        #expect(result.messages.contains(part), "\(result.messages)")
        #expect(result.text.isEmpty)
    }

    @Test func aConfigurationThatIsWrongStartsNothing() async throws {
        let station = try Station()
        try station.configure("his:\n  type: http\n  url: http://127.0.0.1:1/\n  unsinged: true", head: "staton: x")
        for command in ["run", "add", "status", "send-test"] {
            let result = try await station(command)
            #expect(result.ending == .exit(78))
            #expect(result.messages.contains("c.yaml:1: unknown key \"staton\""), "\(result.messages)")
            #expect(result.messages.contains("c.yaml:6: unknown key \"destinations.his.unsinged\""))
        }
        #expect(access(station.database, F_OK) != 0)
    }

    @Test func aSecondProcessSaysSoAndStops() async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout")
        try await station.add(report("a"))
        let first = try station.start("run")
        #expect(first.line()?.contains("\"text\":\"a\"") == true)
        for command in ["run", "add", "list", "status", "verify", "export"] {
            let second = try await station(command)
            #expect(second.ending == .exit(75), "\(command)")
            #expect(second.messages.contains("is in use by process \(first.process)"), "\(second.messages)")
        }
        // A waiting command gets its turn.
        let waiting = try station.start("status", "--wait", "30")
        first.signal(SIGTERM)
        #expect(try first.end().ending == .exit(0))
        #expect(try waiting.end().ending == .exit(0))
        #expect(try await station.counts("lines") == Station.Counts(delivered: 1))
    }

    @Test func whatIsCountedIsInTheMetricsFile() async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout\n  form: event")
        try await station.add(report("a", "b"))
        let file = station.folder["counts.prom"]
        let run = try await station("run", "--once", "--metrics-file", file)
        #expect(run.ending == .exit(0), "\(run.messages)")
        let text = try #require(FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) })
        let line = text.split(separator: "\n").first { $0.hasPrefix("scan_outbox_attempts_total{") }
        #expect(line == "scan_outbox_attempts_total{destination=\"lines\",outcome=\"delivered\"} 2", "\(text)")
        let refused = try await station("run", "--once", "--metrics-file", "/nowhere/counts.prom")
        #expect(refused.ending == .exit(0))
        #expect(refused.messages.contains("Could not write the metrics file"))
        #expect(refused.messages.contains("/nowhere/counts.prom"))
    }

    /// Metrics never replace a link or a device.
    @Test func onlyARegularFileIsReplacedByMetrics() async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout")
        let target = try station.folder.file("target", Array("mine".utf8))
        try station.folder.link("link", to: target)
        let pipe = try station.folder.fifo("pipe")
        for path in [station.folder["link"], pipe] {
            let run = try await station("run", "--once", "--metrics-file", path)
            #expect(run.ending == .exit(0))
            #expect(run.messages.contains("it is not a regular file; remove it, or choose another"), "\(run.messages)")
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG)
        }
        #expect(readFile(target) == Array("mine".utf8))
    }

    /// Values from outside cannot be taken for fields of the log.
    @Test func valuesInTheLogAreQuoted() async throws {
        let station = try Station()
        let folder = try station.folder.folder("a level=error \"x")
        try station.configure("lines:\n  type: stdout")
        let run = try await station.runner()(
            ["run", "--once", "--config", station.folder["c.yaml"], "--database", folder + "/o.sqlite"])
        #expect(
            run.messages.contains(#"outbox="\#(station.folder.path)/a level=error \"x/o.sqlite""#), "\(run.messages)")
    }

    @Test func addingWhileItRuns() async throws {
        let station = try Station()
        try station.configure("lines:\n  type: stdout\n  form: template\n  template: '[\"{{symbol.text}}\"]'")
        let run = try station.start("run", "--add", "--once")
        try run.send(report("a"))
        var lines: [String] = []
        while lines.count < 2, let line = run.line() { lines.append(line) }
        try run.send(report("b"))
        let result = try run.end()
        #expect(result.ending == .exit(0))
        lines += result.lines
        #expect(lines.filter { $0.hasPrefix("[") } == ["[\"a\"]", "[\"b\"]"])
        #expect(lines.filter { !$0.hasPrefix("[") }.count == 2)
        #expect(try await station.counts("lines") == Station.Counts(delivered: 2))
    }

    @Test func aCommandForEachEvent() async throws {
        let station = try Station()
        let out = station.folder["out"]
        try station.configure(
            "his:\n  type: command\n  concurrency: 1\n  form: event\n  command: [sh, -c, 'cat >> \(out); echo >> \(out)']"
        )
        let ids = try await station.add(report("a", "b"))
        try await station.deliver()
        let lines = (readFile(out) ?? []).text.split(separator: "\n")
        #expect(lines.count == 2)
        for (line, id) in zip(lines, ids) { #expect(line.contains(id)) }
    }

    /// A command does not get the secrets of other destinations.
    @Test func aCommandGetsNoSecretOfADestination() async throws {
        let station = try Station()
        station.environment = ["HIS_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "PLAIN=1"]
        let out = station.folder["out"]
        try station.configure(
            """
            his: {type: http, url: "http://127.0.0.1:1/", secretEnvironment: HIS_SECRET, sources: [camera]}
            own: {type: command, command: [sh, -c, 'env > \(out)']}
            """)
        try await station.add(report("a"))
        let run = try await station("run", "--once")
        #expect(run.ending == .exit(0), "\(run.messages)")
        let variables = (readFile(out) ?? []).text.split(separator: "\n")
        #expect(variables.contains("PLAIN=1") && variables.contains { $0.hasPrefix("WEBHOOK_ID=") }, "\(variables)")
        #expect(!variables.contains { $0.contains("whsec_") }, "\(variables)")
    }

    @Test func aPictureAlbumFromTheDecoder() async throws {
        var runner = ProgramRunner.built("decode-image")
        runner.seconds = 300
        let pictures = ["qr.png", "ean13-addon5.png", "qr-binary.png", "no-code.jpg"].map {
            "\(ProgramRunner.packageFolder)Samples/\($0)"
        }
        let found = try await runner(["--json"] + pictures)
        let station = try Station()
        let result = try await station("add", "--evidence", input: found.text)
        #expect(result.ending == .exit(0), "\(result.messages)")
        #expect(result.lines.count == 3)
        #expect(Set(try await station.export().map(\.event.symbol.text)).contains("9780306406157"))
    }
}
