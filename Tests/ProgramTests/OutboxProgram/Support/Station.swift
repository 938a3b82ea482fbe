import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The folder of this target's helpers.
private let supportFolder = String(#filePath.dropLast("Station.swift".count))
private let packageFolder = ProgramRunner.packageFolder

/// A folder with an outbox, a configuration and the program under test.
final class Station {
    static let program = ProgramRunner.built("scan-outbox").executable

    let folder: TemporaryFolder
    var database: String { folder["outbox.sqlite"] }
    /// Additional environment variables of the program.
    var environment: [String] = []

    init() throws { folder = try TemporaryFolder() }

    /// Writes the configuration; the lines of the destinations are indented by two spaces.
    func configure(_ destinations: String, head: String = "") throws {
        let indented = destinations.split(separator: "\n").map { "  \($0)\n" }.joined()
        try folder.file("c.yaml", Array("\(head)\ndestinations:\n\(indented)".utf8))
    }

    /// Configures a destination that posts to a receiver and retries quickly.
    ///
    /// - Parameter timeout: the seconds to wait for a response; many, unless the test is about a missing response.
    func configure(
        _ receiver: Receiver, path: String, timeout: Int = 60, retryAfter: String = "[0.3, 0.3, 0.3, 0.3]",
        more: String = ""
    ) throws {
        try configure(
            """
            his:
              type: http
              url: \(receiver.base)\(path)
              unsigned: true
              timeoutSeconds: \(timeout)
              retryAfterSeconds: \(retryAfter)
            \(more.split(separator: "\n").map { "  \($0)\n" }.joined())
            """)
    }

    func runner(_ seconds: Double = 240) -> ProgramRunner {
        var runner = ProgramRunner(executable: Self.program)
        runner.environment += ["HOME=\(folder.path)"] + environment
        runner.seconds = seconds
        return runner
    }

    func arguments(_ words: [String]) -> [String] {
        var all = words + ["--database", database]
        if access(folder["c.yaml"], R_OK) == 0 { all += ["--config", folder["c.yaml"]] }
        return all
    }

    /// Runs a command to completion.
    func callAsFunction(_ words: String..., input: String = "") async throws -> ProgramResult {
        try await runner()(arguments(words), input: Array(input.utf8))
    }

    /// Starts a command.
    func start(_ words: String...) throws -> RunningProgram { try runner().start(arguments(words)) }

    /// Starts a command with a log that can be read while it runs.
    func startWithLog(_ words: String...) throws -> RunningProgram {
        var runner = runner()
        runner.streams.error = .append(folder["log"])
        return try runner.start(arguments(words))
    }

    /// The log of such programs.
    var log: String { (readFile(folder["log"]) ?? []).text }

    /// Adds reports and returns the acknowledged identifiers.
    @discardableResult
    func add(_ reports: String) async throws -> [String] {
        let result = try await self("add", input: reports)
        try #require(result.ending == .exit(0), "\(result.messages)")
        return result.lines
    }

    /// Delivers until nothing is due, repeatedly until nothing is pending.
    func deliver(rounds: Int = 20) async throws {
        for _ in 0..<rounds {
            // Thousands of events, from a debug build to a receiver in Python.
            let result = try await runner(600)(arguments(["run", "--once", "--log-level", "error"]))
            // 3 and 4 mean that events are left, pending or dead.
            try #require([.exit(0), .exit(3), .exit(4)].contains(result.ending), "\(result.messages)")
            if try await counts().pending == 0 { return }
            // Failed deliveries are due by then, so that no later round is wasted.
            try await Task.sleep(for: .milliseconds(350))
        }
    }

    struct Counts: Equatable {
        var pending = 0
        var delivered = 0
        var dead = 0
        var disabled = 0
    }

    /// Returns the counts of a destination, from `status`.
    func counts(_ destination: String = "his") async throws -> Counts {
        let result = try await self("status")
        try #require(result.ending == .exit(0), "\(result.messages)")
        let row = result.lines.first { $0.hasPrefix(destination + " ") }
        let words = (row ?? "").split(separator: " ").dropFirst().compactMap { Int($0) }
        return words.count >= 4
            ? Counts(pending: words[0], delivered: words[1], dead: words[2], disabled: words[3]) : Counts()
    }

    /// One exported event.
    struct Exported: Decodable {
        struct Delivery: Decodable {
            var destination: String
            var state: String
            var attempts: Int
            var lastStatus: Int?
            var lastError: String?
        }
        struct Event: Decodable {
            struct Symbol: Decodable { var text: String }
            var id: String
            var symbol: Symbol
        }
        var event: Event
        var deliveries: [Delivery]
    }

    /// Returns all events, from `export`.
    func export() async throws -> [Exported] {
        let result = try await self("export")
        try #require(result.ending == .exit(0), "\(result.messages)")
        return try result.lines.map { try JSONDecoder().decode(Exported.self, from: Data($0.utf8)) }
    }
}

/// Returns a line of `decode-image --json` with a symbol for each text.
func report(_ texts: String..., source: String = "a.jpg") -> String { report(texts, source: source) }

func report(_ texts: [String], source: String = "a.jpg") -> String {
    let symbols = texts.map { text in
        let bytes = Data(text.utf8).base64EncodedString()
        return """
            {"format":"qr_code","rawValue":\(quoted(text)),"rawBytes":"\(bytes)","symbologyIdentifier":"]Q1",\
            "charset":"us-ascii","charsetSource":"validity","cornerPoints":[{"x":1,"y":2},{"x":3,"y":2},{"x":3,"y":4},\
            {"x":1,"y":4}],"boundingBox":{"x":1,"y":2,"width":2,"height":2},"rotation":0,"quality":1,"inverted":false}
            """
    }
    return """
        {"error":null,"height":480,"milliseconds":{"decode":1,"load":1},"orientation":1,"schema":1,\
        "source":\(quoted(source)),"symbols":[\(symbols.joined(separator: ","))],"truncated":false,"width":640}\n
        """
}

/// Returns a text as a string of JSON.
private func quoted(_ text: String) -> String {
    (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
}

/// The receiver `receiver.py` and its ledger.
final class Receiver {
    struct Entry: Decodable {
        var id: String?
        var path: String
        var status: Int
        var time: Double
        var timestamp: String?
        var signature: String?
        var type: String?
        var body: String?
        var method: String?
        var headers: [String: String]?
        var parsed: [String]?
    }

    private let folder: TemporaryFolder
    private let program: RunningProgram
    let port: Int
    let scheme: String
    var base: String { "\(scheme)://127.0.0.1:\(port)" }

    /// Starts a receiver; with the folder of `make-certificates`, it uses TLS.
    init(certificates: String? = nil, certificate: String = "server.pem", port: Int = 0) throws {
        folder = try TemporaryFolder()
        // The Python with the packages for the tests, if scripts/test-python has installed it.
        let own = "\(packageFolder).build/python/bin/python3"
        var runner = ProgramRunner(executable: access(own, X_OK) == 0 ? own : "/usr/bin/env")
        if runner.executable == "/usr/bin/env" { runner.leading = ["python3"] }
        runner.environment.append("PORT=\(port)")
        runner.seconds = 600
        let keys = certificates.map { ["\($0)/\(certificate)", "\($0)/server.key"] } ?? []
        program = try runner.start(["\(supportFolder)receiver.py", folder["ledger"]] + keys)
        self.port = try #require(program.line().flatMap { Int($0) }, "the receiver says its port")
        scheme = certificates == nil ? "http" : "https"
    }

    deinit { program.signal(SIGKILL); _ = try? program.end() }

    var entries: [Entry] {
        (readFile(folder["ledger"]) ?? []).split(separator: 0x0A).compactMap {
            try? JSONDecoder().decode(Entry.self, from: Data($0))
        }
    }

    /// The identifiers of the requests that were answered with 2xx.
    var received: [String] { entries.filter { (200..<300).contains($0.status) }.compactMap(\.id) }
}

/// Helper programs.
enum Support {
    static func certificates(in folder: TemporaryFolder) throws -> String {
        let result = try ProgramRunner(executable: "\(supportFolder)make-certificates").run([folder.path])
        try #require(result.ending == .exit(0), "\(result.messages)")
        return folder.path
    }
}
