import FoundationEssentials
import Glibc
import ScanEvents
import ScanOutbox
import TestSupport
import Testing

import struct TestSupport.ProgramResult
import struct TestSupport.ProgramRunner

@testable import Delivery

/// Delivery to a real PostgreSQL, if its server is installed.
@Suite(.timeLimit(.minutes(10)), .enabled(if: PostgreSQLServer.folder != nil, "needs a PostgreSQL server"))
struct PostgreSQLTests {
    private let columns = ["id={{id}}", "code={{symbol.text}}", "at={{time}}", "lot={{content.gs1.10}}"]
    private let destination = Destination(
        name: "db", timeout: .seconds(120),
        schedule: RetrySchedule(delays: Array(repeating: .milliseconds(100), count: 3000)))

    private func sink(_ server: PostgreSQLServer, _ columns: [String]? = nil) async throws -> any Sink {
        let folder = try TemporaryFolder()
        let list = (columns ?? self.columns).map { "\"\($0)\"" }.joined(separator: ", ")
        let text =
            "destinations:\n  db:\n    type: postgresql\n    connection: \(server.connection)\n    table: scans\n"
            + "    columns: [\(list)]\n    timeoutSeconds: 120\n"
        let configuration = try await DeliveryConfiguration.load(
            path: folder.file("c.yaml", text), schema: ConfigurationSchema(variablePrefix: "SCAN_OUTBOX"),
            environment: [:], defaultDatabase: "/default"
        ) { _ in }.0
        return try configuration.makeSinks(SharedClients())[0].1
    }

    private func message(_ event: ScanEvent) throws -> OutgoingMessage { try OutgoingMessage(event, to: destination) }

    @Test func rows() async throws {
        let server = try await PostgreSQLServer()
        _ = try await server.query(
            "CREATE TABLE scans (id uuid, code text CHECK (code <> 'bad'), at timestamptz, lot text)")
        let sink = try await sink(server)
        let hostile = "'); DROP TABLE scans; --"
        let event = ScanEvent.test(hostile)
        // Without a unique column, repetitions could not be detected.
        let missing = await sink.deliver(try message(event))
        #expect(missing.kind == .failed)
        #expect(
            missing.reason?.hasSuffix("the database needs: ALTER TABLE \"scans\" ADD UNIQUE (\"id\")") == true,
            "\(missing)")
        _ = try await server.query("ALTER TABLE scans ADD UNIQUE (id)")
        for _ in 0..<2 { #expect(await sink.deliver(try message(event)) == .delivered()) }
        #expect(
            try await server.query("SELECT id, code, at AT TIME ZONE 'UTC', lot IS NULL FROM scans")
                == ["\(event.id)|\(hostile)|2027-01-15 08:00:00.123|t"])
        let bad = await sink.deliver(try message(.test("bad")))
        #expect(bad.kind == .refused, "\(bad)")
        #expect(await sink.deliver(try message(.test("a\0b"))).kind == .refused)
        let other = try await self.sink(server, ["id={{id}}", "color=red"])
        #expect(await other.deliver(try message(event)).kind == .failed)
        await other.close()

        // The server is killed during delivery: each event has one row.
        let box = try TestOutbox()
        let events = (0..<200).map { ScanEvent.test("event \($0)") }
        let service = DeliveryService(outbox: box.outbox, destinations: [(destination, sink)], logger: .silent)
        let run = Task { try await service.run() }
        try await box.outbox.store(Array(events[..<100]), for: [destination])
        #expect(try await eventually { try await server.query("SELECT count(*) FROM scans")[0] != "1" })
        try await server.kill()
        try await box.outbox.store(Array(events[100...]), for: [destination])
        try await server.start()
        #expect(
            try await eventually {
                try await box.outbox.status().destinations["db"]?.counts[.pending, default: 0] ?? 0 == 0
            })
        run.cancel()
        _ = try? await run.value
        #expect(
            try await server.query("SELECT code FROM scans WHERE code LIKE 'event %'").sorted()
                == events.map(\.symbol.text).sorted())
    }

    /// The server repeats a value that it refuses, and the value may be personal.
    @Test func whatAnEventSaysIsInNoMessage() async throws {
        let server = try await PostgreSQLServer()
        _ = try await server.query("CREATE TABLE scans (id uuid UNIQUE, code integer)")
        let sink = try await sink(server, ["id={{id}}", "code={{symbol.text}}"])
        let outcome = await sink.deliver(try message(.test("Mustermann")))
        #expect(outcome.kind == .refused)
        #expect(outcome.reason?.contains("type integer") == true, "\(outcome)")
        #expect(outcome.reason?.contains("Mustermann") == false, "\(outcome)")
        await sink.close()
    }
}

