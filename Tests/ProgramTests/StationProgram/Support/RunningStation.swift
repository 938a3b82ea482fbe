import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import TestSupport

private let packageFolder = ProgramRunner.packageFolder

/// The built program with a state folder of its own; it can be started, killed and started again.
final class RunningStation {
    static let program = ProgramRunner.built("scan-station").executable

    static let samples = packageFolder + "Samples"
    static let support = packageFolder + "Tests/ProgramTests/StationProgram/Support/"
    /// The Python environment of scripts/test-python.
    static let python = packageFolder + ".build/python/bin/python3"

    let folder: TemporaryFolder
    private var process: RunningProgram?
    private(set) var base = ""
    private(set) var token = ""
    private var starts = 0

    init() throws { folder = try TemporaryFolder() }

    /// The process identifier; `nil` if it is not running.
    var number: pid_t? { process?.process }

    /// The processes that it has started.
    var children: [pid_t] { process?.children ?? [] }

    deinit { process?.signal(SIGKILL) }

    /// The messages on standard error since the last start.
    var said: String { readFile(folder["said-\(starts)"])?.text ?? "" }

    func runner() -> ProgramRunner {
        var runner = ProgramRunner(executable: Self.program)
        runner.environment += ["HOME=\(folder.path)", "XDG_STATE_HOME=\(folder["state"])"]
        runner.seconds = 300
        return runner
    }

    /// Starts it on a free port and waits until it listens.
    func start(_ arguments: [String] = [], output: ProgramRunner.Streams.Stream = .pipe) async throws {
        starts += 1
        var runner = runner()
        runner.streams.output = output
        runner.streams.error = .file(try folder.file("said-\(starts)", []))
        process = try runner.start(["--port", "0"] + arguments)
        let deadline = ContinuousClock.now + .seconds(120)
        // The growth of a file gives no notification, so it is polled.
        while true {
            if let line = said.split(separator: "\n").first(where: { $0.contains("listening on http") }),
                let address = line.split(separator: " ").last
            {
                base = String(address.dropLast())
                break
            }
            guard ContinuousClock.now < deadline else { throw NotStarted(said: said) }
            try await Task.sleep(for: .milliseconds(20))
        }
        // A trap would end all tests of the run.
        guard let file = readFile(folder["state/quietzone/station-token"]) else { throw NotStarted(said: said) }
        token = file.text.filter { !$0.isWhitespace }
    }

    struct NotStarted: Error { var said: String }

    /// Ends it with a signal, and waits for its exit.
    func end(_ signal: Int32) async throws -> ProgramResult? {
        guard let process = process.take() else { return nil }
        process.signal(signal)
        nonisolated(unsafe) let ending = process
        return try await onThread { try ending.end() }
    }

    /// Returns a request with the token, unless other headers are given.
    func request(
        _ method: HTTPMethod = .GET, _ path: String, headers: [(String, String)]? = nil, body: [UInt8]? = nil,
        type: String = "image/png"
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        request.headers = HTTPHeaders(headers ?? [("Authorization", "Bearer \(token)")])
        if let body {
            request.headers.replaceOrAdd(name: "Content-Type", value: type)
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        return request
    }

    /// Returns the status and the body of a response.
    func answer(to request: HTTPClientRequest, timeout: TimeAmount = .seconds(60)) async throws -> (
        status: Int, body: String
    ) {
        let response = try await HTTPClient.shared.execute(request, timeout: timeout)
        return (Int(response.status.code), String(buffer: try await response.body.collect(upTo: 32 << 20)))
    }

    /// Returns the identifiers of scans from `/events`, until there are `count`.
    func scans(_ count: Int, after last: String?) async throws -> [String] {
        var request = request(.GET, "/events")
        if let last { request.headers.add(name: "Last-Event-ID", value: last) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        var (ids, text) = ([String](), "")
        for try await buffer in response.body {
            text += String(buffer: buffer)
            while let end = text.firstRange(of: "\n") {
                let line = text[..<end.lowerBound]
                if line.hasPrefix("id: ") { ids.append(String(line.dropFirst(4))) }
                text.removeSubrange(..<end.upperBound)
            }
            if ids.count >= count { break }
        }
        return ids
    }
}
