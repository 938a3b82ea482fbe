import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A folder with a configuration of devices, and the program that reads them.
///
/// It keeps its ports, and a test must keep it until the program has ended: the kernel reuses the name of a closed
/// pseudoterminal, possibly for another test.
final class DeviceRun {
    let folder: TemporaryFolder
    private var ports: [Pseudoterminal] = []

    init() throws { folder = try TemporaryFolder() }

    /// Creates a port for a device.
    func port() throws -> Pseudoterminal {
        ports.append(try Pseudoterminal())
        return ports[ports.count - 1]
    }

    /// The lines that all runs wrote to standard output.
    var lines: [Line] {
        (readFile(folder["lines"]) ?? []).split(separator: 0x0A).compactMap {
            let line = Data($0)
            // An event has a Standard Webhooks envelope.
            return (try? JSONDecoder().decode(Envelope.self, from: line).data)
                ?? (try? JSONDecoder().decode(Line.self, from: line))
        }
    }

    private struct Envelope: Decodable {
        var data: Line
    }

    /// The messages that all runs wrote to standard error.
    var log: String { (readFile(folder["log"]) ?? []).text }

    /// An event, or a line of `watch`.
    struct Line: Decodable {
        struct Source: Decodable {
            var kind: String
            var name: String
            var details: [String: String]?
        }
        struct Symbol: Decodable {
            var format: String
            var text: String
            var identifier: String?
            /// In base64.
            var bytes: String?
        }
        var id: String?
        var source: Source?
        var symbol: Symbol?
        var event: String?
        var text: String?
        var weight: String?
    }

    /// Writes a configuration of devices at ports, with additional lines for each.
    func configure(_ devices: [(name: String, path: String, more: [String])]) throws {
        var text = "destinations:\n  out:\n    type: stdout\ndevices:\n"
        for device in devices {
            text += "  \(device.name):\n    connection: serial\n    path: \(device.path)\n"
            for line in device.more { text += "    \(line)\n" }
        }
        try folder.file("c.yaml", Array(text.utf8))
    }

    func runner() -> ProgramRunner {
        var runner = ProgramRunner.built("scan-devices")
        runner.environment += ["HOME=\(folder.path)"]
        runner.seconds = 300
        return runner
    }

    /// Starts `run` or `watch`, with its streams in files.
    func start(_ command: String) throws -> RunningProgram {
        var runner = runner()
        runner.streams = .init(
            input: .file("/dev/null"), output: .append(folder["lines"]), error: .append(folder["log"]))
        return try runner.start(
            [command, "--config", folder["c.yaml"], "--database", folder["outbox.sqlite"], "--log-level", "info"])
    }

    /// Waits until the log reports a number of connected devices.
    func connects(_ count: Int) async -> Bool {
        await eventually { log.split(separator: "\n").count { $0.contains("Connected") } >= count }
    }

    /// Waits for events with these texts, in any order, each as often as it is listed.
    ///
    /// Delivery is at least once: a program that is killed after writing an event, but before recording that, writes
    /// it again. Such a line has the same id, and counts once if `mayRepeat` is true.
    func reports(_ texts: [String], mayRepeat: Bool = false) async -> Bool {
        let isTold = await eventually {
            var told: Set<String> = []
            let events = lines.filter { line in !mayRepeat || line.id.map { told.insert($0).inserted } ?? true }
            return events.compactMap { $0.symbol?.text }.sorted() == texts.sorted()
        }
        if !isTold { print("came: \(lines.compactMap { $0.symbol?.text })\nlog: \(log.suffix(4000))") }
        return isTold
    }
}