/// A server in a folder of its own, which only listens on a socket there.
private final class PostgreSQLServer: Sendable {
    /// The programs of the newest installed version, as Debian packages them.
    static let folder: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap(Int.init).max().map { "\(root)/\($0)/bin/" }.flatMap {
            access($0 + "initdb", X_OK) == 0 && (geteuid() != 0 || getpwnam("postgres") != nil) ? $0 : nil
        }
    }()

    let data: TemporaryFolder
    var connection: String { "host=\(data.path) dbname=postgres user=postgres" }

    init() async throws {
        data = try TemporaryFolder()
        _ = try await Self.run("/bin/chown", ["postgres", data.path], asOwner: true)
        try await make("initdb", ["-D", data["db"], "-U", "postgres", "-A", "trust", "-N"])
        try await start()
    }

    deinit {
        // If a test ends early: the server is not a child of this process.
        guard let file = try? Data(contentsOf: URL(filePath: data["db/postmaster.pid"])),
            let process = Int32(String(decoding: file.prefix { $0 != 0x0A }, as: UTF8.self))
        else { return }
        _ = Glibc.kill(process, SIGQUIT)
    }

    func start() async throws {
        try await make(
            "pg_ctl",
            [
                "-D", data["db"], "-w", "-t", "240", "-l", data["log"], "start",
                "-o", "-c listen_addresses='' -c unix_socket_directories='\(data.path)' -c fsync=off",
            ])
    }

    /// Stops it immediately, as a power cut would.
    func kill() async throws { try await make("pg_ctl", ["-D", data["db"], "-m", "immediate", "-w", "stop"]) }

    /// Returns the result of a statement, as lines.
    func query(_ statement: String) async throws -> [String] {
        try await make("psql", ["-h", data.path, "-U", "postgres", "-d", "postgres", "-Atc", statement])
    }

    @discardableResult private func make(_ program: String, _ arguments: [String]) async throws -> [String] {
        let result = try await Self.run((Self.folder ?? "") + program, arguments)
        guard result.ending == .exit(0) else { throw Failure(messages: result.messages) }
        return result.lines
    }

    struct Failure: Error { var messages: String }

    /// The server refuses to run as root.
    private static func run(_ program: String, _ arguments: [String], asOwner: Bool = false) async throws
        -> ProgramResult
    {
        if geteuid() != 0 || asOwner { return try await ProgramRunner(executable: program)(arguments) }
        return try await ProgramRunner(executable: "/usr/bin/setpriv")(
            ["--reuid=postgres", "--regid=postgres", "--clear-groups", program] + arguments)
    }
}

/// Statements that need no server.
@Suite struct InsertStatementTests {
    @Test func text() throws {
        let statement = try InsertStatement(
            table: "stock.sc\"ans",
            columns: ["id={{id}}", "code={{symbol.text}} = {{symbol.format}}", "lot={{content.gs1.10}}"])
        #expect(
            statement.text
                == "INSERT INTO \"stock\".\"sc\"\"ans\" (\"id\", \"code\", \"lot\") VALUES ($1, $2, $3) "
                + "ON CONFLICT (\"id\") DO NOTHING")
        let event = ScanEvent.test("x")
        #expect(statement.values(for: event) == [event.id.description, "x = ean_13", nil])
    }

    @Test(
        arguments: [
            ("", ["id={{id}}"], "table"), ("a..b", ["id={{id}}"], "table"), ("a", ["code={{symbol.text}}"], "columns"),
            ("a", ["id={{id}}", "x"], "columns"), ("a", ["id={{id}}", "={{id}}"], "columns"),
            ("a", ["id={{id}}", "x={{symbol.txt}}"], "columns"), ("a", ["id=x-{{id}}"], "columns"),
        ])
    func faults(_ table: String, _ columns: [String], _ key: String) {
        let fault = #expect(throws: InsertStatement.Fault.self) { try InsertStatement(table: table, columns: columns) }
        #expect(fault?.key == key)
    }

    @Test(
        arguments: [
            ("22001", .refused), ("23502", .refused), ("23503", .failed), ("42P10", .failed), ("42P01", .failed),
            ("53100", .throttled), ("57P01", .failed), (nil, .failed),
        ] as [(String?, DeliveryOutcome.Kind)])
    func errors(_ state: String?, _ kind: DeliveryOutcome.Kind) {
        #expect(PostgreSQLSession.outcome(state: state, message: "m", remedy: "r").kind == kind)
    }
}
