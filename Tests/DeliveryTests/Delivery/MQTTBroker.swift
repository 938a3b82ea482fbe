import Glibc
import TestSupport

/// A real mosquitto broker, which logs each packet.
final class MQTTBroker {
    static let isThere = access("/usr/sbin/mosquitto", X_OK) == 0

    let folder: TemporaryFolder
    private let settings: String
    private(set) var port = 0
    private var program: RunningProgram?

    /// Starts a broker with the given settings.
    init(_ settings: String = "allow_anonymous true", folder: TemporaryFolder) async throws {
        self.folder = folder
        self.settings = settings
        repeat {
            // Below the range of ephemeral ports.
            port = .random(in: 10_000..<32_000)
        } while try await !start()
    }

    deinit { kill() }

    var log: String { (try? text(of: folder["broker.log"])) ?? "" }

    /// The number of publications of each topic, from the broker's log.
    var published: [String: Int] {
        var counts: [String: Int] = [:]
        for line in log.split(separator: "\n") where line.contains("Received PUBLISH from") {
            guard let start = line.firstRange(of: ", '"), let end = line.firstRange(of: "', ...") else { continue }
            counts[String(line[start.upperBound..<end.lowerBound]), default: 0] += 1
        }
        return counts
    }

    /// Starts it on the same port as before; false if another process has the port.
    @discardableResult func start() async throws -> Bool {
        let configuration = try folder.file(
            "broker.conf", "listener \(port) 127.0.0.1\nuser root\nlog_type all\nlog_dest stderr\n\(settings)\n")
        let runs = log.occurrences(of: " running")
        let failures = log.occurrences(of: "Address already in use")
        program = try ProgramRunner(
            executable: "/usr/sbin/mosquitto",
            streams: ProgramRunner.Streams(
                input: .file("/dev/null"), output: .file("/dev/null"), error: .append(folder["broker.log"]))
        ).start(["-c", configuration])
        let hasSaid = await eventually {
            log.occurrences(of: " running") > runs || log.occurrences(of: "Address already in use") > failures
        }
        guard hasSaid else { throw NotStarted(log: log) }
        return log.occurrences(of: " running") > runs
    }

    struct NotStarted: Error {
        var log: String
    }

    func signal(_ number: Int32) { if let program { _ = Glibc.kill(program.process, number) } }

    /// Kills it, as a power cut would.
    func kill() {
        guard let program else { return }
        signal(SIGKILL)
        var status: Int32 = 0
        waitpid(program.process, &status, 0)
        self.program = nil
    }

    private func text(of path: String) throws -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&part, 1, part.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
    }
}

extension String {
    func occurrences(of text: String) -> Int { ranges(of: text).count }
}
