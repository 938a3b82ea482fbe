import FoundationEssentials
import Testing

@testable import StationServer

/// The permissions of a page's session, tested through the server.
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private static let origin = "http://oa.example"

    private struct Opened: Decodable {
        struct Content: Decodable { var session: String }
        var data: Content
    }

    /// Opens a session for a page of the allowed origin; returns a function that creates its requests.
    private static func session(_ port: Int) async throws -> @Sendable (String, String, String) -> String {
        let head = "POST /bridge/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: \(origin)\r\n\r\n"
        let answer = try await ServerTests.exchange(port, [head], until: { $0.hasSuffix("}") })
        let body = try #require(answer.split(separator: "\r\n\r\n").last)
        let secret = try JSONDecoder().decode(Opened.self, from: Data(body.utf8)).data.session
        return { line, more, body in
            "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: \(origin)\r\nAuthorization: Bearer \(secret)\r\n"
                + "\(more)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
    }

    private static func answer(_ port: Int, _ request: String) async throws -> String {
        try await ServerTests.exchange(port, [request], until: { $0.hasSuffix("}") })
    }

    private static func message(_ id: String, _ source: String) -> String {
        "{\"request\":\"\(id)\",\"message\":{\"source\":\"\(source)\"}}"
    }

    @Test func theCameraIsSeenOnlyWhileARequestIsOpen() async throws {
        try await ServerTests.serving({ $0.origins = [Self.origin] }) { port, _ in
            let request = try await Self.session(port)
            let frame = request("GET /frame.jpg", "", "")
            let refused = "HTTP/1.1 403 "
            let first = try await Self.answer(port, frame)
            #expect(first.hasPrefix(refused) && first.contains("\"reason\":\"no_open_request\""))
            // A request that the camera may not answer grants no access to it.
            _ = try await Self.answer(port, request("POST /bridge/promise", "", Self.message("of-an-album", "album")))
            #expect(try await Self.answer(port, frame).hasPrefix(refused))
            _ = try await Self.answer(port, request("POST /bridge/promise", "", Self.message("of-any-source", "any")))
            // There is no camera, which is another error.
            #expect(try await Self.answer(port, frame).contains("\"reason\":\"no_picture\""))
            // Another session of the same origin has no access.
            let other = try await Self.session(port)
            #expect(try await Self.answer(port, other("GET /frame.jpg", "", "")).hasPrefix(refused))
            _ = try await Self.answer(port, request("DELETE /bridge/requests/of-any-source", "", ""))
            #expect(try await Self.answer(port, frame).hasPrefix(refused))
        }
    }

    /// A page written before sessions existed uses the route of the gun without one; its requests count for its
    /// origin.
    @Test func theGunIsAskedForWithoutASession() async throws {
        try await ServerTests.serving({ $0.origins = [Self.origin] }) { port, _ in
            func request(_ more: String) -> String {
                "GET /conn_scan_gun HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(more)\r\n"
            }
            let page = request("Origin: \(Self.origin)\r\n")
            #expect(try await Self.answer(port, page).contains("\"reason\":\"no_gun\""))
            #expect(try await Self.answer(port, request("")).hasPrefix("HTTP/1.1 401 "))
            #expect(
                try await Self.answer(port, request("Origin: http://evil.example\r\n")).hasPrefix("HTTP/1.1 403 "))
            // In one piece, so that the requests exceed the rate limit.
            let answers = try await ServerTests.exchange(
                port, [String(repeating: page, count: 400)],
                until: { $0.count(of: "HTTP/1.1 ") == 400 })
            #expect(answers.contains("HTTP/1.1 429 ") && answers.contains("Retry-After"), "\(answers.prefix(600))")
        }
    }

    @Test(arguments: ["GET /frame.jpg", "POST /detect?formats=nothing", "DELETE /bridge/requests/nothing"])
    func everythingCounts(_ line: String) async throws {
        try await ServerTests.serving({ $0.origins = [Self.origin] }) { port, _ in
            let request = try await Self.session(port)
            // In one piece, so that the requests exceed the rate limit.
            let many = String(repeating: request(line, "", ""), count: 200)
            let answers = try await ServerTests.exchange(
                port, [many], until: { $0.count(of: "HTTP/1.1 ") == 200 })
            #expect(answers.contains("HTTP/1.1 429 Too Many Requests\r\n"))
            #expect(answers.contains("Retry-After: 1\r\n"))
        }
    }

    /// A page that disappears stops listening; its request ends, and no other one.
    @Test func theRequestOfAPageThatDiedEnds() async throws {
        try await ServerTests.serving({
            $0.origins = [Self.origin]
            $0.heartbeat = .milliseconds(20)
            $0.abandonment = .milliseconds(100)
        }) { port, box in
            let request = try await Self.session(port)
            let client = try box.scanService.hub.open(.station, wantsView: false)
            // Listens for many times as long as it may be silent.
            let opening = request("POST /bridge/promise", "", Self.message("of-the-dead", "album"))
            async let heard = ServerTests.exchange(
                port, [request("GET /events", "", "")], until: { $0.count(of: ": \n") > 50 })
            while !box.scanService.hub.clients.contains(where: { $0.session != nil }) { await Task.yield() }
            #expect(try await Self.answer(port, opening).contains("\"state\":\"open\""))
            #expect(try await heard.contains("\"state\":\"cancelled\"") == false)
            // The connection was closed at the end of the exchange.
            var told = ""
            while !told.contains("\"state\":\"cancelled\""), let batch = await client.next() {
                told += String(decoding: batch.messages.flatMap { $0 }, as: UTF8.self)
            }
            #expect(told.contains("\"request\":\"of-the-dead\""))
        }
    }
}

extension String {
    /// Returns the number of occurrences of a text.
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
