import BarcodeCore
import DecodeReports
import DecodeWorkers
import FoundationEssentials
import Glibc
import Logging
import ScanDevices
import ScanEvents
import ScanOutbox
import ServiceLifecycle
import StationDevices
import Testing

@testable import StationServer

/// The server with real connections, and clients that break the rules of HTTP.
@Suite(.timeLimit(.minutes(10))) struct ServerTests {
    static let token = AccessToken()

    /// Runs a server while `body` uses its port.
    static func serving(
        _ change: (inout BridgeSettings) -> Void = { _ in }, keyboards: TypingControl = TypingControl(),
        _ body: (Int, TestScanService) async throws -> Void
    ) async throws {
        let box = try TestScanService()
        try await box.scanService.resume()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var settings = BridgeSettings(token: token, uploadFolder: box.folder["uploads"])
        settings.port = 0
        change(&settings)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let server = try BridgeServer(
            settings: settings, scanService: box.scanService,
            camera: StationCamera(source: .none, onReading: { _ in }, logger: logger), keyboards: keyboards,
            decode: { request in
                var report = DecodeReport(source: request.name)
                let corner = Point(x: 0, y: 0)
                report.symbols = [
                    Symbol(
                        symbology: .qrCode, symbologyIdentifier: "]Q1", bytes: [0x78], text: "x",
                        charset: Charset(name: "us-ascii", source: .validity),
                        corners: Quadrilateral(
                            topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner))
                ]
                return report
            }, logger: logger, onListening: { port.yield($0) })
        // Shut down gracefully, like the program: cancelling the task during an accept would crash the process.
        var configuration = ServiceGroupConfiguration(services: [.init(service: server)], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(60)
        let services = ServiceGroup(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            for await port in ports {
                do {
                    try await body(port, box)
                } catch {
                    await services.triggerGracefulShutdown()
                    throw error
                }
                break
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    private static func connect(_ port: Int) throws -> Int32 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        return socket
    }

    /// Sends bytes and returns the response once it is enough or the server closes the connection; `last` is sent
    /// when it is enough for the first time.
    ///
    /// - Throws: ``NothingMore`` if neither happens before a timeout that is long enough even for a busy machine.
    static func exchange(
        _ port: Int, _ pieces: [String], until isEnough: (String) -> Bool = { _ in false }, then last: String? = nil
    ) async throws -> String {
        let socket = try connect(port)
        defer { close(socket) }
        func sendAll(_ piece: String) {
            let bytes = Array(piece.utf8)
            _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
        pieces.forEach(sendAll)
        var last = last
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        var (answer, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            guard ContinuousClock.now < deadline else {
                throw NothingMore(answer: String(decoding: answer, as: UTF8.self))
            }
            let count = recv(socket, &chunk, chunk.count, 0)
            if count > 0 {
                answer += chunk[..<count]
                if isEnough(String(decoding: answer, as: UTF8.self)) {
                    guard let piece = last.take() else { break }
                    sendAll(piece)
                }
            } else if count == 0 || errno != EAGAIN {
                break
            } else {
                // A socket without an event loop has to be polled.
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        return String(decoding: answer, as: UTF8.self)
    }

    struct NothingMore: Error { var answer: String }

    static func head(_ line: String, _ port: Int, _ more: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token.text)\r\n\(more)\r\n"
    }

    /// A body after the head would be taken for the response to the next request.
    @Test(arguments: ["/", "/no-such-page", "/health", "/scans/nothing"])
    func anAnswerToHeadHasNoBody(_ path: String) async throws {
        try await Self.serving { port, _ in
            let answer = try await Self.exchange(port, [Self.head("HEAD \(path)", port, "Connection: close\r\n")])
            #expect(answer.hasPrefix("HTTP/1.1 ") && answer.hasSuffix("\r\n\r\n"), "\(answer)")
            #expect(answer.split(separator: "\r\n\r\n").count == 1, "\(answer)")
        }
    }

    @Test func aSlowBodyIsRefusedAndItsFileIsGone() async throws {
        try await Self.serving({ $0.bodyTimeout = .milliseconds(300) }) { port, box in
            let head = Self.head("POST /scan", port, "Content-Type: image/png\r\nContent-Length: 1000\r\n")
            let answer = try await Self.exchange(port, [head, "a"])
            #expect(answer.hasPrefix("HTTP/1.1 408 "))
            #expect(answer.contains("\"reason\":\"too_slow\""))
            #expect(try FileManager.default.contentsOfDirectory(atPath: box.folder["uploads"]).isEmpty)
        }
    }

    @Test(arguments: [
        ("at once, by its length", "Content-Length: 3000", [String(repeating: "x", count: 3000)]),
        (
            "as it comes, in chunks", "Transfer-Encoding: chunked",
            Array(repeating: "400\r\n\(String(repeating: "x", count: 1024))\r\n", count: 3) + ["0\r\n\r\n"]
        ),
        ("much too large", "Content-Length: 90000", [String(repeating: "x", count: 30_000)]),
    ])
    func aBodyThatIsTooLarge(_ label: String, _ length: String, _ body: [String]) async throws {
        try await Self.serving({ $0.maximumBodyBytes = 2048 }) { port, box in
            let head = Self.head("POST /scan", port, "Content-Type: image/png\r\nConnection: close\r\n\(length)\r\n")
            let answer = try await Self.exchange(port, [head] + body)
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.contains("\"reason\":\"too_large\""))
            #expect(try FileManager.default.contentsOfDirectory(atPath: box.folder["uploads"]).isEmpty)
        }
    }

    @Test(arguments: [
        ("no host", "GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n", "HTTP/1.1 421 "),
        ("two hosts", "GET /ping HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", "HTTP/1.1 400 "),
        ("no HTTP", "hello\r\n\r\n", "HTTP/1.1 400 "),
        (
            "a header without an end", "GET /ping HTTP/1.1\r\nA: \(String(repeating: "x", count: 70_000))",
            "HTTP/1.1 400 "
        ),
        (
            "another host in the line", "GET http://evil/ping HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 421 "
        ),
    ])
    func requestsThatNoBrowserSends(_ label: String, _ request: String, _ expected: String) async throws {
        try await Self.serving { port, _ in
            let answer = try await Self.exchange(port, [request])
            #expect(answer.hasPrefix(expected), "\(label): \(answer)")
        }
    }

    /// Requests that two HTTP parsers could read differently (request smuggling), and an invalid body.
    @Test(arguments: [
        ("two hosts, both known", "GET /ping", "Host: 127.0.0.1:%\r\n", "", "HTTP/1.1 400 "),
        (
            "a malformed chunk", "POST /scan", "Content-Type: image/png\r\nTransfer-Encoding: chunked\r\n",
            "nonsense\r\n", "HTTP/1.1 400 "
        ),
        (
            "a malformed chunk of JSON", "POST /camera", "Transfer-Encoding: chunked\r\n", "5\r\n{}\r\n\r\n0\r\n",
            "HTTP/1.1 400 "
        ),
        ("an unknown coding", "POST /scan", "Transfer-Encoding: gzip\r\n", "x", "HTTP/1.1 400 "),
        ("a coding around chunks", "POST /scan", "Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n", "HTTP/1.1 400 "),
        (
            "a length and chunks", "POST /scan", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n",
            "HTTP/1.1 400 "
        ),
        ("two lengths", "POST /scan", "Content-Length: 3\r\nContent-Length: 4\r\n", "abcd", "HTTP/1.1 400 "),
    ])
    func requestsThatAreMalformed(
        _ label: String, _ line: String, _ more: String, _ body: String, _ expected: String
    ) async throws {
        try await Self.serving { port, _ in
            let more = more.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "\(port)")
            let answer = try await Self.exchange(
                port, [Self.head(line, port, more), body], until: { $0.hasSuffix("}") })
            #expect(answer.hasPrefix(expected), "\(label): \(answer)")
        }
    }

    /// A request may be hidden in what another parser takes for the body.
    @Test(arguments: [
        ("two hosts", "GET /ping", "Host: 127.0.0.1:%\r\n"),
        ("a coding around chunks", "POST /scan", "Transfer-Encoding: gzip, chunked\r\n"),
    ])
    func nothingIsAnsweredAfterAMalformedRequest(_ label: String, _ line: String, _ more: String) async throws {
        try await Self.serving { port, _ in
            let more = more.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "\(port)")
            let hidden = "0\r\n\r\n" + Self.head("GET /ping", port)
            let answer = try await Self.exchange(port, [Self.head(line, port, more) + hidden])
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.hasSuffix("}"), "\(label): \(answer)")
            #expect(answer.split(separator: "HTTP/1.1 ").count == 1, "\(label): \(answer)")
        }
    }

    @Test func whoWaitsToBeToldToContinueIsTold() async throws {
        try await Self.serving { port, _ in
            let head = Self.head(
                "POST /scan", port,
                "Content-Type: image/png\r\nContent-Length: 1\r\nExpect: 100-continue\r\n")
            let told = try await Self.exchange(port, [head], until: { $0.contains("\r\n\r\n") })
            #expect(told.hasPrefix("HTTP/1.1 100 Continue\r\n\r\n"))
            let all = try await Self.exchange(port, [head, "x"], until: { $0.hasSuffix("}") })
            #expect(all.contains("\r\n\r\nHTTP/1.1 200 OK\r\n") && all.contains("\"isSuccess\":true"))
        }
    }

    /// An incomplete header, or a body that nobody reads, ends the connection.
    @Test(arguments: [
        ("nothing", [], ""), ("one byte", ["G"], ""), ("half a header", ["GET /ping HTTP/1.1\r\nHost: a\r\n"], ""),
        (
            "a body after the answer", ["POST /scan HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n", "a"],
            "HTTP/1.1 421 "
        ),
    ])
    func whoIsTooSlowIsLetGo(_ label: String, _ pieces: [String], _ expected: String) async throws {
        // A response needs a header within the limit, even on a busy machine.
        let limit: Duration = expected.isEmpty ? .milliseconds(200) : .seconds(5)
        try await Self.serving({ $0.headerTimeout = limit }) { port, _ in
            // The exchange ends when the connection is closed.
            let answer = try await Self.exchange(port, pieces)
            #expect(answer.hasPrefix(expected) && (answer.isEmpty == expected.isEmpty), "\(label): \(answer)")
        }
    }

    @Test func halfASecondHeaderIsLetGoToo() async throws {
        try await Self.serving({ $0.headerTimeout = .seconds(5) }) { port, _ in
            let answer = try await Self.exchange(
                port, [Self.head("GET /ping", port)], until: { $0.hasSuffix("}") },
                then: "GET /")
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
        }
    }

    /// Idle sockets make room for new ones.
    @Test func idleSocketsShutNobodyOut() async throws {
        try await Self.serving({
            $0.maximumConnections = 16
            $0.headerTimeout = .seconds(3600)
        }) { port, _ in
            let idle = try (0..<100).map { _ in
                let socket = try Self.connect(port)
                _ = send(socket, "G", 1, Int32(MSG_NOSIGNAL))
                return socket
            }
            defer { for socket in idle { close(socket) } }
            let answer = try await Self.exchange(port, [Self.head("GET /ping", port)], until: { $0.hasSuffix("}") })
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
        }
    }

    /// A scan that is not on disk is reported as a failure to its sender, to event clients and by the health check.
    @Test func whatCannotBeSavedIsNoSuccess() async throws {
        try await Self.serving { port, box in
            let post = Self.head(
                "POST /scan", port, "Content-Type: image/png\r\nContent-Length: 1\r\nConnection: close\r\n")
            let health = Self.head("GET /health", port, "Connection: close\r\n")
            #expect(try await Self.exchange(port, [post, "x"]).hasPrefix("HTTP/1.1 200 "))
            let before = try await Self.exchange(port, [health])
            #expect(before.hasPrefix("HTTP/1.1 200 ") && before.contains("\"writable\":true"))
            let client = try box.scanService.hub.open(.station, wantsView: false)
            try box.outbox.close()
            let answer = try await Self.exchange(port, [post, "x"])
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("\"reason\":\"not_saved\""))
            var told = ""
            while !told.contains("event: not-saved\n"), let batch = await client.next() {
                told += String(decoding: batch.messages.flatMap { $0 }, as: UTF8.self)
            }
            #expect(told.contains("event: not-saved\n"))
            // The code itself, so that it can be shown, and a reason that a page can translate.
            #expect(told.contains("\"symbols\":[{\"format\":\"qr_code\",\"text\":\"x\"}]"))
            #expect(told.contains("\"reason\":\"database\""), "\(told)")
            #expect(try await Self.exchange(port, [health]).hasPrefix("HTTP/1.1 503 "))
        }
    }

    /// If a picture cannot be stored, the health check fails until one can be stored again.
    @Test func healthSpeaksForUploadsToo() async throws {
        try await Self.serving { port, box in
            let post = Self.head(
                "POST /scan", port, "Content-Type: image/png\r\nContent-Length: 1\r\nConnection: close\r\n")
            let health = Self.head("GET /health", port, "Connection: close\r\n")
            #expect(try await Self.exchange(port, [health]).contains("\"uploadsWritable\":true"))
            try FileManager.default.removeItem(atPath: box.folder["uploads"])
            let refused = try await Self.exchange(port, [post, "x"])
            #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("\"reason\":\"no_room\""))
            let ill = try await Self.exchange(port, [health])
            #expect(ill.hasPrefix("HTTP/1.1 503 ") && ill.contains("\"uploadsWritable\":false"))
            #expect(ill.contains("\"writable\":true"))
            try FileManager.default.createDirectory(
                atPath: box.folder["uploads"], withIntermediateDirectories: false)
            #expect(try await Self.exchange(port, [post, "x"]).hasPrefix("HTTP/1.1 200 "))
            #expect(try await Self.exchange(port, [health]).hasPrefix("HTTP/1.1 200 "))
        }
    }

    /// A disk without space for the largest picture is reported before a picture is rejected.
    @Test func healthKnowsOfADiskWithoutRoom() async throws {
        try await Self.serving({ $0.maximumBodyBytes = .max }) { port, _ in
            let ill = try await Self.exchange(port, [Self.head("GET /health", port, "Connection: close\r\n")])
            #expect(ill.hasPrefix("HTTP/1.1 503 ") && ill.contains("\"uploadsWritable\":false"))
        }
    }

    /// Every commit comes once and in order, even to a client that reads from the outbox while more arrive.
    @Test func eventsGoOnWhereTheyWereLeft() async throws {
        try await Self.serving { port, box in
            let first = try await box.store(["first"])
            async let more = box.store((0..<200).map { "\($0)" })
            let head = Self.head("GET /events", port, "Last-Event-ID: \(first[0])\r\n")
            let text = try await Self.exchange(
                port, [head],
                until: { text in
                    let events = text.split(separator: "id: ")
                    // The last event is complete too.
                    return events.count > 200 && events.last?.contains(where: \.isNewline) == true
                })
            let ids = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("id: ") }.map {
                String($0.dropFirst(4))
            }
            let expected = try await more.map(\.description)
            #expect(ids == expected)
        }
    }
}
