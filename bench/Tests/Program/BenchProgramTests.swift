import Foundation
import TestSupport
import Testing

/// The program as a user runs it, as `make test-bench` builds it: optimized.
@Suite("The program bench", .serialized)
struct BenchProgramTests {
    private let root = URL(fileURLWithPath: ProgramRunner.packageFolder)
    private let program: URL
    private let folder: URL

    init() throws {
        program = root.appendingPathComponent(".build/release/bench")
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func run(_ arguments: [String]) throws -> (output: String, errors: String, status: Int32) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = root
        let names = ["output", "errors"].map { folder.appendingPathComponent("\($0)-\(UUID().uuidString)") }
        for name in names { try Data().write(to: name) }
        process.standardOutput = try FileHandle(forWritingTo: names[0])
        process.standardError = try FileHandle(forWritingTo: names[1])
        try process.run()
        process.waitUntilExit()
        let texts = try names.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return (texts[0], texts[1], process.terminationStatus)
    }

    @Test("a short run gives a table, results.json and a page; the page and the README are made of results.json")
    func shortRun() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let out = folder.appendingPathComponent("out").path
        let run = try run([
            "run", "--set", "stages", "samples", "memory", "--rounds", "2", "--slice", "1", "--no-peers", "--out", out,
        ])
        #expect(run.status == 0, "\(run.errors)")
        for part in ["Stages", "read_zbar", "decode-image (process)", "Peak memory"] {
            #expect(run.output.contains(part), "\(part) is missing")
        }

        let data = try Data(contentsOf: URL(fileURLWithPath: out + "/results.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(json["schema"] as? Int == 1)
        let readers = try #require(json["readers"] as? [[String: Any]])
        let library = try #require(
            readers.first { $0["reader"] as? String == "quietzone" && $0["group"] as? String == "all" })
        let score = try #require(library["score"] as? [String: Int])
        // What the samples hold is found by a test of its own; here it is that the truth is understood.
        let samples = try Data(contentsOf: root.appendingPathComponent("Samples/expected.json"))
        let rows = try #require(try JSONSerialization.jsonObject(with: samples) as? [[String: Any]])
        #expect(score["expected"] == rows.reduce(0) { $0 + (($1["symbols"] as? [Any])?.count ?? 0) })
        #expect(score["found"] == score["expected"])
        #expect(score["misread"] == 0)

        let page = try String(contentsOfFile: out + "/index.html", encoding: .utf8)
        #expect(page.contains("</html>"))
        #expect(try self.run(["page", out + "/results.json", "--out", out + "/again.html"]).status == 0)
        #expect(try String(contentsOfFile: out + "/again.html", encoding: .utf8) == page)

        let printed = try self.run(["readme", out + "/results.json", "--print"])
        #expect(printed.output.contains("\n| Samples: QR, "))
        for name in ["README.md", "docs/speed.md"] {
            let file = out + "/" + name
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: file).deletingLastPathComponent(), withIntermediateDirectories: true)
            let marks = "before\n<!-- bench -->\n<!-- /bench -->\nafter\n"
            try marks.write(toFile: file, atomically: true, encoding: .utf8)
        }
        #expect(try self.run(["readme", out + "/results.json", "--root", out]).status == 0)
        for (name, part) in [
            ("README.md", "| Samples: QR, "), ("docs/speed.md", "| Samples: QR, "),
            ("docs/found-against-time.svg", "</svg>"),
        ] {
            let text = try String(contentsOfFile: out + "/" + name, encoding: .utf8)
            #expect(text.contains(part), "\(name) lacks \(part)")
        }

        let same = try self.run(["compare", out + "/results.json", out + "/results.json"])
        #expect(same.status == 0)
        #expect(same.output.contains("0 slower, 0 faster"))
    }

    @Test("a workload of the gate runs, and one that does not exist is said")
    func workload() throws {
        #expect(try run(["gate-workload", "read_qr qr-version40.png"]).status == 0)
        let unknown = try run(["gate-workload", "nothing"])
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("there is no workload nothing"))
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        var arguments: [String]
        var status: Int32
        var says: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let refusals = [
        Refusal(arguments: ["run", "--root", "Sources"], status: 64, says: "Sources is not the project's folder"),
        Refusal(arguments: ["run", "--rounds", "0"], status: 64, says: "are 1 at least"),
        Refusal(arguments: ["run", "--folder", "Package.swift"], status: 64, says: "Package.swift is no folder"),
        Refusal(arguments: ["compare", "none.json", "none.json"], status: 1, says: "none.json cannot be read"),
        Refusal(arguments: ["page", "Samples/expected.json"], status: 1, says: "is no results.json"),
    ]

    @Test("what cannot be done is said", arguments: refusals)
    func refused(_ item: Refusal) throws {
        let result = try run(item.arguments)
        #expect(result.status == item.status)
        #expect(result.errors.contains(item.says), "\(result.errors)")
    }
}
